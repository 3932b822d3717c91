import type { listChargebacksOperation as ListOperation } from '#disputes/chargebacks/api/list-chargebacks/operation.ts';
import type { evidenceKindNames as EvidenceKindNames } from '#payments/processors/ports/evidence-kinds.ts';
import type { RowOf } from '../app/client.ts';
import { translate, translateCount } from '../language/translate.ts';
import { sumsText } from '../parts/money.ts';

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

export const weekMilliseconds = 7 * 86_400_000;

/** The open chargebacks in a sentence: what is due. Undefined where that is not known. */
export const sayDue = (
  list: readonly Pick<ChargebackRow, 'due_by' | 'amount' | 'currency'>[],
  now: number,
): string | undefined => {
  const due = list.filter(({ due_by: by }) => by !== null && Date.parse(by) > now);
  const soon = due.filter(({ due_by: by }) => Date.parse(by ?? '') <= now + weekMilliseconds);
  if (soon.length > 0)
    return translateCount(
      soon.length,
      '{count} answer is due this week, {amount} at stake',
      '{count} answers are due this week, {amount} at stake',
      { amount: sumsText(soon) },
    );
  // A chargeback with an unknown deadline may be due at any time.
  if (list.some(({ due_by: by }) => by === null)) return undefined;
  return due.length === 0
    ? translate('No chargeback awaits an answer')
    : translateCount(
        due.length,
        '{count} chargeback to answer, {amount} at stake, none due this week',
        '{count} chargebacks to answer, {amount} at stake, none due this week',
        { amount: sumsText(due) },
      );
};
