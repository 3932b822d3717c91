import * as v from 'valibot';
import { maskKept } from '#core/kernel/card/card.ts';
import { nullableTexts, numbers, optionalTexts, texts } from '#core/kernel/schema/shape-fields.ts';
import { facetOf, listKeys, listPosition } from '#core/platform/lists/listing.ts';
import { changedRow, type Item, newRow, type Write } from '#core/platform/table/item.ts';
import { keys } from '#core/platform/table/keys.ts';
import { defineRow } from '#core/platform/table/row.ts';
import { type Transaction, toResult } from './transaction.ts';
import { transactionDue } from './transaction-due.ts';

export const transactionEntity = 'TRANSACTION';
export const RefundAnswerShape = v.looseObject({
  alertId: v.number(),
  sid: v.number(),
  by: v.string(),
  isPart: v.boolean(),
  ...optionalTexts('reasonCode', 'comments', 'notes'),
});
const KeptMoneyShape = v.looseObject({ minor: v.string(), currency: v.string() });

const TransactionRow = defineRow<Transaction>({
  entity: transactionEntity,
  attribute: 'transaction',
  schema: v.looseObject({
    ...numbers('txid', 'parentTxid', 'sid', 'mid', 'rid', 'checks', 'version'),
    ...texts('action', 'status', 'idempotencyKey', 'createdAt', 'updatedAt'),
    money: KeptMoneyShape,
    ...nullableTexts('tid', 'reference', 'descriptor', 'processor', 'routeId', 'processorReference', 'arn'),
    ...nullableTexts('authCode', 'email', 'postbackUrl', 'nextCheckAt'),
    refs: v.tuple([v.nullable(v.string()), v.nullable(v.string()), v.nullable(v.string()), v.nullable(v.string())]),
    ...optionalTexts('networkReference', 'returnUrl', 'by'),
    storesCard: v.exactOptional(v.literal(true)),
    firstPayment: v.exactOptional(
      v.looseObject({
        processor: v.string(),
        reference: v.string(),
        routeId: v.nullable(v.string()),
        networkReference: v.nullable(v.string()),
      }),
    ),
    error: v.nullable(v.looseObject({ code: v.string(), message: v.string() })),
    nextAction: v.nullable(
      v.union([
        v.looseObject({ type: v.literal('redirect'), url: v.string() }),
        v.looseObject({
          type: v.literal('otp'),
          channel: v.string(),
          url: v.exactOptional(v.string()),
          tries_left: v.exactOptional(v.number()),
        }),
      ]),
    ),
    card: v.nullable(v.looseObject({ scheme: v.string(), first6: v.string(), last4: v.string(), token: v.string() })),
    conversion: v.nullable(
      v.looseObject({
        original: KeptMoneyShape,
        ...texts('rate', 'margin', 'source', 'at'),
      }),
    ),
    fraud: v.nullable(v.looseObject({ fraudId: v.number(), score: v.number(), decision: v.string() })),
    threeDs: v.exactOptional(
      v.looseObject({
        source: v.string(),
        transStatus: v.nullable(v.string()),
        eci: v.nullable(v.string()),
        own: v.nullable(v.looseObject({ id: v.number(), outcome: v.string(), liabilityShift: v.boolean() })),
      }),
    ),
    alertId: v.nullable(v.number()),
    answer: v.exactOptional(RefundAnswerShape),
    told: v.exactOptional(v.looseObject({ payments: v.array(v.string()), first: v.array(v.string()) })),
    order: v.exactOptional(
      v.looseObject({
        ...texts('at', 'reference', 'keptUntil'),
        account: v.nullable(v.string()),
        email: v.nullable(v.string()),
      }),
    ),
  }),
});

/** The scopes under which card searches find transactions: a merchant's, and of it those of a card, by what is known of it. */
export const cardSearchScopes = {
  merchant: (mid: number) => `M${mid}`,
  card: (mid: number, token: string) => `M${mid}H${token}`,
  first6: (mid: number, first6: string) => `M${mid}F${first6}`,
  last4: (mid: number, last4: string) => `M${mid}L${last4}`,
} as const;

/** The facet by which a card's first six digits are narrowed down to its last four as well. */
export const facetOfCard = (last4: string): string => facetOf(last4, '-');

/**
 * A transaction as lists show it: its result, its owner and its masked card. `minor` is the exact amount, from which `vrfy` is
 * computed; alerts are matched by it and by the acquirer's numbers.
 */
export const transactionSummary = (transaction: Transaction) => ({
  ...toResult(transaction),
  sid: transaction.sid,
  minor: transaction.money.minor,
  arn: transaction.arn,
  auth_code: transaction.authCode,
  created_at: transaction.createdAt,
  card: transaction.card && maskKept(transaction.card),
  card_type: transaction.card?.scheme ?? null,
});

export type TransactionSummary = ReturnType<typeof transactionSummary>;

export const toTransactionItem = (transaction: Transaction): Item => {
  const { txid, mid, card, createdAt, nextCheckAt } = transaction;
  return {
    ...keys.transaction(txid),
    ...TransactionRow.stamp,
    id: txid,
    ...listKeys(
      transactionEntity,
      [
        cardSearchScopes.merchant(mid),
        card && cardSearchScopes.card(mid, card.token),
        card && cardSearchScopes.first6(mid, card.first6),
        card && cardSearchScopes.last4(mid, card.last4),
      ],
      facetOfCard(card?.last4 ?? '-'),
      listPosition(createdAt, txid),
    ),
    ...(nextCheckAt !== null && { ...transactionDue.keys(nextCheckAt, txid), nextCheckAt }),
    summary: transactionSummary(transaction),
    transaction,
  };
};

/** Reads a transaction back. */
export const fromTransactionItem = TransactionRow.read;

/** The part of a transaction that writes a new one. Its condition fails if the number is taken. */
export const newTransactionWrite = (transaction: Transaction): Write => newRow(toTransactionItem(transaction));

/** The part that writes its next state, under the condition that it is unchanged since it was read. */
export const changedTransactionWrite = (before: Transaction, after: Transaction): Write =>
  changedRow(toTransactionItem({ ...after, version: before.version + 1 }), before.version, 'transaction');

/** A condition check in a transaction: it fails once a transaction has failed. */
export const transactionStandsWrite = (txid: number): Write => ({
  ConditionCheck: {
    Key: keys.transaction(txid),
    ConditionExpression: '#transaction.#status <> :failed',
    ExpressionAttributeNames: { '#transaction': 'transaction', '#status': 'status' },
    ExpressionAttributeValues: { ':failed': 'EXC' satisfies Transaction['status'] },
  },
});

/**
 * Under which processor and reference a webhook finds the transaction. The first to have a reference keeps it: Stripe answers
 * a capture or a void with the payment's own, by which webhooks are to go on finding the payment.
 */
export const transactionReferenceWrite = ({ processor, processorReference, txid, sid }: Transaction): Write[] =>
  processor === null || processorReference === null
    ? []
    : [
        {
          Update: {
            Key: keys.processorReference(processor, processorReference),
            UpdateExpression:
              'SET #entity = :entity, #txid = if_not_exists(#txid, :txid), #sid = if_not_exists(#sid, :sid)',
            ExpressionAttributeNames: { '#entity': 'entity', '#txid': 'txid', '#sid': 'sid' },
            ExpressionAttributeValues: { ':entity': 'PROCESSED', ':txid': txid, ':sid': sid },
          },
        },
      ];
