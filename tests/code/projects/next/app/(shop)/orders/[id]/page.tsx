export default async function Order({ params }) {
  return <p>{params.id}</p>
}
