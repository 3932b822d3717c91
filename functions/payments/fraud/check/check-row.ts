import * as v from 'valibot';
import { formatAmount } from '#core/kernel/money/money.ts';
import { nullableNumbers, numbers, texts } from '#core/kernel/schema/shape-fields.ts';
import type { Item } from '#core/platform/table/item.ts';
import { keys } from '#core/platform/table/keys.ts';
import { defineRow } from '#core/platform/table/row.ts';
import type { Facts } from '#payments/conditions/fact-values.ts';
import type { Assessment } from './assessment.ts';
import type { FraudSubject } from './subject.ts';

/** The stored part of an assessment. Neither the payer's addresses nor the card's fingerprint are part of it. */
export type FraudCheck = Omit<Assessment, 'facts' | 'asked'> & {
  sid: number;
  kind: FraudSubject['kind'];
  txid: number | null;
  amount: string;
  currency: string;
  card: { scheme: string; first6: string; last4: string } | null;
  facts: Facts;
  at: string;
};

const CheckRow = defineRow<FraudCheck>({
  entity: 'FRAUD_CHECK',
  attribute: 'check',
  schema: v.looseObject({
    ...numbers('mid', 'fraudId', 'score', 'sid'),
    ...nullableNumbers('version', 'template', 'txid'),
    ...texts('decision', 'kind', 'amount', 'currency', 'at'),
    reasons: v.array(v.string()),
    failed: v.boolean(),
    card: v.nullable(v.looseObject({ scheme: v.string(), first6: v.string(), last4: v.string() })),
    facts: v.record(v.string(), v.nullable(v.union([v.boolean(), v.string(), v.number()]))),
  }),
});

export const toCheckItem = (subject: FraudSubject, assessment: Assessment): Item => {
  const { sid, kind, txid, money, card, at } = subject;
  const { asked: _, ...kept } = assessment;
  const check: FraudCheck = {
    ...kept,
    sid,
    kind,
    txid,
    amount: formatAmount(money),
    currency: money.currency,
    card: card && { scheme: card.scheme, first6: card.first6, last4: card.last4 },
    facts: Object.fromEntries(Object.entries(assessment.facts).filter(([, value]) => value !== null)),
    at,
  };
  return { ...keys.fraudCheck(assessment.fraudId), ...CheckRow.stamp, check };
};

/** Reads a check back. */
export const fromCheckItem = CheckRow.read;
