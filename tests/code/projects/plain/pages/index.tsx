export default function Page() {
  return iter.next()
}
