import type { DeclineCode } from './decline-codes.ts';
import type { OperationKind } from './ports/processor.ts';

/** The code for an operation that failed without a better reason from its processor. */
export const codeOfKind: Readonly<Record<OperationKind, DeclineCode>> = {
  pay: 'processor_refused',
  capture: 'capture_failed',
  void: 'void_failed',
  refund: 'refund_failed',
  payout: 'payout_failed',
};
