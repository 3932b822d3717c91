import type { AddressOfEvidence, DisputeEvidence, PurchaseOfEvidence } from '../ports/dispute.ts';
import type { EvidenceKind } from '../ports/evidence-kinds.ts';

/** Evidence as Stripe takes it. https://docs.stripe.com/api/disputes/update#update_dispute-evidence */

/** The most characters of one field, and of all together; longer ones are cut, so that Stripe does not refuse everything. */
const maxOfField = 20_000;
const maxOfStatement = 15_000;

const present = <T extends object>(fields: T): { [K in keyof T]?: NonNullable<T[K]> } =>
  Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== null && value !== undefined && value !== ''),
  ) as { [K in keyof T]?: NonNullable<T[K]> };

const toPurchase = ({ address, ...purchase }: PurchaseOfEvidence) => ({
  ...present({
    customer_account_id: purchase.accountId,
    customer_device_fingerprint: purchase.deviceFingerprint,
    customer_device_id: purchase.deviceId,
    customer_email_address: purchase.email,
    customer_purchase_ip: purchase.ip,
    product_description: purchase.description,
  }),
  ...(address && { shipping_address: toAddress(address) }),
});

const toAddress = ({ line1, line2, city, state, postalCode, country }: AddressOfEvidence) =>
  present({ line1, line2, city, state, postal_code: postalCode, country });

/** Visa's Compelling Evidence 3.0; undefined unless Stripe knows two earlier purchases as charges of its own. */
const compellingEvidence = ({ compelling }: DisputeEvidence) => {
  const priors = (compelling?.priors ?? [])
    .flatMap(({ charge, ...purchase }) =>
      charge !== null && /^(?:ch|py)_/.test(charge) ? [{ charge, ...toPurchase(purchase) }] : [],
    )
    .slice(0, 2);
  if (!compelling || priors.length !== 2) return undefined;
  const { kind, ...disputed } = compelling.disputed;
  return {
    visa_compelling_evidence_3: {
      disputed_transaction: { ...toPurchase(disputed), merchandise_or_services: kind },
      prior_undisputed_transactions: priors,
    },
  };
};

/** The field that takes a file of each kind. */
const fieldOfKind: Readonly<Record<EvidenceKind, string>> = {
  receipt: 'receipt',
  customer_communication: 'customer_communication',
  shipping: 'shipping_documentation',
  service: 'service_documentation',
  refund_policy: 'refund_policy',
  cancellation_policy: 'cancellation_policy',
  signature: 'customer_signature',
  duplicate: 'duplicate_charge_documentation',
  other: 'uncategorized_file',
};

/** A file that Stripe has, by the id it has there. */
export type StripeFile = { kind: EvidenceKind; id: string };

export const stripeEvidence = (evidence: DisputeEvidence, files: readonly StripeFile[] = []) => {
  const { customer, shipping, statement } = evidence;
  const enhanced = compellingEvidence(evidence);
  const texts = present({
    customer_name: customer.name,
    customer_email_address: customer.email,
    customer_purchase_ip: customer.ip,
    billing_address: evidence.billingAddress,
    product_description: evidence.productDescription,
    service_date: evidence.serviceDate,
    access_activity_log: evidence.accessLog,
    shipping_address: shipping.address,
    shipping_carrier: shipping.carrier,
    shipping_date: shipping.date,
    shipping_tracking_number: shipping.trackingNumber,
    uncategorized_text: statement.slice(0, maxOfStatement),
  });
  const cut = Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, text.slice(0, maxOfField)]));
  const attached = Object.fromEntries(files.map(({ kind, id }) => [fieldOfKind[kind], id]));
  return { ...cut, ...attached, ...(enhanced && { enhanced_evidence: enhanced }) };
};
