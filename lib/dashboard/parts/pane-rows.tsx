import type { ComponentChildren, JSX } from 'preact';
import { useRef } from 'preact/hooks';
import { address, go, link } from '../app/address.ts';
import { useShortcuts } from '../app/shortcuts.ts';
import { inSentence, translate } from '../language/translate.ts';
import type { Selection } from './selection.ts';
import { skipUnchanged } from './unchanged.ts';

/** The link of a row, which is all of it. */
export type Anchor = { href: string; 'aria-current': 'true' | undefined };
type Inside<Row, Beside> = (props: { row: Row; beside: Beside; anchor: Anchor }) => JSX.Element;

type RowsProps<Row, Beside> = {
  /** Names the list. */
  label: string;
  rows: readonly Row[];
  /** The heading above a row; empty: none. */
  groupOf: (row: Row) => string;
  sumOf: (members: readonly Row[]) => string;
  idOf: (row: Row) => string;
  /** The field of the address that names the open row. */
  field: string;
  openId: string | undefined;
  selection?: Selection<Row> | undefined;
  /** Rows begin with the time left. */
  hasRings?: boolean;
  Inside: Inside<Row, Beside>;
  /** Further things that the rows show. */
  beside: Beside;
};

/** The address of the list without an open row. */
const listLink = (field: string): string => {
  const { path, query } = address.value;
  return link(path, { ...Object.fromEntries(query), [field]: undefined });
};

/** The rows of a list whose open one is shown in a pane, in groups, gone through by keys. */
export const PaneRows = <Row, Beside>(props: RowsProps<Row, Beside>) => {
  const { label, rows, groupOf, sumOf, idOf, field, openId, selection, hasRings, Inside, beside } = props;
  const around = useRef<HTMLDivElement>(null);
  const list = listLink(field);
  const toHref = (row: Row) => `${list}${list.includes('?') ? '&' : '?'}${field}=${idOf(row)}`;
  useRowKeys({ ...props, around, toHref });
  return (
    <div class={`rows${hasRings ? '' : ' plain'}${selection ? ' pickable' : ''}`} ref={around}>
      {[...Map.groupBy(rows, groupOf)].map(([name, members]) => (
        <section key={name}>
          {name && (
            <h2 class="group">
              {name}
              <span>{sumOf(members)}</span>
            </h2>
          )}
          <ul aria-label={[label, inSentence(name)].filter(Boolean).join(', ')}>
            {members.map((row) => (
              <PaneRow
                key={idOf(row)}
                {...{ row, Inside, beside }}
                id={idOf(row)}
                href={toHref(row)}
                isOn={idOf(row) === openId}
                picked={selection?.keys}
                toggle={selection?.toggle}
              />
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
};

type PaneRowProps = {
  /** Only `Inside` needs to know its type. */
  row: unknown;
  Inside: Inside<never, never>;
  beside: unknown;
  id: string;
  href: string;
  isOn: boolean;
  picked: ReadonlySet<string> | undefined;
  /** Undefined: rows cannot be selected. */
  toggle: ((row: never, isRange?: boolean) => void) | undefined;
};

const PaneRow = skipUnchanged(({ row, Inside, beside, id, href, isOn, picked, toggle }: PaneRowProps) => {
  const isPicked = picked?.has(id) ?? false;
  return (
    <li class={`row${isOn ? ' on' : ''}${isPicked ? ' picked' : ''}`} data-row={id}>
      {toggle && (
        <span class="pick">
          <input
            type="checkbox"
            aria-label={translate('Select {name}', { name: id })}
            checked={isPicked}
            onClick={(event) => toggle(row as never, event.shiftKey)}
          />
        </span>
      )}
      <Inside
        row={row as never}
        beside={beside as never}
        anchor={{ href, 'aria-current': isOn ? 'true' : undefined }}
      />
    </li>
  );
});

type LinesProps = {
  anchor: Anchor;
  title: ComponentChildren;
  /** Read out behind the title. */
  unseen: string;
  amount: string;
  who: ComponentChildren;
  marks: ComponentChildren;
};

/** The two lines of a row: what it is about and its money, then whose it is and how it is. */
export const RowLines = ({ anchor, title, unseen, amount, who, marks }: LinesProps) => (
  <>
    <p class="pair">
      <a {...anchor}>
        {title}
        <span class="unseen">, {unseen}</span>
      </a>
      <strong>{amount}</strong>
    </p>
    <p class="pair">
      <span class="who">{who}</span>
      <span class="marks">{marks}</span>
    </p>
  </>
);

type Keys<Row> = Pick<RowsProps<Row, unknown>, 'rows' | 'idOf' | 'openId' | 'selection'> & {
  around: { current: HTMLElement | null };
  toHref: (row: Row) => string;
};

/** Moves between rows, and selects the open one. */
const useRowKeys = <Row,>({ around, rows, idOf, openId, toHref, selection }: Keys<Row>) => {
  const isFirst = useRef(true);
  const at = rows.findIndex((row) => idOf(row) === openId);
  const move = (by: 1 | -1) => {
    // The first press only shows which row is open.
    const next = rows[Math.max(0, Math.min(rows.length - 1, isFirst.current && at === 0 ? 0 : at + by))];
    isFirst.current = false;
    if (!next) return;
    go(toHref(next), { replace: true });
    const target = around.current?.querySelector<HTMLElement>(`[data-row="${idOf(next)}"] a`);
    target?.focus();
    target?.scrollIntoView({ block: 'nearest' });
  };
  const toggle = (isRange: boolean) => {
    isFirst.current = false;
    const row = rows[at];
    if (row) selection?.toggle(row, isRange);
  };
  useShortcuts({
    next: () => move(1),
    previous: () => move(-1),
    ...(selection && { select: () => toggle(false), selectRange: () => toggle(true) }),
  });
};
