import type { Order } from '#payments/orders/order.ts';
import { readElements } from './ce3-elements.ts';

/** Finds what an order lacks for each program, so that merchants learn of a gap while they can still close it. */

const programs = ['provider_a', 'provider_b', 'ce3'] as const;
type Program = (typeof programs)[number];
export type Readiness = Readonly<Record<Program, string[]>>;

type Check = { field: string; program: Program; isThere: (order: Order) => boolean };

const hasContact = ({ content, profile }: Order): boolean =>
  [profile.support_email, profile.support_phone, profile.support_url, content.links?.contact].some(
    (one) => one !== undefined,
  );
const needsDelivery = ({ content }: Order): boolean =>
  content.items.some(({ type }) => type === 'physical' || type === 'digital');
const hasDelivery = (order: Order): boolean => !needsDelivery(order) || (order.content.deliveries ?? []).length > 0;
const isNamed = ({ content }: Order): boolean =>
  content.arn !== undefined || content.auth_code !== undefined || content.network_transaction_id !== undefined;
const elementsIn = ({ content }: Order) => readElements(content);

/** Fields as merchants send them. For both providers, those that their guides call required or recommended. */
const checks: readonly Check[] = [
  {
    program: 'provider_a',
    field: 'receipt_url',
    isThere: ({ content }) => content.links?.receipt !== undefined || content.links?.order !== undefined,
  },
  { program: 'provider_a', field: 'arn', isThere: isNamed },
  { program: 'provider_a', field: 'display_name', isThere: ({ profile }) => profile.display_name !== undefined },
  { program: 'provider_a', field: 'logo_url', isThere: ({ profile }) => profile.logo_url !== undefined },
  { program: 'provider_a', field: 'support_contact', isThere: hasContact },
  {
    program: 'provider_a',
    field: 'refund_policy_url',
    isThere: ({ content, profile }) =>
      content.links?.refund_policy !== undefined || profile.refund_policy_url !== undefined,
  },
  { program: 'provider_a', field: 'deliveries', isThere: hasDelivery },
  { program: 'provider_b', field: 'arn', isThere: isNamed },
  { program: 'provider_b', field: 'descriptor', isThere: ({ content }) => content.descriptor !== undefined },
  { program: 'provider_b', field: 'display_name', isThere: ({ profile }) => profile.display_name !== undefined },
  { program: 'provider_b', field: 'support_contact', isThere: hasContact },
  { program: 'provider_b', field: 'deliveries', isThere: hasDelivery },
  {
    program: 'ce3',
    field: 'card_token',
    isThere: ({ cardDigest, content }) => cardDigest !== null || content.card_token !== undefined,
  },
  { program: 'ce3', field: 'ip', isThere: (order) => elementsIn(order).ip !== null },
  {
    program: 'ce3',
    field: 'device_id',
    isThere: (order) => elementsIn(order).device_id !== null || elementsIn(order).device_fingerprint !== null,
  },
  { program: 'ce3', field: 'account_id', isThere: (order) => elementsIn(order).account_id !== null },
  {
    program: 'ce3',
    field: 'shipping',
    isThere: (order) =>
      elementsIn(order).shipping_address !== null || !order.content.items.some(({ type }) => type === 'physical'),
  },
];

/** The fields that are missing, by program. */
export const judgeReady = (order: Order): Readiness => ({
  provider_a: missing(order, 'provider_a'),
  provider_b: missing(order, 'provider_b'),
  ce3: missing(order, 'ce3'),
});

const missing = (order: Order, program: Program): string[] =>
  checks.filter((check) => check.program === program && !check.isThere(order)).map(({ field }) => field);
