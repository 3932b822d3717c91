import * as v from 'valibot';
import { Id } from '../core/schema.ts';
import { AmountText, CurrencyCode, Maybe, referenceFields } from './request-schemas.ts';
import { txActions, txStatuses } from './transaction.ts';

export const ParentPath = v.object({ parentxid: Id });

export const RefundBody = v.object({
  amount: AmountText,
  currency: CurrencyCode,
  alert_id: Maybe(Id),
  tid: referenceFields.tid,
});

export const RefundResult = v.object({
  sid: v.number(),
  status: v.picklist(txStatuses),
  parent_txid: v.number(),
  txid: v.number(),
  tx_action: v.picklist(txActions),
  amount: v.number(),
  currency: v.string(),
  tid: v.string(),
  ref1: v.string(),
  ref2: v.string(),
  ref3: v.string(),
  ref4: v.string(),
  comment: v.string(),
  descriptor: v.string(),
  pay_method: v.string(),
  error_code: v.optional(v.string()),
  error_msg: v.optional(v.string()),
});
