import { signal } from '@preact/signals';
import { useRef, useState } from 'preact/hooks';

/** Checks whether keys act on the selected rows instead of the open one. */
export const isAnySelected = signal(false);

export type Selection<Row> = {
  has: (row: Row) => boolean;
  isAllowed: (row: Row) => boolean;
  /** Selects a row or no longer; with `isRange`, all from the one that was last selected to this. */
  toggle: (row: Row, isRange?: boolean) => void;
  toggleAll: (rows: readonly Row[]) => void;
  clear: () => void;
  /** Those selected that are still shown. */
  rows: readonly Row[];
};

type Options<Row> = {
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  /** Rows that cannot be selected. */
  isAllowed?: (row: Row) => boolean;
  /** The number of rows that may be selected at once. */
  most?: number;
};

export const useSelection = <Row>({
  rows,
  keyOf,
  isAllowed = () => true,
  most = 100,
}: Options<Row>): Selection<Row> => {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const last = useRef<string | undefined>(undefined);
  const select = (keys: Iterable<string>) => setSelected(new Set([...keys].slice(0, most)));
  const between = (key: string): string[] => {
    const all = rows.filter(isAllowed).map(keyOf);
    const [from, to] = [all.indexOf(last.current ?? key), all.indexOf(key)];
    return from < 0 || to < 0 ? [key] : all.slice(Math.min(from, to), Math.max(from, to) + 1);
  };
  return {
    has: (row) => selected.has(keyOf(row)),
    isAllowed,
    toggle: (row, isRange = false) => {
      if (!isAllowed(row)) return;
      const key = keyOf(row);
      if (isRange) select([...selected, ...between(key)]);
      else if (selected.has(key)) select([...selected].filter((one) => one !== key));
      else select([...selected, key]);
      last.current = key;
    },
    toggleAll: (shown) => {
      const all = shown.filter(isAllowed).map(keyOf);
      select(all.every((key) => selected.has(key)) ? [] : all);
    },
    clear: () => select([]),
    rows: rows.filter((row) => selected.has(keyOf(row))),
  };
};
