import { keys } from '../core/keys.ts';
import type { Item } from '../core/table.ts';
import type { BinRange } from './bins.ts';

export const toBinsItem = (first6: string, ranges: readonly BinRange[]): Item => ({
  ...keys.bins(first6),
  entity: 'BINS',
  ranges: ranges.map(({ from, to, country }) => [from, to, country]),
});

/** Reads ranges back; none where there is no row. The table holds only what toBinsItem wrote. */
export const fromBinsItem = (item: Item | undefined): BinRange[] =>
  ((item?.['ranges'] ?? []) as [string, string, string][]).map(([from, to, country]) => ({ from, to, country }));
