import * as v from 'valibot';
import { schemes } from '#core/kernel/card/schemes.ts';
import {
  ArnReply,
  CreatedAtReply,
  CurrencyReply,
  ErrorCodeReply,
  ErrorMsgReply,
  FraudCheckIdReply,
  ScoreReply,
  SiteIdReply,
  TransactionIdReply,
} from '#core/kernel/schema/field-schemas.ts';
import { describeField, nullableText, text } from '#core/kernel/schema/field-words.ts';
import { decisions } from '#payments/fraud/check/fraud-decision.ts';
import { ParentTxidReply, StatusReply, TidReply, TxActionReply } from '../field-schemas.ts';

/** A transaction as people look at it: amounts exactly, its card masked. */
export const shownFields = {
  txid: TransactionIdReply,
  parent_txid: ParentTxidReply,
  sid: SiteIdReply,
  status: StatusReply,
  tx_action: TxActionReply,
  amount: text('With all decimals of its currency.'),
  currency: CurrencyReply,
  tid: TidReply,
  reference: text('Your own reference, returned as it is.'),
  card: nullableText('Masked.'),
  card_type: describeField(
    v.nullable(v.picklist(schemes)),
    'How it is paid: a `paymethod` of the payment options, such as VISA.',
  ),
  error_code: v.nullable(ErrorCodeReply),
  error_msg: v.nullable(ErrorMsgReply),
  fraud: describeField(
    v.nullable(
      v.object({
        fraud_id: FraudCheckIdReply,
        score: ScoreReply,
        decision: describeField(v.picklist(decisions), 'ACCEPT, REVIEW, REJECT or 3DS.'),
      }),
    ),
    'The result of the payment’s fraud check.',
  ),
  arn: v.nullable(ArnReply),
  auth_code: nullableText('The authorisation code of the transaction.'),
  created_at: CreatedAtReply,
} as const;
