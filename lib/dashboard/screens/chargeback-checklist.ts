import { fileKindOfProof, isFactDecisive, type ProofName, proofsOfClaim } from '#core/kernel/card/dispute-proofs.ts';
import { type Claim, claimOfCode } from '#core/kernel/card/scheme-reasons.ts';
import { listText, translate } from '../language/translate.ts';
import type { FileKind } from './chargeback-kinds.ts';
import type { Evidence } from './chargeback-operations.ts';

/** The proofs that win a dispute by its reason, and which of them exist. Pure. */

export type Proof = {
  name: string;
  /** The content of the proof, or what is missing. */
  detail: string;
  isThere: boolean;
  /** Proof that decides most disputes of this reason; other proof supports it. */
  decides: boolean;
  /** It would decide, and what exists of it is enough for that. */
  isDecisive: boolean;
  /** The kind of file that would prove it; undefined if only the facts can. */
  kind?: FileKind;
};

type Given = Pick<Evidence, 'payment' | 'order_evidence' | 'files'> & {
  chargeback: Pick<Evidence['chargeback'], 'amount' | 'currency'>;
};
type Rule = Pick<Proof, 'name'> & {
  /** Returns the facts; undefined if they do not prove it. */
  fact?: (given: Given) => string | undefined;
  missing: string;
};

const day = (at: string): string => at.slice(0, 10);
const listSent = ({ order_evidence: evidence }: Given) => evidence?.order.deliveries ?? [];

const matchedWords: Readonly<Record<string, string>> = {
  customer_account_id: translate('customer account'),
  customer_device_id: translate('customer device'),
  customer_device_fingerprint: translate('customer device fingerprint'),
  customer_email_address: translate('customer email address'),
  product_description: translate('product description'),
  customer_purchase_ip: translate('customer purchase ip'),
  shipping_address: translate('shipping address'),
};

const delivered: Rule = {
  name: translate('Delivered to the customer'),
  fact: (given) => {
    const found = listSent(given).find(({ delivered_at: at }) => at);
    if (!found?.delivered_at) return undefined;
    return [
      translate('Delivered {day}', { day: day(found.delivered_at) }),
      found.signed_by && translate('signed for by {name}', { name: found.signed_by }),
    ]
      .filter(Boolean)
      .join(', ');
  },
  missing: translate('No delivery is recorded. Upload the carrier’s proof of delivery.'),
};
const used: Rule = {
  name: translate('Used by the customer'),
  fact: (given) => {
    const downloaded = listSent(given).find(({ downloaded_at: at }) => at)?.downloaded_at;
    const login = given.order_evidence?.order.customer?.last_login_at;
    if (downloaded) return translate('Downloaded {day}', { day: day(downloaded) });
    return login ? translate('Signed in {day}', { day: day(login) }) : undefined;
  },
  missing: translate('Upload a log of use, or a scan at the door.'),
};
const authenticated: Rule = {
  name: translate('3-D Secure'),
  fact: ({ payment }) =>
    payment?.three_ds?.['liability_shift'] === true
      ? translate('The issuer authenticated the payer and is liable for fraud')
      : undefined,
  missing: translate('Liability did not shift to the issuer.'),
};
const earlierPurchases: Rule = {
  name: translate('Earlier purchases, never disputed'),
  fact: ({ order_evidence: evidence }) =>
    evidence?.ce3.qualified
      ? translate('Share {matched} with this one (Compelling Evidence 3.0)', {
          matched: listText(evidence.ce3.matched.map((name) => matchedWords[name] ?? name.replaceAll('_', ' '))),
        })
      : undefined,
  missing: translate(
    'Compelling Evidence 3.0 needs two earlier orders that share the device or IP address and one more detail.',
  ),
};
const identity: Rule = {
  name: translate('Who bought, and from where'),
  fact: ({ order_evidence: evidence, payment }) => {
    const ip = evidence?.order.device?.ip;
    const email = evidence?.order.customer?.email ?? payment?.email;
    return [email, ip && translate('IP address {ip}', { ip })].filter(Boolean).join(', ') || undefined;
  },
  missing: translate('Neither e-mail nor IP address is known. Send orders with the customer’s details.'),
};
const goods: Rule = {
  name: translate('What was sold'),
  fact: ({ order_evidence: evidence }) => evidence?.order.items.map(({ name }) => name).join(', ') || undefined,
  missing: translate('The order is unknown. Upload the description that the customer saw.'),
};
const refunded: Rule = {
  name: translate('The refund was made'),
  fact: ({ payment }) =>
    payment && Number(payment.refunded) > 0
      ? translate('{amount} {currency} were refunded', { amount: payment.refunded, currency: payment.currency })
      : undefined,
  missing: translate('No refund is recorded here. Upload the confirmation if it was made elsewhere.'),
};
const file = (name: string, missing: string): Rule => ({ name, missing });
const receipt = file(translate('Receipt or confirmation'), translate('Upload what was sent to the customer.'));
const conversation = file(
  translate('Conversation with the customer'),
  translate('Upload e-mails or chats in which the customer confirms the purchase or its use.'),
);
const signature = file(translate('Signature'), translate('Upload the signed contract or delivery note.'));
const refundPolicy: Rule = {
  name: translate('Refund policy'),
  fact: ({ order_evidence: evidence }) => evidence?.order.links?.refund_policy,
  missing: translate('Upload the policy as the customer saw it.'),
};
const cancellationPolicy = file(translate('Cancellation policy'), translate('Upload it as the customer saw it.'));
const separateCharges = file(
  translate('Two separate purchases'),
  translate('Upload documents of both purchases that show the difference.'),
);

