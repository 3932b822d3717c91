import { keys } from '#core/platform/table/keys.ts';
import { getItem, putItem } from '#core/platform/table/table.ts';
import { type BinRange, rangesUnder } from './bins.ts';
import { fromBinsItem, toBinsItem } from './bins-row.ts';

const atOnce = 16;

/** Writes the ranges of a table; those of each six digits replace their earlier ones. `told`: gets the number of rows written. */
export const putBins = async (
  ranges: ReadonlyMap<string, readonly BinRange[]>,
  told: (rows: number) => void = () => undefined,
): Promise<void> => {
  const rows = ranges.entries();
  let written = 0;
  const work = async () => {
    for (const [first6, own] of rows) {
      await putItem(toBinsItem(first6, own));
      written += 1;
      told(written);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
};

/** Reads the facts about cards that begin with these six to eight digits. */
export const rangesOfDigits = async (digits: string): Promise<BinRange[]> =>
  rangesUnder(fromBinsItem(await getItem(keys.bins(digits.slice(0, 6)))), digits);
