import * as v from 'valibot';
import { Id, Text } from '../core/schema.ts';
import {
  AmountText,
  CardFree,
  CurrencyCode,
  Hash,
  Maybe,
  RcodeField,
  referenceFields,
} from '../payments/request-schemas.ts';
import { conversionFields } from './schemas.ts';
import { txActions, txStatuses } from './transaction.ts';

export const ParentPath = v.object({ parentxid: Id });

export const RefundBody = v.object({
  amount: AmountText,
  currency: CurrencyCode,
  alert_id: Maybe(Id),
  tid: referenceFields.tid,
});

export const CaptureBody = v.object({ parent_txid: Id, amount: AmountText, hash: Hash });

export const AuthBody = v.object({
  authtype: Text(40),
  authvalue: v.pipe(
    Text(8000),
    v.description('The code or password that the payer got, or what their issuer sent back; a secret, kept nowhere.'),
  ),
  miscdata: Maybe(Text(2048)),
  hash: Hash,
});

const PostbackUrl = Maybe(
  v.pipe(v.string('must be text'), v.trim(), v.maxLength(2048, 'must have at most 2048 characters'), CardFree),
);

/** Every input may stand in the query or in the body; the query wins. */
export const RequeryQuery = v.object({
  id: Id,
  sid: Maybe(Id),
  rcode: Maybe(RcodeField),
  reference: referenceFields.reference,
  postback_url: PostbackUrl,
});
export const RequeryBody = v.object({
  sid: Maybe(Id),
  rcode: Maybe(RcodeField),
  reference: referenceFields.reference,
  postback_url: PostbackUrl,
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
  ...conversionFields,
  comment: v.string(),
  descriptor: v.string(),
  pay_method: v.string(),
  error_code: v.optional(v.string()),
  error_msg: v.optional(v.string()),
});
