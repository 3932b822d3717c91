import * as v from 'valibot';

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
  }),
  v.looseObject({ type: v.string(), reason_code: v.string(), comments: v.exactOptional(v.string()) }),
  v.looseObject({ type: v.literal('notify') }),
  v.looseObject({ type: v.literal('review') }),
]);

export const MatchEvidenceDtoShape = v.looseObject({
  score: v.number(),
  traits: v.array(v.looseObject({ trait: v.string(), verdict: v.string() })),
});

export const UpdateDetailShape = v.looseObject({
  duplicate_alertid: v.exactOptional(v.string()),
  userid: v.exactOptional(v.string()),
  username: v.exactOptional(v.string()),
});

export const RefundedElsewhereShape = v.looseObject({
  date: v.string(),
  reference: v.exactOptional(v.string()),
  amount: v.exactOptional(v.string()),
});

export const AlertUpdateShape = v.looseObject({
  status: v.string(),
  reason_code: v.string(),
  alert_outcome_amount: v.exactOptional(v.string()),
  alert_outcome_currency: v.exactOptional(v.string()),
  alert_outcome_action_date: v.exactOptional(v.string()),
  comments: v.exactOptional(v.string()),
  merchant_notes: v.exactOptional(v.string()),
  tx_details: v.exactOptional(v.array(UpdateDetailShape)),
  refunded_by: v.exactOptional(v.string()),
  refunded_elsewhere: v.exactOptional(RefundedElsewhereShape),
});

export const DecisionShape = v.looseObject({
  ruleId: v.number(),
  version: v.number(),
  name: v.string(),
  sid: v.nullable(v.number()),
  mode: v.string(),
  action: RuleActionShape,
  facts: v.record(v.string(), v.nullable(v.union([v.boolean(), v.string(), v.number()]))),
  result: v.string(),
  reason: v.nullable(v.string()),
  match: v.exactOptional(MatchEvidenceDtoShape),
  afterwards: v.exactOptional(v.array(v.string())),
  answeredWith: v.exactOptional(v.string()),
});

export const GatewayTransactionShape = v.looseObject({
  payment_gateway_reference: v.string(),
  payment_gateway_reference2: v.string(),
  payment_gateway_tx_type: v.string(),
  payment_gateway_transaction_date: v.string(),
  comment: v.exactOptional(v.string()),
});
