import * as v from 'valibot';
import { count, describeField, nullableText, text } from '#core/kernel/schema/field-words.ts';
import { Id } from '#core/kernel/schema/schema.ts';
import { txActions, txStatuses } from './transaction/transaction.ts';

export const OwnReferenceReply = text('A reference of your own, returned as it is.');
export const TxActionReply = describeField(
  v.picklist(txActions),
  'What is done: PAYMENT, PREAUTH, CAPTURE, REFUND, VOID or PAYOUT.',
);
export const IdField = describeField(Id, 'The site or the transaction that the path names.');
export const RefundedAlertIdReply = count('The alert that it is refunded for.');
export const StatusReply = describeField(
  v.picklist(txStatuses),
  'OK done, EXC refused, PEND not known yet or waiting for the payer.',
);
export const TidReply = text(
  'Your own reference of the order. The same one with the same body is answered as the first and charges nothing.',
);
export const ParentTxidReply = count('The payment that all its captures, refunds and voids belong to.');

/** The result of 3-D Secure, as replies about transactions show it. */
export const threeDsReplyFields = {
  source: describeField(
    v.picklist(['verified', 'merchant']),
    'Who says so: looked up here (verified), or the merchant.',
  ),
  transStatus: nullableText(
    'The result of 3-D Secure: Y authenticated, A attempted, N not, U not possible, R rejected, C a challenge, I informational.',
  ),
  eci: nullableText('The electronic commerce indicator.'),
} as const;
