import type { DynamoDBRecord } from 'aws-lambda';
import type { Alert } from '../../alerts/alert.ts';
import { alertEntity, fromAlertItem } from '../../alerts/alert-row.ts';
import { streamHandler } from '../../core/batch.ts';
import { countItems, type ItemState } from '../../core/counter-store.ts';
import { forgetCounts } from '../../core/kept-count-store.ts';
import { type Listed, listedOf, placesChanged } from '../../core/listing.ts';
import { type Change, changeOf } from '../../core/stream-store.ts';
import { keepCosts } from '../../costs/cost-store.ts';
import { countAlertDays } from '../../reports/alert-day-store.ts';
import { countVolumes } from '../../rules/volume-store.ts';

/**
 * DynamoDB's sequence numbers have up to 40 digits; of one length, they sort as text. Before them goes the stream's label,
 * the time it was begun: a restored table has a new stream, whose numbers may begin anew.
 */
const sequenceOf = ({ dynamodb, eventSourceARN = '' }: DynamoDBRecord): string =>
  `${eventSourceARN.split('/stream/')[1] ?? ''}#${(dynamodb?.SequenceNumber ?? '').padStart(40, '0')}`;

const isSame = (left: Listed | undefined, right: Listed | undefined): boolean =>
  JSON.stringify(left) === JSON.stringify(right);

const isNowhere = (...states: readonly (Listed | undefined)[]): boolean =>
  states.every((listed) => listed === undefined || listed.lists.length === 0);

type Read = Change & { sequence: string };

/** The latest state of each item whose place in lists a record of the batch changed. */
const latestStates = (changes: readonly Read[]): ItemState[] => {
  const latest = new Map<string, ItemState>();
  for (const { before, after, sequence } of changes) {
    const [listedBefore, listed] = [before && listedOf(before), after && listedOf(after)];
    if (isSame(listedBefore, listed) || isNowhere(listedBefore, listed)) continue;
    const itemPk = String((after ?? before)?.['pk']);
    const state = { itemPk, before: listedBefore, listed, sequence };
    const known = latest.get(itemPk);
    if (!known || known.sequence < state.sequence) latest.set(itemPk, state);
  }
  return [...latest.values()];
};

/** The alerts that got an owner with a record of the batch: with that they begin to count in its volumes. */
const newlyOwned = (changes: readonly Change[]): Alert[] =>
  changes.flatMap(({ before, after }) =>
    after?.['entity'] === alertEntity && before?.['entity'] !== alertEntity ? [fromAlertItem(after)] : [],
  );

/** The alerts with an owner, as the records of the batch leave them: days of reports, costs and savings follow them. */
const ownedAlerts = (changes: readonly Change[]): Alert[] =>
  changes.flatMap(({ after }) => (after?.['entity'] === alertEntity ? [fromAlertItem(after)] : []));

export const handler = streamHandler(async (records) => {
  // Once for all that counts: to read a record takes longer than most of what is done with it.
  const changes = records.map((record) => ({ ...changeOf(record), sequence: sequenceOf(record) }));
  await forgetCounts(changes.flatMap(({ before, after }) => placesChanged(before, after)));
  await countItems(latestStates(changes));
  await countVolumes(newlyOwned(changes));
  const owned = ownedAlerts(changes);
  await countAlertDays(owned);
  await keepCosts(owned.map(({ alertId }) => alertId));
  return undefined;
});
