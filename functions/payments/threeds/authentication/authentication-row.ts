import * as v from 'valibot';
import { SealedSecretShape } from '#accounts/merchants/site/site-row.ts';
import { maskKept } from '#core/kernel/card/card-mask.ts';
import { schemes } from '#core/kernel/card/schemes.ts';
import { iso, milliseconds } from '#core/kernel/clock.ts';
import { type KeyRing, open, seal } from '#core/kernel/crypto.ts';
import { formatAmount } from '#core/kernel/money/money.ts';
import { flags, nullableTexts, numbers, texts } from '#core/kernel/schema/shape-fields.ts';
import { crossFacets, facetOf, listKeys, listPosition } from '#core/platform/lists/listing.ts';
import { changedRow, type Item, newRow, type Write } from '#core/platform/table/item.ts';
import { keys } from '#core/platform/table/keys.ts';
import { defineRow } from '#core/platform/table/row.ts';
import { fromKeptMoney } from '#payments/payments/kept-money.ts';
import type { Authentication } from './authentication.ts';
import { authenticationDue } from './authentication-due.ts';
import type { AuthenticationResult } from './authentication-result.ts';

export const authenticationEntity = 'AUTHENTICATION';

const { day } = milliseconds;
/** As long as disputes can come. */
const keptMilliseconds = 400 * day;
/** Visa: an authentication value is not to be stored or used again. */
const valueMilliseconds = day;
/** Issuers return within an hour. */
const refMilliseconds = day;

const proofTtl = (at: string, time: number): number => Math.ceil((Date.parse(at) + time) / 1000);
const AcquirerShape = v.looseObject({ bin: v.string(), mid: v.string() });
const PostalAddressShape = v.looseObject(texts('line1', 'city', 'state', 'country', 'postcode'));

const AuthenticationRow = defineRow<Kept>({
  entity: authenticationEntity,
  attribute: null,
  schema: v.looseObject({
    ...numbers('version', 'attempts', 'starts'),
    status: v.string(),
    pageOrigin: v.string(),
    authentication: v.looseObject({
      ...numbers('mid', 'rid', 'sid', 'id'),
      ...texts('createdAt', 'challengeInd', 'exemption'),
      card: v.nullable(v.looseObject({ scheme: v.string(), first6: v.string(), last4: v.string(), token: v.string() })),
      ...nullableTexts('reason', 'outcome', 'tid', 'doneAt', 'nextCheckAt'),
      settings: v.looseObject({
        ...texts('provider', 'highestVersion', 'mastercardPrefix', 'mcc', 'countryNumber', 'merchantName'),
        ...texts('requestorName', 'requestorUrl', 'authenticationInd', 'challengeInd', 'transType'),
        ...texts('messageCategory', 'mode'),
        ...nullableTexts('serverUrl', 'requestorId', 'acctType'),
        serverKey: v.nullable(SealedSecretShape),
        acquirers: v.looseObject({
          VISA: AcquirerShape,
          MASTERCARD: v.exactOptional(AcquirerShape),
          AMEX: v.exactOptional(AcquirerShape),
          DISCOVER: v.exactOptional(AcquirerShape),
          DINERS: v.exactOptional(AcquirerShape),
          JCB: v.exactOptional(AcquirerShape),
          UNIONPAY: v.exactOptional(AcquirerShape),
        }),
        acquirerCountryNumber: v.exactOptional(v.string()),
        ...flags('disablesChallenge', 'tellsValues', 'isVerbose'),
      }),
      money: v.looseObject({ minor: v.string(), currency: v.string() }),
      payer: v.nullable(
        v.looseObject({
          ...nullableTexts('firstName', 'lastName', 'email', 'phone'),
          address: v.nullable(PostalAddressShape),
          shipping: v.nullable(PostalAddressShape),
          account: v.nullable(
            v.looseObject({
              ...nullableTexts('id', 'createdAt', 'changedAt'),
              orders6m: v.nullable(v.number()),
            }),
          ),
        }),
      ),
      server: v.nullable(
        v.looseObject({
          ...texts('transId', 'version', 'startedAt'),
          methodUrl: v.nullable(v.string()),
        }),
      ),
      challenge: v.nullable(
        v.looseObject({
          ares: v.looseObject({
            transStatus: v.string(),
            ...nullableTexts('transStatusReason', 'eci', 'dsTransId', 'acsTransId', 'acsUrl', 'authenticationType'),
            ...nullableTexts('cardholderInfo', 'challengeExemption', 'messageVersion'),
          }),
          windowSize: v.string(),
          at: v.string(),
          creqAt: v.nullable(v.string()),
          cresAt: v.nullable(v.string()),
        }),
      ),
      result: v.nullable(
        v.looseObject({
          ...nullableTexts('transStatus', 'transStatusReason', 'aresTransStatus', 'challengeTransStatus', 'eci'),
          ...nullableTexts('messageVersion', 'dsTransId', 'acsTransId', 'challengeCancel', 'authenticationType'),
          ...nullableTexts('cardholderInfo', 'exemption'),
          liabilityShift: v.boolean(),
        }),
      ),
    }),
  }),
});

/** An authentication as a list shows it, names as on the wire. */
const listFields = (authentication: Authentication) => {
  const { id, sid, status, outcome, reason, money, card, result, createdAt, doneAt } = authentication;
  return {
    authentication_id: id,
    sid,
    status,
    outcome,
    reason,
    transStatus: result?.transStatus ?? null,
    liability_shift: result?.liabilityShift ?? false,
    amount: Number(formatAmount(fromKeptMoney(money))),
    currency: money.currency,
    card: card && maskKept(card),
    created_at: createdAt,
    done_at: doneAt,
  };
};

export type AuthenticationSummary = ReturnType<typeof listFields>;

