import type { ComponentChildren, JSX } from 'preact';
import { useState } from 'preact/hooks';
import { address, setQuery } from '../app/address.ts';
import { minute } from '../app/clock.ts';
import { zone } from '../app/preferences.ts';
import { pastGroup } from './dates.ts';
import { ListAndPane } from './list-and-pane.tsx';
import type { Heading } from './pane.tsx';
import { type Anchor, PaneRows } from './pane-rows.tsx';

/** Lists of money: who, how much and the status in each row, and all about the open one next to it. */

export type ListShown<Row> = {
  heading: ComponentChildren;
  /** The open row. */
  id: string | undefined;
  version: number;
  onShown: (rows: readonly Row[]) => void;
};
type PaneShown = { id: string; heading: Heading; onChanged: () => void };

type Props<Row> = {
  title: string;
  /** The heading, where it says more than the title; read again with each version. */
  useHeading?: (version: number) => string | undefined;
  /** The field of the address that names the open row. */
  field: string;
  idOf: (row: Row) => string;
  List: (shown: ListShown<Row>) => JSX.Element;
  Pane: (shown: PaneShown) => JSX.Element;
  /** Said where no row is open. */
  none: readonly [title: string, words: string];
};

const noHeading = () => undefined;

export const MoneyList = <Row,>({ title, useHeading = noHeading, field, idOf, List, Pane, none }: Props<Row>) => {
  const [[first], setRows] = useState<readonly Row[]>([]);
  const [version, setVersion] = useState(0);
  const id = address.value.query.get(field) ?? (first && idOf(first));
  const change = () => [setVersion(version + 1), setQuery({ [field]: id }, { replace: true })];
  return (
    <ListAndPane
      {...{ title, field }}
      heading={useHeading(version)}
      list={(heading) => <List {...{ heading, id, version }} onShown={setRows} />}
      pane={id && <Pane key={id} id={id} heading={(words) => <h1 tabIndex={-1}>{words}</h1>} onChanged={change} />}
      none={
        <>
          <h2>{none[0]}</h2>
          <p>{none[1]}</p>
        </>
      }
    />
  );
};

type RowsProps<Row> = {
  label: string;
  rows: readonly Row[];
  /** The time by which rows are grouped. */
  at: (row: Row) => string;
  /** The heading of rows that are not grouped by their day. */
  groupOf?: (row: Row) => string;
  sumOf: (members: readonly Row[]) => string;
  idOf: (row: Row) => string;
  field: string;
  openId: string | undefined;
  hasRings?: boolean;
  Inside: (props: { row: Row; anchor: Anchor }) => JSX.Element;
};

/** Rows by days, the newest first, each group with its sum. */
export const MoneyRows = <Row,>({ at, groupOf, ...rows }: RowsProps<Row>) => (
  <PaneRows
    {...rows}
    groupOf={(row) => groupOf?.(row) || pastGroup(at(row), minute.value, zone.value)}
    beside={undefined}
  />
);
