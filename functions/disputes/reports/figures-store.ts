import { nowIso } from '#core/kernel/clock.ts';
import { merchantNotFound } from '#core/platform/operation/merchant-access.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItems, putItem, updateItem } from '#core/platform/table/table.ts';
import { fromFiguresItem, importedFiguresUpdate, suppliedAtOf, toFiguresItem } from './figures-row.ts';
import {
  type FigureScheme,
  figureSchemes,
  type MonthFigures,
  monthBefore,
  programmesIn,
  rateState,
} from './programme.ts';

/** Keeps an acquirer's figures for a month, and returns those that they replace. Throws merchant_not_found. */
export const saveFigures = async (
  mid: number,
  month: string,
  scheme: FigureScheme,
  figures: MonthFigures,
): Promise<MonthFigures | undefined> => {
  const [merchant, before] = await getItems([keys.merchant(mid), keys.monthFigures(mid, month, scheme)]);
  if (!merchant) throw merchantNotFound();
  await putItem(toFiguresItem({ mid, month, scheme }, figures, nowIso()));
  return fromFiguresItem(before);
};

/** Keeps what was counted at a connection in a month. It counts until an acquirer's figures are supplied. */
export const saveConnectionFigures = async (
  place: { mid: number; month: string; scheme: FigureScheme; connection: string },
  figures: MonthFigures,
): Promise<void> => {
  await updateItem(importedFiguresUpdate(place, figures));
};

/** Returns a merchant's standing in a month, by the figures supplied: one read. Throws merchant_not_found. */
export const programmeStandings = async (mid: number, month: string) => {
  const months = [month, monthBefore(month)] as const;
  const wanted = figureSchemes.flatMap((scheme) => months.map((one) => ({ scheme, month: one })));
  const [merchant, ...items] = await getItems([
    keys.merchant(mid),
    ...wanted.map((one) => keys.monthFigures(mid, one.month, one.scheme)),
  ]);
  if (!merchant) throw merchantNotFound();
  const find = (scheme: FigureScheme, of: string) =>
    items[wanted.findIndex((one) => one.scheme === scheme && one.month === of)];
  const figures = (scheme: FigureScheme, of: string) => fromFiguresItem(find(scheme, of));
  const region = figures('VISA', month)?.region ?? figures('MASTERCARD', month)?.region;
  return programmesIn(month, region).map((programme) => {
    const { scheme, name, title, ratioBps, least, minUsd, belowThreeDsPercent, source, checked } = programme;
    const known = { present: figures(scheme, month), before: figures(scheme, months[1]) };
    const standing = rateState(programme, known);
    return {
      programme: name,
      title,
      scheme,
      threshold_bps: ratioBps,
      count_threshold: least ?? null,
      amount_threshold_usd: minUsd ?? null,
      three_ds_limit_percent: belowThreeDsPercent ?? null,
      region: region ?? null,
      supplied_at: suppliedAtOf(find(scheme, month)),
      limits_source: source,
      limits_checked: checked,
      amount_usd: standing.amountUsd,
      numerator: standing.numerator,
      denominator: standing.denominator,
      ratio_bps: standing.ratioBps,
      status: standing.status,
      parts: standing.parts,
    };
  });
};
