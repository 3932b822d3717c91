import type { OrderProfile } from '#accounts/merchants/settings/order-profile.ts';
import { isOn, paymentReceivers } from '#accounts/merchants/settings/payment-settings.ts';
import type { Site } from '#accounts/merchants/site/site.ts';
import type { Card } from '#core/kernel/card/card.ts';
import type { KeyRing } from '#core/kernel/crypto.ts';
import type { Money } from '#core/kernel/money/money.ts';
import { type Assessment, isAssessed } from '#payments/fraud/check/assessment.ts';
import type { Order as KeptOrder } from '#payments/orders/order.ts';
import { orderOfPayment } from '#payments/orders/payment-order.ts';
import { keptMoney } from '#payments/payments/kept-money.ts';
import type { PaymentRequest } from '#payments/payments/order/payment-request.ts';
import type { Conversion } from '#payments/pricing/rates/conversion.ts';
import type { DeclineCode } from '#payments/processors/decline-codes.ts';
import type { PayCommand } from '#payments/processors/ports/processor.ts';
import type { Route } from '#payments/processors/routing/routing.ts';
import { firstCheck, newIdempotencyKey, type Transaction } from '../transaction/transaction.ts';
import type { PayerAuthentication } from './payer-authentication.ts';

/** The facts about a payment from which its transaction and the processor's command are built. */
export type PaymentContext = {
  txid: number;
  order: PaymentRequest;
  ring: KeyRing;
  /** The URL to which a payer returns. */
  returnUrl: string;
  site: Site;
  card: Card | null;
  storedCard: PayCommand['storedCard'];
  /** The amount charged instead of the amount asked for, and how it was converted. */
  charged: Money;
  conversion: Conversion | null;
  authentication: PayerAuthentication;
  assessment: Assessment | undefined;
  /** The fraud check wants the cardholder authenticated, and the merchant has not done it. */
  authenticate: boolean;
  /** The site's routes that take it, the first one first. */
  routes: readonly Route[];
  /** True if no payment of the site has succeeded yet, as far as an e-mail has reported one. */
  isFirst: boolean;
  /** When all this was known, ISO. */
  at: string;
};

/** Why no processor is asked; undefined if one is. */
export const paymentRefusalOf = ({
  authentication,
  assessment,
  routes,
  authenticate,
}: PaymentContext): DeclineCode | undefined => {
  if (authentication.isFailed) return 'authentication_failed';
  if (assessment?.decision === 'REJECT') return assessment.failed ? 'fraud_check_failed' : 'fraud_rejected';
  if (routes.length > 0) return undefined;
  return authenticate ? 'three_ds_required' : 'no_processor';
};

/** Returns the site's people who are notified of the payment. */
const receivers = ({ site, isFirst }: PaymentContext): Pick<Transaction, 'told'> => {
  const payments = paymentReceivers(site);
  const first = isFirst && isOn(site, 'first_transaction_alert') ? payments : [];
  return payments.length > 0 ? { told: { payments, first } } : {};
};

const fraudFields = (assessment: Assessment | undefined): Transaction['fraud'] =>
  assessment && isAssessed(assessment)
    ? { fraudId: assessment.fraudId, score: assessment.score, decision: assessment.decision }
    : null;

const storedCardOf = ({ storedCard }: PaymentContext): Pick<Transaction, 'storesCard' | 'firstPayment'> => {
  if (storedCard === null) return {};
  return storedCard === 'first' ? { storesCard: true } : { firstPayment: storedCard };
};

/** The transaction as it is written before its first route is asked. */
export const buildTransaction = (context: PaymentContext): Transaction => {
  const { txid, order, site, ring, card, charged, conversion, authentication, assessment, at } = context;
  const [route] = context.routes;
  const { tid, reference, refs, descriptor, action, postbackUrl, returnUrl, payer } = order;
  return {
    txid,
    parentTxid: txid,
    sid: site.sid,
    mid: site.mid,
    rid: site.rid,
    action,
    status: 'PEND',
    money: keptMoney(charged),
    tid,
    reference,
    refs,
    descriptor,
    processor: route?.processor ?? null,
    routeId: route?.id ?? null,
    processorReference: null,
    idempotencyKey: newIdempotencyKey(txid),
    arn: null,
    authCode: null,
    ...storedCardOf(context),
    error: null,
    nextAction: null,
    card: card?.toKeptCard(ring) ?? null,
    email: payer.email,
    postbackUrl,
    ...(returnUrl !== null && { returnUrl }),
    ...receivers(context),
    conversion,
    fraud: fraudFields(assessment),
    ...(authentication.made && { threeDs: authentication.made }),
    alertId: null,
    nextCheckAt: firstCheck(at),
    checks: 0,
    createdAt: at,
    updatedAt: at,
    version: 1,
  };
};

/** Returns the order to store for the bought items, if the merchant stores orders; undefined for payouts. */
export const orderToKeep = (
  { txid, mid, rid, reference, tid, descriptor, card, createdAt }: Transaction,
  { order: { sid, basket, payer, shipping, device }, charged }: PaymentContext,
  shop: OrderProfile | undefined,
): KeptOrder | undefined =>
  shop && basket && card
    ? orderOfPayment(
        {
          txid,
          sid,
          mid,
          rid,
          reference,
          tid,
          descriptor,
          card,
          basket,
          payer,
          shipping,
          device,
          money: charged,
          at: createdAt,
        },
        shop,
      )
    : undefined;
