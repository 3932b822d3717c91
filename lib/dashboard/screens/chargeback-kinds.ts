import type { listChargebacksOperation as ListOperation } from '#disputes/chargebacks/api/list-chargebacks/operation.ts';
import type { evidenceKindNames as EvidenceKindNames } from '#payments/processors/ports/evidence-kinds.ts';
import type { RowOf } from '../app/client.ts';

export type ChargebackRow = RowOf<typeof ListOperation>;

/** Checks whether it can still be contested, and so be accepted. */
export const isContestable = ({ status }: Pick<ChargebackRow, 'status'>): boolean =>
  status === 'open' || status === 'under_review';

/** The names of the kinds of proof: by their type, the same as in the letter to the issuer. */
export const kindWords: typeof EvidenceKindNames = {
  receipt: 'Receipt',
  customer_communication: 'Communication with the customer',
  shipping: 'Proof of shipping',
  service: 'Proof of the service',
  refund_policy: 'Refund policy',
  cancellation_policy: 'Cancellation policy',
  signature: 'Signature of the customer',
  duplicate: 'Proof of two separate charges',
  other: 'Further evidence',
};
export type FileKind = keyof typeof kindWords;
