import * as v from 'valibot';
import { optionalNumbers } from '#core/kernel/schema/shape-fields.ts';
import type { Item } from '#core/platform/table/item.ts';
import { keys } from '#core/platform/table/keys.ts';
import { defineRow } from '#core/platform/table/row.ts';
import { type FigureScheme, figureRegions, type MonthFigures } from './programme.ts';

const FiguresShape = v.looseObject({
  ...{ settled: v.number(), chargebacks: v.number(), fraud: v.number() },
  region: v.exactOptional(v.picklist(figureRegions)),
  ...optionalNumbers('amountUsd', 'fraudChargebacks', 'fraudUsd', 'threeDsPercent', 'enumerated', 'authorisations'),
});

const FiguresRow = defineRow<MonthFigures>({ entity: 'FIGURES', attribute: 'figures', schema: FiguresShape });

export const toFiguresItem = (
  { mid, month, scheme }: { mid: number; month: string; scheme: FigureScheme },
  figures: MonthFigures,
  suppliedAt: string,
): Item => ({
  ...keys.monthFigures(mid, month, scheme),
  ...FiguresRow.stamp,
  figures,
  suppliedAt,
});

/** Each connection's counts have an attribute of their own, so that imports do not overwrite each other. */
const importedPrefix = 'imported#';

/** An update that keeps what was counted at a connection. Repeating it changes nothing. */
export const importedFiguresUpdate = (
  { mid, month, scheme, connection }: { mid: number; month: string; scheme: FigureScheme; connection: string },
  figures: MonthFigures,
) => ({
  Key: keys.monthFigures(mid, month, scheme),
  UpdateExpression: 'SET #entity = :entity, #version = if_not_exists(#version, :version), #own = :figures',
  ExpressionAttributeNames: {
    '#entity': 'entity',
    '#version': 'schemaVersion',
    '#own': `${importedPrefix}${connection}`,
  },
  ExpressionAttributeValues: {
    ':entity': FiguresRow.stamp.entity,
    ':version': FiguresRow.stamp.schemaVersion,
    ':figures': figures,
  },
});

const sumOfImported = (item: Item): MonthFigures | undefined => {
  const imported = Object.entries(item).filter(([name]) => name.startsWith(importedPrefix));
  const parts = imported.map(([, figures]) => v.parse(FiguresShape, figures));
  if (parts.length === 0) return undefined;
  return parts.reduce((sum, { settled, chargebacks, fraud }) => ({
    settled: sum.settled + settled,
    chargebacks: sum.chargebacks + chargebacks,
    fraud: sum.fraud + fraud,
  }));
};

/** When the merchant supplied a month's figures; null where releases up to 1.1.0 stored them, or they were imported. */
export const suppliedAtOf = (item: Item | undefined): string | null => {
  const at = FiguresRow.find(item) && item?.['suppliedAt'];
  return typeof at === 'string' ? at : null;
};

/** Reads a month's figures back: those that the merchant supplied, else those that were imported; undefined where there are none. */
export const fromFiguresItem = (item: Item | undefined): MonthFigures | undefined =>
  FiguresRow.find(item) ?? (item && sumOfImported(item));
