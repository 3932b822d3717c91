import { signal } from '@preact/signals';
import { useCallback, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { selectRows } from './selected-rows.ts';

/** Checks whether keys act on the selected rows instead of the open one. */
export const isAnySelected = signal(false);

export type Selection<Row> = {
  /** The keys of the selected rows: another set after each toggle, also after one that was refused. */
  keys: ReadonlySet<string>;
  /** Selects a row or no longer; with `isRange`, all from the one that was last selected to this. Always the same function. */
  toggle: (row: Row, isRange?: boolean) => void;
  clear: () => void;
  /** Those selected that are still shown. */
  rows: readonly Row[];
};

export const useSelection = <Row>(rows: readonly Row[], keyOf: (row: Row) => string): Selection<Row> => {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const last = useRef<string | undefined>(undefined);
  const shown = useRef<readonly string[]>([]);
  shown.current = rows.map(keyOf);
  const toggle = useCallback((row: Row, isRange = false) => {
    const key = keyOf(row);
    const from = isRange ? (last.current ?? key) : undefined;
    setSelected((before) => selectRows(before, { shown: shown.current, key, from }));
    last.current = key;
  }, []);
  const present = rows.filter((row) => selected.has(keyOf(row)));
  const isAny = present.length > 0;
  // As soon as they are seen to be selected, also while the actions on them are still fetched.
  useLayoutEffect(() => {
    isAnySelected.value = isAny;
    return () => {
      isAnySelected.value = false;
    };
  }, [isAny]);
  return { keys: selected, toggle, clear: () => setSelected(new Set()), rows: present };
};
