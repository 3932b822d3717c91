import type { DynamoDBRecord } from 'aws-lambda';
import { countItems, type ItemState } from '#core/platform/lists/counter-store.ts';
import { forgetCounts } from '#core/platform/lists/kept-count-store.ts';
import { type Listed, placesChanged, readListed } from '#core/platform/lists/listing.ts';
import { writeMetric } from '#core/platform/log/log.ts';
import { type StreamChange, toStreamChange } from '#core/platform/table/stream-store.ts';
import type { Item } from '#core/platform/table/table.ts';
import { streamHandler } from '#core/platform/work/batch.ts';
import { sendOrThrow } from '#core/platform/work/queue-store.ts';
import { alertEntity } from '#disputes/alerts/alert-row.ts';
import { saveSearchEntries } from '#disputes/search/search-entry-store.ts';
import { measureChanges } from '../service-levels.ts';
import { tallyEach } from '../tally-store.ts';

/**
 * DynamoDB's sequence numbers have up to 40 digits; padded to one length, they sort as text. They are prefixed with the stream's
 * label, the time it began: a restored table has a new stream, whose numbers may start again.
 */
const sequenceKey = ({ dynamodb, eventSourceARN = '' }: DynamoDBRecord): string =>
  `${eventSourceARN.split('/stream/')[1] ?? ''}#${(dynamodb?.SequenceNumber ?? '').padStart(40, '0')}`;

const isSameList = (left: Listed | undefined, right: Listed | undefined): boolean =>
  JSON.stringify(left) === JSON.stringify(right);

const isNowhere = (...states: readonly (Listed | undefined)[]): boolean =>
  states.every((listed) => listed === undefined || listed.lists.length === 0);

type Read = StreamChange & { sequence: string };

/** The latest state of each item whose place in lists was changed by a record of the batch. */
const latestStates = (changes: readonly Read[]): ItemState[] => {
  const latest = new Map<string, ItemState>();
  for (const { before, after, sequence } of changes) {
    const [listedBefore, listed] = [before && readListed(before), after && readListed(after)];
    if (isSameList(listedBefore, listed) || isNowhere(listedBefore, listed)) continue;
    const itemPk = String((after ?? before)?.['pk']);
    const state = { itemPk, before: listedBefore, listed, sequence };
    const known = latest.get(itemPk);
    if (!known || known.sequence < state.sequence) latest.set(itemPk, state);
  }
  return [...latest.values()];
};

const isOwned = (item: Item | undefined): boolean => item?.['entity'] === alertEntity;
const changeIds = (changes: readonly StreamChange[]): number[] => changes.map(({ after }) => Number(after?.['id']));

export const handler = streamHandler(async (records) => {
  // Counters share the parsed records: parsing takes longer than most of the counting.
  const changes = records.map((record) => ({ ...toStreamChange(record), sequence: sequenceKey(record) }));
  await forgetCounts(changes.flatMap(({ before, after }) => placesChanged(before, after)));
  await countItems(latestStates(changes));
  await saveSearchEntries(changes);
  const owned = changes.filter(({ after }) => isOwned(after));
  // From then on they count in their owner's volumes.
  const newlyOwned = owned.filter(({ before }) => !isOwned(before));
  const uncounted = await tallyEach(changeIds(owned), changeIds(newlyOwned));
  await sendOrThrow(uncounted.map((body) => ({ queue: 'settlement', body })));
  for (const one of measureChanges(changes)) writeMetric(one);
  return undefined;
});
