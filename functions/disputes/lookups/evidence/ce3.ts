import { milliseconds } from '#core/kernel/clock.ts';
import { normaliseDescriptor } from '#core/kernel/descriptor.ts';
import { recordNames } from '#core/kernel/record-of.ts';
import { isClean, type Order } from '#payments/orders/order.ts';
import { type Ce3Party, type Element, type Elements, elementsFor, readElements, visaParty } from './ce3-elements.ts';

/**
 * Visa's Compelling Evidence 3.0: whether earlier purchases show that a disputed one was the cardholder's own. Pure and given
 * the time. Each party has its own rules: see ce3-elements.ts and docs/decisions/0211.
 */

/** Why a purchase does not qualify. */
export const ce3Reasons = ['too_few', 'no_device_or_ip', 'one_element', 'credential_unknown'] as const;
export type Ce3Reason = (typeof ce3Reasons)[number];

export type Ce3 =
  | {
      qualified: true;
      matched: readonly Element[];
      /** If the merchant initiated it, with the device of the customer's first purchase; the same goes for the priors. */
      disputed: Order;
      priors: readonly Order[];
    }
  | { qualified: false; reason: Ce3Reason };

/** The networks' categories: a device's identifier and its fingerprint are the same evidence. */
const kindOf: Readonly<Record<Element, 'ip' | 'device' | 'account' | 'address' | 'email'>> = {
  ip: 'ip',
  device_id: 'device',
  device_fingerprint: 'device',
  account_id: 'account',
  shipping_address: 'address',
  email: 'email',
};
const elementNames = recordNames(kindOf);

const fewest = 2;
const most = 5;
const minAge = 120 * milliseconds.day;
const maxAge = 365 * milliseconds.day;
const startLength = 6;

const isSameText = (one: string | null | undefined, other: string | null | undefined): boolean =>
  typeof one === 'string' && one !== '' && one === other;

/** The first and last digits of its number are not enough: thousands of cards share them. */
const hasSameCard = (one: Order, other: Order): boolean =>
  isSameText(one.cardDigest, other.cardDigest) || isSameText(one.content.card_token, other.content.card_token);

const textStart = ({ content }: Order): string | null => {
  const text = normaliseDescriptor(content.descriptor ?? '');
  return text.length < startLength ? null : text.slice(0, startLength);
};

const hasSameShop = (one: Order, other: Order): boolean =>
  one.sid === other.sid || isSameText(textStart(one), textStart(other));

const buyTime = ({ content }: Order): number => Date.parse(content.transaction_date);

/**
 * Old enough that anybody who wanted to dispute it would have, and recent enough to count, both before the disputed purchase: "more than 119 … and
 * fewer than 366 calendar days prior to the disputed transaction", https://support.stripe.com, Compelling Evidence 3.0 (2026-11-28).
 */
const isOfAge = (prior: Order, disputed: Order): boolean => {
  const age = buyTime(disputed) - buyTime(prior);
  return age >= minAge && age <= maxAge;
};

/**
 * A purchase with the elements that are compared. One that the merchant initiated has no device of its own: it borrows that of
 * the customer's first purchase, by which they agreed to it.
 */
const withLentDevice = (order: Order, all: readonly Order[]): Order => {
  const { device, subscription } = order.content;
  const first = all.find(({ orderId }) => orderId === subscription?.first_order_id);
  if (!first || first.orderId === order.orderId || !hasSameCard(first, order)) return order;
  const own = readElements(order.content);
  const lent = first.content.device;
  const lentFields = {
    ...(own.ip === null && { ip: lent?.ip }),
    ...(own.device_id === null && { device_id: lent?.device_id }),
    ...(own.device_fingerprint === null && { device_fingerprint: lent?.device_fingerprint }),
  };
  return { ...order, content: { ...order.content, device: { ...device, ...lentFields } } };
};

const kindSet = (elements: readonly Element[]): Set<string> => new Set(elements.map((element) => kindOf[element]));
const placesBuyer = (elements: readonly Element[]): boolean => {
  const kinds = kindSet(elements);
  return kinds.has('ip') || kinds.has('device');
};
const isEnough = (elements: readonly Element[]): boolean => kindSet(elements).size >= fewest && placesBuyer(elements);

