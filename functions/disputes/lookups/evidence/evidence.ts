import type { Order, OrderAddress, OrderContent } from '#payments/orders/order.ts';
import { sayItems } from '../lookup/provider-b-answer.ts';
import { type Ce3Reason, judgeCe3 } from './ce3.ts';
import { chargeOfPurchase, type Element, elementsFor, stripeParty } from './ce3-elements.ts';

/** Evidence for a representment: in our own form, and as Stripe's `evidence.enhanced_evidence.visa_compelling_evidence_3` takes it. */

/** Stripe takes exactly two earlier purchases. */
const stripePriors = 2;

const toAddress = (address: OrderAddress | undefined) =>
  address
    ? {
        line1: address.address ?? null,
        line2: null,
        city: address.suburb_city ?? null,
        state: address.state ?? null,
        postal_code: address.postcode ?? null,
        country: address.country ?? null,
      }
    : null;

/** Only what counts: Stripe refuses shorter identifiers, and an address that is not complete. */
const comparable = (content: OrderContent) => {
  const { device, customer, shipping } = content;
  const counted = elementsFor(content, stripeParty);
  const ifCounted = <T>(element: Element, value: T | undefined): T | null =>
    counted[element] === null ? null : (value ?? null);
  return {
    customer_account_id: ifCounted('account_id', customer?.account_id),
    customer_device_fingerprint: ifCounted('device_fingerprint', device?.device_fingerprint),
    customer_device_id: ifCounted('device_id', device?.device_id),
    customer_email_address: ifCounted('email', customer?.email),
    customer_purchase_ip: ifCounted('ip', device?.ip),
    product_description: sayItems(content),
    shipping_address: ifCounted('shipping_address', toAddress(shipping) ?? undefined),
  };
};

/** Returns the kind of the goods, in Stripe's terms: merchandise or services. */
const goodsKind = ({ items }: OrderContent): 'merchandise' | 'services' =>
  items.some(({ type }) => type === 'physical' || type === undefined) ? 'merchandise' : 'services';

export type Ce3Evidence = {
  qualified: boolean;
  reason: Ce3Reason | null;
  matched: string[];
  prior_order_ids: number[];
  stripe: ReturnType<typeof stripeEvidence> | null;
};

const stripeEvidence = (disputed: Order, priors: readonly Order[]) => ({
  disputed_transaction: { ...comparable(disputed.content), merchandise_or_services: goodsKind(disputed.content) },
  prior_undisputed_transactions: priors.slice(0, stripePriors).map((prior) => ({
    charge: chargeOfPurchase(prior),
    ...comparable(prior.content),
  })),
});

/** The evidence from an order's earlier orders, or why there is none; and by Stripe's own rules, for a dispute there. */
export const toCe3 = (disputed: Order, all: readonly Order[]): Ce3Evidence => {
  const [visa, atStripe] = [judgeCe3(disputed, all), judgeCe3(disputed, all, stripeParty)];
  const stripe = atStripe.qualified ? stripeEvidence(atStripe.disputed, atStripe.priors) : null;
  if (!visa.qualified) return { qualified: false, reason: visa.reason, matched: [], prior_order_ids: [], stripe };
  const ids = visa.priors.map(({ orderId }) => orderId);
  return { qualified: true, reason: null, matched: [...visa.matched], prior_order_ids: ids, stripe };
};
