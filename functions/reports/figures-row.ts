import { keys } from '../core/keys.ts';
import type { Item } from '../core/table.ts';
import type { FigureScheme, MonthFigures } from './programme.ts';

export const toFiguresItem = (mid: number, month: string, scheme: FigureScheme, figures: MonthFigures): Item => ({
  ...keys.monthFigures(mid, month, scheme),
  entity: 'FIGURES',
  figures,
});

/** Reads figures back; undefined where none were supplied. */
export const fromFiguresItem = (item: Item | undefined): MonthFigures | undefined =>
  item?.['figures'] as MonthFigures | undefined;
