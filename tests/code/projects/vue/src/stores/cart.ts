import { defineStore } from 'pinia'

export const useCart = defineStore('cart', {
  actions: { add(item: string) { return item } },
})
