import { createRouter } from 'vue-router'
import Home from './Home.vue'

export default createRouter({
  routes: [
    { path: '/', component: Home },
    { path: '/orders/:id', component: () => import('./views/OrderView.vue') },
  ],
})

const file = { path: '/tmp/x', size: 1 }
