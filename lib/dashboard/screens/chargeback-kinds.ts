import type { listChargebacksOperation as ListOperation } from '#disputes/chargebacks/api/list-chargebacks/operation.ts';
import type { evidenceKindNames as EvidenceKindNames } from '#payments/processors/ports/evidence-kinds.ts';
import type { RowOf } from '../app/client.ts';
import { translate } from '../language/translate.ts';

export type ChargebackRow = RowOf<typeof ListOperation>;

/** Checks whether it can still be contested, and so be accepted. */
export const isContestable = ({ status }: Pick<ChargebackRow, 'status'>): boolean =>
  status === 'open' || status === 'under_review';

/** The names of the kinds of proof. */
export const kindWords: Readonly<Record<keyof typeof EvidenceKindNames, string>> = {
  receipt: translate('Receipt'),
  customer_communication: translate('Communication with the customer'),
  shipping: translate('Proof of shipping'),
  service: translate('Proof of the service'),
  refund_policy: translate('Refund policy'),
  cancellation_policy: translate('Cancellation policy'),
  signature: translate('Signature of the customer'),
  duplicate: translate('Proof of two separate charges'),
  other: translate('Further evidence'),
};
export type FileKind = keyof typeof kindWords;

/** Processors to which evidence is submitted from here; others accept it only in their portals. */
export const evidenceProcessors: readonly string[] = [
  'stripe',
  'adyen',
  'braintree',
  'paypal',
  'shopify',
  'checkout_com',
];
