import * as v from 'valibot';
import { schemes } from '#core/kernel/card/schemes.ts';
import { decisions } from '#payments/fraud/check/decision.ts';
import { txActions, txStatuses } from './transaction.ts';

/** A transaction as people look at it: amounts exactly, its card masked. */
export const shownFields = {
  txid: v.number(),
  parent_txid: v.number(),
  sid: v.number(),
  status: v.picklist(txStatuses),
  tx_action: v.picklist(txActions),
  amount: v.pipe(v.string(), v.description('With all decimals of its currency.')),
  currency: v.string(),
  tid: v.string(),
  reference: v.string(),
  card: v.pipe(v.nullable(v.string()), v.description('Masked.')),
  card_type: v.nullable(v.picklist(schemes)),
  error_code: v.nullable(v.string()),
  error_msg: v.nullable(v.string()),
  fraud: v.nullable(v.object({ fraud_id: v.number(), score: v.number(), decision: v.picklist(decisions) })),
  arn: v.nullable(v.string()),
  auth_code: v.nullable(v.string()),
  created_at: v.string(),
} as const;
