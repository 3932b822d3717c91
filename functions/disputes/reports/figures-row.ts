import * as v from 'valibot';
import type { Item } from '#core/platform/table/item.ts';
import { keys } from '#core/platform/table/keys.ts';
import { defineRow } from '#core/platform/table/row.ts';
import type { FigureScheme, MonthFigures } from './programme.ts';

const FiguresRow = defineRow<MonthFigures>({
  entity: 'FIGURES',
  attribute: 'figures',
  schema: v.looseObject({ settled: v.number(), chargebacks: v.number(), fraud: v.number() }),
});

export const toFiguresItem = (mid: number, month: string, scheme: FigureScheme, figures: MonthFigures): Item => ({
  ...keys.monthFigures(mid, month, scheme),
  ...FiguresRow.stamp,
  figures,
});

/** Reads figures back; undefined where none were supplied. */
export const fromFiguresItem = FiguresRow.find;
