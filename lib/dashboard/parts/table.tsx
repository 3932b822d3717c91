import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { useShortcuts } from '../app/shortcuts.ts';

export type Column<Row> = {
  label: string;
  cell: (row: Row) => ComponentChildren;
  /** Numbers and amounts stand to the right. */
  isNumber?: boolean;
  /** The name of the row: its heading, and the text of its link. */
  isMain?: boolean;
  /** Understood without its heading, which cards then leave out. A number stands at the top of a card. */
  isPlain?: boolean;
  /** Never broken over two lines where there is room. */
  isShort?: boolean;
  /** Only where there is room. */
  isExtra?: boolean;
  /** An icon that is pressed: its heading is not seen. */
  isIcon?: boolean;
};

type TableProps<Row> = {
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  hrefOf?: (row: Row) => string | undefined;
  /** Said in place of rows where there are none. */
  empty?: ComponentChildren;
  isBusy?: boolean;
};

/**
 * A real table; where it has no room, each row becomes a card, and roles keep it a table for screen readers. Rows are gone
 * through by keys.
 */
export const DataTable = <Row,>(props: TableProps<Row>) => {
  const { caption, columns, rows, keyOf, empty, isBusy = false } = props;
  const body = useRef<HTMLTableSectionElement>(null);
  useRowKeys(body);
  if (rows.length === 0 && empty !== undefined) return <div class="empty">{empty}</div>;
  return (
    <table class="data" role="table" aria-busy={isBusy}>
      <caption class="unseen">{caption}</caption>
      <thead role="rowgroup">
        <tr role="row">
          {columns.map(({ label, isNumber, isExtra, isIcon }) => (
            <th role="columnheader" scope="col" key={label} class={cellClass({ isNumber, isExtra, isIcon })}>
              {isIcon ? <span class="unseen">{label}</span> : label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup" ref={body}>
        {rows.map((row) => (
          <Row key={keyOf(row)} row={row} {...props} />
        ))}
      </tbody>
    </table>
  );
};

type Looks = { [K in 'isNumber' | 'isPlain' | 'isExtra' | 'isShort' | 'isMain' | 'isIcon']?: boolean | undefined };

const cellClass = ({ isNumber, isPlain, isExtra, isShort, isMain, isIcon }: Looks, isNone = false) =>
  Object.entries({
    number: isNumber,
    unlabelled: isPlain || isMain,
    extra: isExtra,
    short: isShort || isMain,
    'icon-only': isIcon,
    none: isNone,
  })
    .flatMap(([name, applies]) => (applies ? [name] : []))
    .join(' ') || undefined;

const Row = <R,>({ row, columns, hrefOf }: TableProps<R> & { row: R }) => {
  const href = hrefOf?.(row);
  return (
    <tr role="row">
      {columns.map((column) => (
        <Cell key={column.label} {...{ column, row, href }} />
      ))}
    </tr>
  );
};

const Cell = <R,>({ column, row, href }: { column: Column<R>; row: R; href: string | undefined }) => {
  const { label, cell, isMain } = column;
  const content = cell(row);
  const inside = isMain && href !== undefined ? <a href={href}>{content}</a> : content;
  return isMain ? (
    <th role="rowheader" scope="row" data-label={label} class={cellClass(column)}>
      {inside}
    </th>
  ) : (
    <td role="cell" data-label={label} class={cellClass(column, content === '–')}>
      {inside}
    </td>
  );
};

/** Moves the focus from row to row: to the row's link, or its first control where it has none. */
export const useRowKeys = (body: { current: HTMLElement | null }, rowSelector = 'tr'): void => {
  const rows = () => [...(body.current?.querySelectorAll<HTMLElement>(rowSelector) ?? [])];
  const targets = () =>
    rows().map((row) => row.querySelector<HTMLElement>('th a') ?? row.querySelector<HTMLElement>('a, button, input'));
  const present = () => rows().findIndex((row) => row.contains(document.activeElement));
  const move = (by: 1 | -1) => {
    const all = targets();
    const at = present();
    const next = at < 0 ? (by > 0 ? 0 : all.length - 1) : at + by;
    const target = all[Math.max(0, Math.min(all.length - 1, next))];
    target?.focus();
    target?.scrollIntoView({ block: 'nearest' });
  };
  useShortcuts({
    next: () => move(1),
    previous: () => move(-1),
  });
};