const noValue = '-';
/** The facets of authentications with one of these outcomes, whatever the card. */
export const facetsOfOutcomes = (outcomes: readonly AuthenticationResult[]): string[] =>
  crossFacets(outcomes, [noValue, ...schemes]);

/** The facets of authentications that are not done. */
export const facetsOfOpen = (): string[] => crossFacets([noValue], [noValue, ...schemes]);

/** DynamoDB has no empty sets. */
const textSet = (name: string, texts: readonly string[]) => (texts.length > 0 ? { [name]: new Set(texts) } : {});

/** Fields used in conditions are attributes of their own; the rest is one attribute. */
export const toAuthenticationItem = (authentication: Authentication): Item => {
  const { status, pageOrigin, starts, attempts, cards, clients, askingUntil, usedByTxid, version, ...rest } =
    authentication;
  const { id, sid, mid, card, outcome, createdAt, nextCheckAt, server } = authentication;
  return {
    ...keys.authentication(id),
    ...AuthenticationRow.stamp,
    id,
    sid,
    ...listKeys(
      authenticationEntity,
      [`M${mid}`, `S${sid}`, card && `M${mid}H${card.token}`],
      facetOf(outcome ?? noValue, card?.scheme ?? noValue),
      listPosition(createdAt, id),
    ),
    ...(nextCheckAt !== null && { ...authenticationDue.keys(nextCheckAt, id), nextCheckAt }),
    summary: listFields(authentication),
    ttl: proofTtl(createdAt, keptMilliseconds),
    status,
    pageOrigin,
    starts,
    attempts,
    version,
    ...textSet('cards', cards),
    ...textSet('clients', clients),
    ...(card && { cardToken: card.token }),
    ...(server && { startedAt: server.startedAt }),
    ...(askingUntil !== null && { askingUntil }),
    ...(usedByTxid !== null && { usedByTxid }),
    authentication: rest,
  };
};

type Nested = Omit<
  Authentication,
  'status' | 'pageOrigin' | 'starts' | 'attempts' | 'cards' | 'clients' | 'askingUntil' | 'usedByTxid' | 'version'
>;

type Kept = Pick<Authentication, 'status' | 'pageOrigin' | 'starts' | 'attempts' | 'version'> & {
  authentication: Nested;
};

const setTexts = (set: unknown): string[] => (set instanceof Set ? [...set].map(String).sort() : []);

/** DynamoDB removes expired items late: until then they count as gone. `at`: ISO. */
export const isAuthenticationExpired = ({ ttl }: Item, at: string): boolean => Number(ttl) * 1000 <= Date.parse(at);

/** Reads an authentication back. */
export const fromAuthenticationItem = (item: Item): Authentication => {
  const { authentication, status, pageOrigin, starts, attempts, version } = AuthenticationRow.read(item);
  return {
    ...authentication,
    status,
    pageOrigin,
    starts,
    attempts,
    version,
    cards: setTexts(item['cards']),
    clients: setTexts(item['clients']),
    askingUntil: typeof item['askingUntil'] === 'string' ? item['askingUntil'] : null,
    usedByTxid: typeof item['usedByTxid'] === 'number' ? item['usedByTxid'] : null,
  };
};

export const newAuthenticationWrite = (authentication: Authentication): Write =>
  newRow(toAuthenticationItem(authentication));

/** The part that writes its next state, under the condition that it is unchanged since it was read. */
export const changedAuthenticationWrite = (before: Authentication, after: Authentication): Write =>
  changedRow(toAuthenticationItem({ ...after, version: before.version + 1 }), before.version);

/** Records which authentication a transaction at the 3DS server belongs to. */
export const authenticationReferenceWrite = ({ id, server }: Authentication, at: string): Write[] =>
  server === null
    ? []
    : [
        {
          Put: {
            Item: {
              ...keys.authenticationRef(server.transId),
              entity: 'AUTHENTICATION_REF',
              authenticationId: id,
              ttl: proofTtl(at, refMilliseconds),
            },
          },
        },
      ];

const sealContextOf = (id: number): string => `3ds:${id}:value`;

/** The value that proves an authentication: sealed, and gone after a day. */
export const valueWrite = (id: number, value: string, ring: KeyRing, at: string): Write => ({
  Put: {
    Item: {
      ...keys.authenticationValue(id),
      entity: 'AUTHENTICATION_VALUE',
      sealed: seal(ring, sealContextOf(id), value),
      validUntil: iso(Date.parse(at) + valueMilliseconds),
      ttl: proofTtl(at, valueMilliseconds),
    },
  },
});

/** The value, as long as it is kept; DynamoDB removes expired items late. */
export const fromValueItem = (id: number, item: Item | undefined, ring: KeyRing, at: string): string | null =>
  typeof item?.['sealed'] === 'string' && String(item['validUntil']) > at
    ? open(ring, sealContextOf(id), item['sealed'])
    : null;

/**
 * Returns the effects of a payment on its authentication: it is marked as used and its value is removed. By a put in place of a deletion,
 * as functions that make payments may only put.
 */
export const usedWrites = (
  id: number,
  txid: number,
  at: string,
): { authentication: Write; authenticationValue: Write } => ({
  authentication: {
    Update: {
      Key: keys.authentication(id),
      UpdateExpression: 'SET #used = :txid',
      ConditionExpression: 'attribute_exists(pk) AND attribute_not_exists(#used)',
      ExpressionAttributeNames: { '#used': 'usedByTxid' },
      ExpressionAttributeValues: { ':txid': txid },
    },
  },
  authenticationValue: {
    Put: { Item: { ...keys.authenticationValue(id), entity: 'AUTHENTICATION_VALUE', ttl: proofTtl(at, 0) } },
  },
});
