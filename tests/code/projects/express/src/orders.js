const express = require('express')
const axios = require('axios')

const router = express.Router()

function list(req, res) {
  res.render('orders/list', { orders: [] })
}

router.get('/', list)
router.post('/:id', check, async (req, res) => {
  await axios.get('/elsewhere')
  cache.get('/not-a-route')
  res.send('ok')
})

const app = express()
app.use('/orders', router)
app.delete('/orders/:id', orders.remove)
