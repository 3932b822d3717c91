import * as v from 'valibot';
import type { Item } from '#core/platform/table/item.ts';
import { keys } from '#core/platform/table/keys.ts';
import { defineRow } from '#core/platform/table/row.ts';
import type { BinRange } from './bins.ts';

const BinsRow = defineRow<{ ranges: [from: string, to: string, country: string][] }>({
  entity: 'BINS',
  attribute: null,
  schema: v.looseObject({ ranges: v.array(v.tuple([v.string(), v.string(), v.string()])) }),
});

export const toBinsItem = (first6: string, ranges: readonly BinRange[]): Item => ({
  ...keys.bins(first6),
  ...BinsRow.stamp,
  ranges: ranges.map(({ from, to, country }) => [from, to, country]),
});

/** Reads ranges back; none where there is no row. */
export const fromBinsItem = (item: Item | undefined): BinRange[] =>
  (BinsRow.find(item)?.ranges ?? []).map(([from, to, country]) => ({ from, to, country }));
