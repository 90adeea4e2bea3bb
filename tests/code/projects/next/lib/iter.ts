export function first(iter: Iterator<number>) {
  return iter.next()
}
