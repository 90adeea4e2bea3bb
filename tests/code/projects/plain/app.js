const app = make()
app.get('/orders', list)
const step = iter.next()
