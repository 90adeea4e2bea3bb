import { Route, Routes } from 'react-router-dom'
import Orders from './Orders'

export function App() {
  return (
    <Routes>
      <Route path="/orders/:id" element={<Orders />} />
    </Routes>
  )
}

const routes = [{ path: '/about', element: <About /> }]
