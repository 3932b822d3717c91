import { iso, milliseconds } from '#core/kernel/clock.ts';
import { type Item, putItem } from '#core/platform/table/table.ts';

/** The length of a list whose counts are kept. */
export const longList = 420;

/** Puts so many copies of an item into its lists, one every hour before the item itself, that what is counted of them is kept. */
export const storeLongList = async (item: Item): Promise<void> => {
  const [time = '', id = ''] = String(item['listSk']).split('#');
  const copies = Array.from({ length: longList }, (_, n) => ({
    ...item,
    pk: `${item['pk']}_${n}`,
    listSk: `${iso(Date.parse(time) - (n + 1) * milliseconds.hour)}#${id}_${n}`,
  }));
  for (let from = 0; from < longList; from += 60) {
    await Promise.all(copies.slice(from, from + 60).map((copy) => putItem(copy)));
  }
};
