export async function loader({ params }) {
  return params.id
}

export default function Order() {
  return <p />
}
