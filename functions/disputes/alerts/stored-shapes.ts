import * as v from 'valibot';
import { optionalTexts, texts } from '#core/kernel/schema/shape-fields.ts';

/** Schemas of the stored parts that rows of alerts, decisions, outcomes and refunds share; see defineRow. */

export const ChargebackActionShape = v.looseObject({
  type: v.picklist(['submit', 'accept', 'assign', 'review']),
  floor: v.exactOptional(v.string()),
  fee_acknowledged: v.exactOptional(v.literal(true)),
  assignee: v.exactOptional(v.string()),
});

export const RuleActionShape = v.union([
  ChargebackActionShape,
  v.looseObject({
    type: v.literal('refund'),
    already: v.exactOptional(v.string()),
    cancel_subscription: v.exactOptional(v.literal(true)),
    block: v.exactOptional(v.literal(true)),
    hold_order: v.exactOptional(v.literal(true)),
  }),
  v.looseObject({ type: v.string(), reason_code: v.string(), comments: v.exactOptional(v.string()) }),
  v.looseObject({ type: v.literal('notify') }),
  v.looseObject({ type: v.literal('review') }),
]);

export const MatchEvidenceDtoShape = v.looseObject({
  score: v.number(),
  traits: v.array(v.looseObject({ trait: v.string(), verdict: v.string() })),
});

export const UpdateDetailShape = v.looseObject(optionalTexts('duplicate_alertid', 'userid', 'username'));

export const RefundedElsewhereShape = v.looseObject({
  date: v.string(),
  reference: v.exactOptional(v.string()),
  amount: v.exactOptional(v.string()),
});

export const AlertUpdateShape = v.looseObject({
  status: v.string(),
  reason_code: v.string(),
  ...optionalTexts('alert_outcome_amount', 'alert_outcome_currency', 'alert_outcome_action_date', 'comments'),
  ...optionalTexts('merchant_notes', 'refunded_by'),
  tx_details: v.exactOptional(v.array(UpdateDetailShape)),
  refunded_elsewhere: v.exactOptional(RefundedElsewhereShape),
});

export const DecisionShape = v.looseObject({
  ruleId: v.number(),
  version: v.number(),
  ...texts('name', 'mode', 'result'),
  sid: v.nullable(v.number()),
  action: RuleActionShape,
  facts: v.record(v.string(), v.nullable(v.union([v.boolean(), v.string(), v.number()]))),
  reason: v.nullable(v.string()),
  match: v.exactOptional(MatchEvidenceDtoShape),
  afterwards: v.exactOptional(v.array(v.string())),
  answeredWith: v.exactOptional(v.string()),
});

export const GatewayTransactionShape = v.looseObject({
  ...texts('payment_gateway_reference', 'payment_gateway_reference2', 'payment_gateway_tx_type'),
  ...texts('payment_gateway_transaction_date'),
  comment: v.exactOptional(v.string()),
});
