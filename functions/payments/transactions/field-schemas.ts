import * as v from 'valibot';
import { Id } from '#core/kernel/schema/schema.ts';
import { txActions, txStatuses } from './transaction/transaction.ts';

export const OwnReferenceReply = v.pipe(v.string(), v.description('A reference of your own, returned as it is.'));
export const TxActionReply = v.pipe(
  v.picklist(txActions),
  v.description('What is done: PAYMENT, PREAUTH, CAPTURE, REFUND, VOID or PAYOUT.'),
);
export const IdField = v.pipe(Id, v.description('The site or the transaction that the path names.'));
export const RefundedAlertIdReply = v.pipe(v.number(), v.description('The alert that it is refunded for.'));
export const StatusReply = v.pipe(
  v.picklist(txStatuses),
  v.description('OK done, EXC refused, PEND not known yet or waiting for the payer.'),
);
export const TidReply = v.pipe(
  v.string(),
  v.description(
    'Your own reference of the order. The same one with the same body is answered as the first and charges nothing.',
  ),
);
export const ParentTxidReply = v.pipe(
  v.number(),
  v.description('The payment that all its captures, refunds and voids belong to.'),
);

/** The result of 3-D Secure, as replies about transactions show it. */
export const threeDsReplyFields = {
  source: v.pipe(
    v.picklist(['verified', 'merchant']),
    v.description('Who says so: looked up here (verified), or the merchant.'),
  ),
  transStatus: v.pipe(
    v.nullable(v.string()),
    v.description(
      'The result of 3-D Secure: Y authenticated, A attempted, N not, U not possible, R rejected, C a challenge, I informational.',
    ),
  ),
  eci: v.pipe(v.nullable(v.string()), v.description('The electronic commerce indicator.')),
} as const;