/** Every choice of elements, the largest first. */
const choices: readonly (readonly Element[])[] = Array.from({ length: 2 ** elementNames.length }, (_, bits) =>
  elementNames.filter((_, index) => (bits & (1 << index)) !== 0),
).sort((one, other) => other.length - one.length);

type Prior = { order: Order; equal: ReadonlySet<Element> };

/** Priors that all have these elements in common with the disputed purchase. */
const withAll = (priors: readonly Prior[], elements: readonly Element[]): Prior[] =>
  priors.filter(({ equal }) => elements.every((element) => equal.has(element)));

const bestChoice = (priors: readonly Prior[], isGood: (elements: readonly Element[]) => boolean) =>
  choices.find((elements) => isGood(elements) && withAll(priors, elements).length >= fewest);

/**
 * Checks whether the earlier ones of `all` prove that the disputed purchase was the cardholder's: at least two, of the same card and shop,
 * 120 to 365 days older, undisputed and of use to the party that is asked, which all share the same two elements with it, one of them an
 * address or a device.
 */
export const judgeCe3 = (disputed: Order, all: readonly Order[], party: Ce3Party = visaParty): Ce3 => {
  if (disputed.cardDigest === null && disputed.content.card_token === undefined) {
    return { qualified: false, reason: 'credential_unknown' };
  }
  const compared = withLentDevice(disputed, all);
  const own = elementsFor(compared.content, party);
  const priors = all
    .filter((order) => order.orderId !== disputed.orderId && isClean(order) && party.isUsable(order))
    .filter((order) => hasSameCard(order, disputed) && hasSameShop(order, disputed) && isOfAge(order, disputed))
    .sort((one, other) => buyTime(other) - buyTime(one))
    .map((order) => withLentDevice(order, all))
    .map((order) => ({ order, equal: equalElements(own, elementsFor(order.content, party)) }));
  if (priors.length < fewest) return { qualified: false, reason: 'too_few' };
  const matched = bestChoice(priors, isEnough);
  if (!matched) return { qualified: false, reason: whyShort(priors) };
  const found = withAll(priors, matched).slice(0, most);
  return { qualified: true, matched, disputed: compared, priors: found.map(({ order }) => order) };
};

const equalElements = (one: Elements, other: Elements): ReadonlySet<Element> =>
  new Set(elementNames.filter((element) => isSameText(one[element], other[element])));

/** Returns the first missing element: a device or IP address, or a second element. */
const whyShort = (priors: readonly Prior[]): Ce3Reason =>
  bestChoice(priors, placesBuyer) ? 'one_element' : 'no_device_or_ip';

/** The number of earlier orders that the other network receives to judge by itself. */
const maxHistoric = 10;

export type HistoricOrder = { order: Order; sameCard: boolean; sameIp: boolean; sameDevice: boolean };

/**
 * Returns clean earlier orders of the same card or account within a year, newest first, each with the elements in common: the network
 * decides what that proves. Others with the same ends of a card may belong to another customer.
 */
export const historicOrders = (disputed: Order, all: readonly Order[], now: number): HistoricOrder[] => {
  const own = readElements(withLentDevice(disputed, all).content);
  return all
    .filter((order) => order.orderId !== disputed.orderId && isClean(order) && hasSameShop(order, disputed))
    .filter((order) => buyTime(order) < buyTime(disputed) && now - buyTime(order) <= maxAge)
    .map((order) => ({
      order,
      equal: equalElements(own, readElements(order.content)),
      sameCard: hasSameCard(order, disputed),
    }))
    .filter(({ equal, sameCard }) => sameCard || equal.has('account_id'))
    .sort((one, other) => buyTime(other.order) - buyTime(one.order))
    .slice(0, maxHistoric)
    .map(({ order, equal, sameCard }) => ({
      order,
      sameCard,
      sameIp: equal.has('ip'),
      sameDevice: equal.has('device_id') || equal.has('device_fingerprint'),
    }));
};
