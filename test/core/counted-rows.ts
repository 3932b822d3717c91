import { countItems } from '#core/platform/lists/counter-store.ts';
import { facetOf, listKeys, listPosition, readListed } from '#core/platform/lists/listing.ts';
import { keys } from '#core/platform/table/keys.ts';
import { type Item, putItem, updateItem } from '#core/platform/table/table.ts';

/** Rows in lists, as they are stored, counted, and counted wrongly. */

export const start = Date.parse('2026-05-01T23:00:00.000Z');
let entities = 0;
export const fresh = () => {
  entities += 1;
  return `REPAIR${entities}`;
};
export const countedItem = (entity: string, n: number, facet = 'OPEN', mid = 1): Item => ({
  pk: `${entity}#${mid}#${n}`,
  sk: entity,
  entity,
  ...listKeys(
    entity,
    ['all', `M${mid}`, `R${mid}${n % 2}`],
    facetOf(facet, 'X'),
    listPosition(new Date(start + n * 900_000).toISOString(), n),
  ),
  summary: { n },
});
let sequence = 0;
/** A write's place in the stream: it has it from then on, however late it is counted. */
export const nextInStream = (): string => {
  sequence += 1;
  return String(sequence).padStart(40, '0');
};
export const countAs = (place: string, ...items: Item[]) =>
  countItems(items.map((item) => ({ itemPk: String(item['pk']), listed: readListed(item), sequence: place })));
export const count = (...items: Item[]) => countAs(nextInStream(), ...items);
export const stored = async (entity: string, many: number, mid = 1) => {
  const items = Array.from({ length: many }, (_, n) => countedItem(entity, n, n % 3 === 0 ? 'DONE' : 'OPEN', mid));
  for (const item of items) await putItem(item);
  await count(...items);
  return items;
};
export const spoil = (list: string, bucket: string, attribute: string, by: number) =>
  updateItem({
    Key: keys.count(list, bucket),
    UpdateExpression: 'ADD #attribute :by',
    ExpressionAttributeNames: { '#attribute': attribute },
    ExpressionAttributeValues: { ':by': by },
  });
