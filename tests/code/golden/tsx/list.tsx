import React, { useState } from "react";
import { Row } from "./row";

interface Props { rows: string[]; onPick?: (row: string) => void }

export const List: React.FC<Props> = ({ rows, onPick }) => {
  const [picked, setPicked] = useState<string | null>(null);
  return (
    <ul className="rad">
      {rows.map(row => <Row key={row} label={`Välj ${row}`} onClick={() => onPick?.(row)} />)}
      <ui.Footer>{picked}</ui.Footer>
    </ul>
  );
};

export default function Page(props: Props) {
  const store = useStore();
  return <List {...props} rows={store.rows} />;
}

class Old extends React.Component<Props> {
  render() { return <Page rows={[]} />; }
}
