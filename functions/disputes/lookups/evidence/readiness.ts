import type { Order } from '#payments/orders/order.ts';
import { readElements } from './ce3-elements.ts';
import { type Program, type ReadyField, readyFields } from './ready-fields.ts';

/** Finds what an order lacks for each program, so that merchants learn of a gap while they can still close it. */

export type Readiness = Readonly<Record<Program, string[]>>;

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

/** Checks for each fact that programs ask for, in the fields that merchants send. */
const checks: Readonly<Record<ReadyField, (order: Order) => boolean>> = {
  receipt_url: ({ content }) => content.links?.receipt !== undefined || content.links?.order !== undefined,
  arn: isNamed,
  display_name: ({ profile }) => profile.display_name !== undefined,
  logo_url: ({ profile }) => profile.logo_url !== undefined,
  support_contact: hasContact,
  refund_policy_url: ({ content, profile }) =>
    content.links?.refund_policy !== undefined || profile.refund_policy_url !== undefined,
  deliveries: hasDelivery,
  descriptor: ({ content }) => content.descriptor !== undefined,
  card_token: ({ cardDigest, content }) => cardDigest !== null || content.card_token !== undefined,
  ip: (order) => elementsIn(order).ip !== null,
  device_id: (order) => elementsIn(order).device_id !== null || elementsIn(order).device_fingerprint !== null,
  account_id: (order) => elementsIn(order).account_id !== null,
  shipping: (order) =>
    elementsIn(order).shipping_address !== null || !order.content.items.some(({ type }) => type === 'physical'),
};

/** The fields that are missing, by program. */
export const judgeReady = (order: Order): Readiness => ({
  provider_a: missing(order, 'provider_a'),
  provider_b: missing(order, 'provider_b'),
  ce3: missing(order, 'ce3'),
});

const missing = (order: Order, program: Program): string[] =>
  readyFields[program].filter((field) => !checks[field](order));
