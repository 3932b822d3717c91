import type { DeclineCode } from './decline-codes.ts';
import type { OperationKind } from './processor.ts';

/** What an operation is said to have come to where its processor gives no better reason. */
export const codeOfKind: Readonly<Record<OperationKind, DeclineCode>> = {
  pay: 'processor_refused',
  capture: 'capture_failed',
  void: 'void_failed',
  refund: 'refund_failed',
  payout: 'payout_failed',
};
