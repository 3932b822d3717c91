import * as v from 'valibot';
import { sha256 } from '#core/kernel/crypto.ts';
import { nullableNumbers, nullableTexts, texts } from '#core/kernel/schema/shape-fields.ts';
import { facetOf, listKeys, listPosition } from '#core/platform/lists/listing.ts';
import { type Item, newRow, type Write } from '#core/platform/table/item.ts';
import { keys } from '#core/platform/table/keys.ts';
import { defineRow } from '#core/platform/table/row.ts';
import {
  ce3Results,
  deflectedAt,
  type LookupOutcome,
  type LookupRequest,
  lookupOutcomes,
  lookupProviders,
  lookupResults,
  type OrderLookup,
} from './lookup.ts';
import { lookupDue } from './lookup-due.ts';

/** The rows of look-ups in the table. */

export const lookupEntity = 'LOOKUP';

/** A year, for reports, and a month more. */
const keptDays = 400;

const ends = v.nullable(v.object({ first6: v.string(), last4: v.string() }));
const text = v.nullable(v.string());
const number = v.nullable(v.number());

/** A look-up as rows and messages have it. */
export const LookupShape = v.object({
  name: v.string(),
  provider: v.picklist(lookupProviders),
  at: v.string(),
  channel: v.string(),
  result: v.picklist(lookupResults),
  milliseconds: v.number(),
  card: ends,
  amount: text,
  currency: text,
  date: text,
  mid: number,
  orderId: number,
  sid: number,
  reference: text,
  shown: v.array(v.string()),
  ce3: v.nullable(v.picklist(ce3Results)),
  outcome: v.nullable(v.picklist(lookupOutcomes)),
});

const LookupRow = defineRow<OrderLookup>({
  entity: lookupEntity,
  attribute: 'lookup',
  schema: v.looseObject({
    ...texts('name', 'provider', 'at', 'channel', 'result'),
    milliseconds: v.number(),
    card: v.nullable(v.looseObject({ first6: v.string(), last4: v.string() })),
    ...nullableTexts('amount', 'currency', 'date', 'reference', 'ce3', 'outcome'),
    ...nullableNumbers('mid', 'orderId', 'sid'),
    shown: v.array(v.string()),
  }),
});

/**
 * The name of a request: made of the provider's name for it and of what it asks, so that another question under the same
 * name is a different request; and of its day, as the same may be asked again weeks later.
 */
export const lookupName = (request: LookupRequest, at: string): string => {
  const { provider, requestId, channel, clientId, descriptor, card, asked } = request;
  const { arn, networkTransactionId, authCode, amount, currency, date } = asked;
  const said = [
    provider,
    requestId,
    channel,
    clientId,
    descriptor,
    card?.first6,
    card?.last4,
    arn,
    networkTransactionId,
  ];
  return `${sha256(JSON.stringify([...said, authCode, amount, currency, date]))}-${at.slice(0, 10)}`;
};

/** The id of a look-up in its row, its message and lists. */
export const lookupIdOf = ({ provider, name }: Pick<OrderLookup, 'provider' | 'name'>): string => `${provider}#${name}`;

/** The key of a look-up's row from that id; undefined if the text is not one. */
export const lookupKeyOf = (id: string) => {
  const [provider, name, ...more] = id.split('#');
  const known = lookupProviders.find((one) => one === provider);
  return known === undefined || name === undefined || more.length > 0 ? undefined : keys.lookup(known, name);
};

const ce3Facet = ({ ce3 }: OrderLookup): string => (ce3 === 'qualified' ? 'ce3' : '-');

/** The second value by which lists are filtered: the order that was found, and the later result. Reports are made from its counts. */
const facetKind = (lookup: OrderLookup): string =>
  lookup.result === 'found' ? `found:${lookup.outcome}:${ce3Facet(lookup)}` : lookup.result;

/** All of these values that have one of the results. */
export const facetKinds = (results: readonly OrderLookup['result'][]): string[] =>
  results.flatMap((result) =>
    result === 'found' ? lookupOutcomes.flatMap((outcome) => [`found:${outcome}:ce3`, `found:${outcome}:-`]) : [result],
  );

