import { isFactDecisive, type ProofName } from '#core/kernel/card/dispute-proofs.ts';
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
type Rule = Pick<Proof, 'name' | 'kind'> & {
  /** Returns the facts; undefined if they do not prove it. */
  fact?: (given: Given) => string | undefined;
  missing: string;
  /** The proof whose facts may only support; undefined: its facts decide as a file does. */
  proof?: ProofName;
};

const day = (at: string): string => at.slice(0, 10);
const deliveriesOf = ({ order_evidence: evidence }: Given) => evidence?.order.deliveries ?? [];

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
  kind: 'shipping',
  fact: (given) => {
    const found = deliveriesOf(given).find(({ delivered_at: at }) => at);
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
  kind: 'service',
  fact: (given) => {
    const downloaded = deliveriesOf(given).find(({ downloaded_at: at }) => at)?.downloaded_at;
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
  proof: 'goods',
  name: translate('What was sold'),
  kind: 'service',
  fact: ({ order_evidence: evidence }) => evidence?.order.items.map(({ name }) => name).join(', ') || undefined,
  missing: translate('The order is unknown. Upload the description that the customer saw.'),
};
const refunded: Rule = {
  proof: 'refunded',
  name: translate('The refund was made'),
  kind: 'other',
  fact: ({ payment }) =>
    payment && Number(payment.refunded) > 0
      ? translate('{amount} {currency} were refunded', { amount: payment.refunded, currency: payment.currency })
      : undefined,
  missing: translate('No refund is recorded here. Upload the confirmation if it was made elsewhere.'),
};
const file = (kind: FileKind, name: string, missing: string): Rule => ({ kind, name, missing });
const receipt = file(
  'receipt',
  translate('Receipt or confirmation'),
  translate('Upload what was sent to the customer.'),
);
const conversation = file(
  'customer_communication',
  translate('Conversation with the customer'),
  translate('Upload e-mails or chats in which the customer confirms the purchase or its use.'),
);
const signature = file('signature', translate('Signature'), translate('Upload the signed contract or delivery note.'));
const refundPolicy: Rule = {
  proof: 'refund_policy',
  name: translate('Refund policy'),
  kind: 'refund_policy',
  fact: ({ order_evidence: evidence }) => evidence?.order.links?.refund_policy,
  missing: translate('Upload the policy as the customer saw it.'),
};
const cancellationPolicy = file(
  'cancellation_policy',
  translate('Cancellation policy'),
  translate('Upload it as the customer saw it.'),
);
const separateCharges = file(
  'duplicate',
  translate('Two separate purchases'),
  translate('Upload documents of both purchases that show the difference.'),
);

type Plan = { wins: string; decides: readonly Rule[]; supports: readonly Rule[] };

const plans: Readonly<Record<Claim, Plan>> = {
  fraud: {
    wins: translate(
      'Prove that the cardholder took part: 3-D Secure, earlier purchases from the same device, or use of what was bought.',
    ),
    decides: [authenticated, earlierPurchases],
    supports: [identity, delivered, used, receipt, conversation],
  },
  not_received: {
    wins: translate('Prove that it arrived: the carrier’s confirmation with date and address, or a log of use.'),
    decides: [delivered],
    supports: [signature, used, receipt, conversation],
  },
  not_as_described: {
    wins: translate('Show what was promised, that it was delivered as promised, and what the customer wrote about it.'),
    decides: [goods, conversation],
    supports: [delivered, refundPolicy, receipt],
  },
  cancelled: {
    wins: translate(
      'Show the terms that the customer accepted, and that the service was used or not cancelled in time.',
    ),
    decides: [cancellationPolicy],
    supports: [used, conversation, receipt],
  },
  no_credit: {
    wins: translate('Prove the refund, or show the policy that excludes it.'),
    decides: [refunded, refundPolicy],
    supports: [conversation, receipt],
  },
  twice: {
    wins: translate('Show that there were two purchases: two orders, two receipts, two deliveries.'),
    decides: [separateCharges],
    supports: [receipt, delivered, conversation],
  },
  other: {
    wins: translate('Show what was bought, that it was delivered, and what the customer wrote about it.'),
    decides: [delivered],
    supports: [goods, receipt, conversation, refundPolicy],
  },
};

const planOf = (reasonCode: string): Plan => plans[claimOfCode(reasonCode) ?? 'other'];

/** Returns what wins disputes of a reason, in a sentence. */
export const whatWins = (reasonCode: string): string => planOf(reasonCode).wins;

const proofOf = ({ fact, missing, proof, ...rule }: Rule, given: Given, decides: boolean): Proof => {
  const uploaded = rule.kind && given.files.find(({ kind }) => kind === rule.kind);
  const said = fact?.(given);
  const detail = [said, uploaded?.name].filter(Boolean).join('; ');
  const isEnough =
    uploaded !== undefined ||
    (said !== undefined && (!proof || isFactDecisive(proof, given.chargeback, given.payment)));
  return { ...rule, decides, isThere: detail !== '', isDecisive: decides && isEnough, detail: detail || missing };
};

/** The proof that counts for a reason, what decides first. */
export const checklistOf = (reasonCode: string, given: Given): Proof[] => {
  const { decides, supports } = planOf(reasonCode);
  return [...decides.map((rule) => proofOf(rule, given, true)), ...supports.map((rule) => proofOf(rule, given, false))];
};
