import { Routes } from '@angular/router'

export const routes: Routes = [
  { path: 'orders', component: OrdersComponent },
  { path: 'admin', loadComponent: () => import('./admin').then((m) => m.AdminComponent) },
]