const rules: Readonly<Record<ProofName, Rule>> = {
  authenticated,
  earlier_purchases: earlierPurchases,
  identity,
  delivered,
  used,
  goods,
  refunded,
  receipt,
  conversation,
  signature,
  refund_policy: refundPolicy,
  cancellation_policy: cancellationPolicy,
  separate_charges: separateCharges,
};

const winsBy: Readonly<Record<Claim, string>> = {
  fraud: translate(
    'Prove that the cardholder took part: 3-D Secure, earlier purchases from the same device, or use of what was bought.',
  ),
  not_received: translate('Prove that it arrived: the carrier’s confirmation with date and address, or a log of use.'),
  not_as_described: translate(
    'Show what was promised, that it was delivered as promised, and what the customer wrote about it.',
  ),
  cancelled: translate(
    'Show the terms that the customer accepted, and that the service was used or not cancelled in time.',
  ),
  no_credit: translate('Prove the refund, or show the policy that excludes it.'),
  twice: translate('Show that there were two purchases: two orders, two receipts, two deliveries.'),
  other: translate('Show what was bought, that it was delivered, and what the customer wrote about it.'),
};

const claimOr = (reasonCode: string): Claim => claimOfCode(reasonCode) ?? 'other';

/** Returns what wins disputes of a reason, in a sentence. */
export const whatWins = (reasonCode: string): string => winsBy[claimOr(reasonCode)];

const fileKinds: Readonly<Partial<Record<ProofName, FileKind>>> = fileKindOfProof;

const toProof = (proof: ProofName, given: Given, decides: boolean): Proof => {
  const { name, fact, missing } = rules[proof];
  const kind = fileKinds[proof];
  const uploaded = given.files.find((one) => one.kind === kind);
  const said = fact?.(given);
  const detail = [said, uploaded?.name].filter(Boolean).join('; ');
  const isEnough =
    uploaded !== undefined || (said !== undefined && isFactDecisive(proof, given.chargeback, given.payment));
  const isDecisive = decides && isEnough;
  return { name, ...(kind && { kind }), decides, isThere: detail !== '', isDecisive, detail: detail || missing };
};

/** The proof that counts for a reason, what decides first. */
export const listProofs = (reasonCode: string, given: Given): Proof[] => {
  const { decides, supports } = proofsOfClaim[claimOr(reasonCode)];
  return [
    ...decides.map((proof) => toProof(proof, given, true)),
    ...supports.map((proof) => toProof(proof, given, false)),
  ];
};