/** Returns the values of look-ups that found their order, by result or by whether they qualified as evidence. */
export const foundKinds = ({ outcome, ce3 }: { outcome?: LookupOutcome; ce3?: true }): string[] =>
  facetKinds(['found']).filter((kind) => {
    const [, own, evidence] = kind.split(':');
    return (outcome === undefined || own === outcome) && (ce3 === undefined || evidence === 'ce3');
  });

/** A look-up as lists show it, names as on the wire. */
const lookupSummary = (lookup: OrderLookup) => ({
  lookup_id: lookupIdOf(lookup),
  provider: lookup.provider,
  channel: lookup.channel,
  at: lookup.at,
  result: lookup.result,
  milliseconds: lookup.milliseconds,
  card: lookup.card && `${lookup.card.first6}******${lookup.card.last4}`,
  amount: lookup.amount,
  currency: lookup.currency,
  date: lookup.date,
  order_id: lookup.orderId,
  sid: lookup.sid,
  reference: lookup.reference,
  shown: [...lookup.shown],
  ce3: lookup.ce3,
  outcome: lookup.outcome,
});
export type LookupSummary = ReturnType<typeof lookupSummary>;

const toLookupItem = (lookup: OrderLookup): Item => {
  const { provider, name, at, mid, sid, orderId, outcome } = lookup;
  const id = lookupIdOf(lookup);
  return {
    ...keys.lookup(provider, name),
    ...LookupRow.stamp,
    id,
    ...listKeys(
      lookupEntity,
      [
        'all',
        mid === null ? null : `M${mid}`,
        orderId === null ? null : `O${orderId}`,
        sid === null ? null : `S${sid}`,
      ],
      facetOf(provider, facetKind(lookup)),
      listPosition(at, name.slice(0, 40)),
    ),
    ...(outcome === 'open' && lookupDue.keys(deflectedAt(at), id)),
    summary: lookupSummary(lookup),
    lookup,
    ttl: Math.ceil(Date.parse(at) / 1000) + keptDays * 86_400,
  };
};

/** Reads a look-up back; undefined where there is none. */
export const fromLookupItem = LookupRow.find;

/** The part of a transaction that writes a new look-up. Its condition fails if it is written already. */
export const newLookupWrite = (lookup: OrderLookup): Write => newRow(toLookupItem(lookup));

/** The part that writes the result. Its condition fails if another process has written it since it was read. */
export const settledLookupWrite = (before: OrderLookup, lookup: OrderLookup): Write => ({
  Put: {
    Item: toLookupItem(lookup),
    ConditionExpression: '#lookup.#outcome = :before',
    ExpressionAttributeNames: { '#lookup': 'lookup', '#outcome': 'outcome' },
    ExpressionAttributeValues: { ':before': before.outcome },
  },
});

/** A look-up without anything that could identify a person. */
export const forgetPerson = (lookup: OrderLookup): OrderLookup => ({ ...lookup, card: null, reference: null });

/** The part that removes it from a look-up that lists show. */
export const forgottenLookupWrite = ({ lookup_id: id }: Pick<LookupSummary, 'lookup_id'>): Write => {
  const Key = lookupKeyOf(id);
  if (!Key) throw new Error(`A list shows a look-up called ${id}`);
  return {
    Update: {
      Key,
      UpdateExpression:
        'SET #lookup.#card = :none, #lookup.#reference = :none, #summary.#card = :none, #summary.#reference = :none',
      ExpressionAttributeNames: {
        '#lookup': 'lookup',
        '#summary': 'summary',
        '#card': 'card',
        '#reference': 'reference',
      },
      ExpressionAttributeValues: { ':none': null },
    },
  };
};

/** The keys under which a repetition within a day finds the earlier answer: today's and yesterday's. */
export const replayKeys = (request: LookupRequest, at: string, yesterday: string) =>
  [at, yesterday].map((day) => keys.lookup(request.provider, lookupName(request, day)));
