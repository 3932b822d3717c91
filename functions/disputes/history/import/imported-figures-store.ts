import { saveConnectionFigures } from '#disputes/reports/figures-store.ts';
import { figureSchemes } from '#disputes/reports/programme.ts';
import type { HistoryImport } from './history-import.ts';

/** The first day of the month after one: `2026-06-01` after `2026-05`. */
const monthAfter = (month: string): string => {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number)).toISOString().slice(0, 'YYYY-MM-DD'.length);
};

/** Writes what was counted for each whole month as that month's figures of the connection. Repeating it changes nothing. */
export const saveImportedFigures = async ({ mid, connection, from, to, statistics }: HistoryImport): Promise<void> => {
  for (const scheme of figureSchemes) {
    for (const [name, { settled, charged_back: chargebacks }] of Object.entries(statistics.months)) {
      const [month = '', of] = name.split('|');
      const isWhole = from <= `${month}-01T00:00:00.000Z` && to >= `${monthAfter(month)}T00:00:00.000Z`;
      if (of !== scheme || !isWhole) continue;
      await saveConnectionFigures({ mid, month, scheme, connection }, { settled, chargebacks, fraud: 0 });
    }
  }
};
