import { memo } from 'react'

export function Card({ title }) {
  return <h1>{title}</h1>
}

export const Row = memo(Card)

export function useCard() {
  return 1
}

function helper() {}
