import { signal } from '@preact/signals';
import { useRef, useState } from 'preact/hooks';
import { selectRows } from './selected-rows.ts';

/** Checks whether keys act on the selected rows instead of the open one. */
export const isAnySelected = signal(false);

export type Selection<Row> = {
  has: (row: Row) => boolean;
  /** Selects a row or no longer; with `isRange`, all from the one that was last selected to this. */
  toggle: (row: Row, isRange?: boolean) => void;
  clear: () => void;
  /** Those selected that are still shown. */
  rows: readonly Row[];
};

export const useSelection = <Row>(rows: readonly Row[], keyOf: (row: Row) => string): Selection<Row> => {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const last = useRef<string | undefined>(undefined);
  return {
    has: (row) => selected.has(keyOf(row)),
    toggle: (row, isRange = false) => {
      const key = keyOf(row);
      const from = isRange ? (last.current ?? key) : undefined;
      setSelected(selectRows(selected, { shown: rows.map(keyOf), key, from }));
      last.current = key;
    },
    clear: () => setSelected(new Set()),
    rows: rows.filter((row) => selected.has(keyOf(row))),
  };
};
