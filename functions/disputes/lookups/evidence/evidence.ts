import type { Order, OrderAddress, OrderContent } from '#payments/orders/order.ts';
import { descriptionOf } from '../lookup/provider-b-answer.ts';
import type { Ce3, Ce3Reason } from './ce3.ts';

/** Evidence for a representment: in our own form, and as Stripe's `evidence.enhanced_evidence.visa_compelling_evidence_3` takes it. */

/** Stripe takes exactly two earlier purchases. */
const stripePriors = 2;

const addressOf = (address: OrderAddress | undefined) =>
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

const comparedOf = ({ device, customer, shipping, ...content }: OrderContent) => ({
  customer_account_id: customer?.account_id ?? null,
  customer_device_fingerprint: device?.device_fingerprint ?? null,
  customer_device_id: device?.device_id ?? null,
  customer_email_address: customer?.email ?? null,
  customer_purchase_ip: device?.ip ?? null,
  product_description: descriptionOf(content),
  shipping_address: addressOf(shipping),
});

/** Returns the kind of the goods, in Stripe's terms: merchandise or services. */
const kindOf = ({ items }: OrderContent): 'merchandise' | 'services' =>
  items.some(({ type }) => type === 'physical' || type === undefined) ? 'merchandise' : 'services';

export type Ce3Evidence = {
  qualified: boolean;
  reason: Ce3Reason | null;
  matched: string[];
  prior_order_ids: number[];
  stripe: ReturnType<typeof stripeEvidence> | null;
};

/** `charge`: the processor's reference of an earlier purchase, where the merchant or the service knows it. */
const stripeEvidence = (disputed: Order, priors: readonly Order[]) => ({
  disputed_transaction: { ...comparedOf(disputed.content), merchandise_or_services: kindOf(disputed.content) },
  prior_undisputed_transactions: priors.slice(0, stripePriors).map(({ content, payment }) => ({
    charge: payment?.reference ?? content.processor?.reference ?? null,
    ...comparedOf(content),
  })),
});

/** The evidence from an order's earlier orders, or why there is none. */
export const evidenceOf = (ce3: Ce3): Ce3Evidence =>
  ce3.qualified
    ? {
        qualified: true,
        reason: null,
        matched: [...ce3.matched],
        prior_order_ids: ce3.priors.map(({ orderId }) => orderId),
        stripe: stripeEvidence(ce3.disputed, ce3.priors),
      }
    : { qualified: false, reason: ce3.reason, matched: [], prior_order_ids: [], stripe: null };
