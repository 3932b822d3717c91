import { keys } from '#core/platform/table/keys.ts';
import { getItem } from '#core/platform/table/table.ts';
import type { Alert, AlertOwner } from '#disputes/alerts/alert.ts';
import { priceAt } from '#disputes/costs/price.ts';
import { fromPricesItem } from '#disputes/costs/price-row.ts';
import { findOwnPayments, type PaymentWithLedger } from '#disputes/holds/dispute-hold-store.ts';
import { findOrderOfAlert } from '#disputes/lookups/lookup/alert-order-store.ts';
import { programmeStandings } from '#disputes/reports/figures-store.ts';
import { monthBefore } from '#disputes/reports/programme.ts';
import type { Order } from '#payments/orders/order.ts';
import { getOrder } from '#payments/orders/order-store.ts';
import { alertFactsOf, type CaseFactName, type Facts, toSource } from './alert-facts.ts';

/**
 * Returns the requested facts of an alert's case; unknown ones are null. The payment taken here, the merchant's order, prices and
 * programmes are each read at most once, and only if a requested fact needs them.
 */
export const readCaseFacts = async (alert: Alert, asked: readonly CaseFactName[]): Promise<Facts> => {
  const { owner } = alert;
  if (!owner || asked.length === 0) return {};
  const isAskedAny = (...names: CaseFactName[]) => names.some((name) => asked.includes(name));
  const needsOrder = isAskedAny('order_value', 'delivery_status', 'subscription');
  const payment = needsOrder || isAskedAny('liability_shift') ? await findOnlyPayment(alert) : undefined;
  const [order, margin, programme] = await Promise.all([
    needsOrder ? orderOfAlert(alert, owner, payment) : undefined,
    isAskedAny('margin_over_price') ? marginOverPrice(alert, owner) : null,
    isAskedAny('programme_status') ? programmeStatus(alert, owner) : null,
  ]);
  const all: Record<CaseFactName, Facts[string]> = {
    liability_shift: payment?.transaction.threeDs?.own?.liabilityShift ?? null,
    order_value: orderValue(alert, order),
    delivery_status: order?.content.deliveries?.at(-1)?.status ?? null,
    subscription: order ? isSubscription(order) : null,
    margin_over_price: margin,
    programme_status: programme,
  };
  return Object.fromEntries(asked.map((name) => [name, all[name] ?? null]));
};

/** A network's answer may follow from the payment, so that it must be certain. */
const findOnlyPayment = async (alert: Alert): Promise<PaymentWithLedger | undefined> => {
  const { payments, isOne } = await findOwnPayments(alert);
  return isOne ? payments[0] : undefined;
};

/** The order of the payment taken here, else the one that the alert's numbers name. */
const orderOfAlert = async (
  { providerAlert }: Alert,
  { mid }: AlertOwner,
  payment: PaymentWithLedger | undefined,
): Promise<Order | undefined> => {
  const own = payment && (await getOrder(payment.transaction.txid));
  if (own?.mid === mid && own.state === 'paid') return own;
  const match = await findOrderOfAlert(mid, providerAlert);
  return match.found === 'one' ? match.order : undefined;
};

/** In another currency than the alert's transaction it would be compared with the wrong numbers. */
const orderValue = ({ providerAlert }: Alert, order: Order | undefined): number | null =>
  order?.content.currency === providerAlert.currency ? Number(order.content.amount) : null;

const isSubscription = ({ content }: Order): boolean =>
  content.subscription !== undefined || (content.items ?? []).some(({ type }) => type === 'subscription');

/** Returns the disputed amount less the alert's price; null where no price is set, or in another currency. */
const marginOverPrice = async (alert: Alert, { mid }: AlertOwner): Promise<number | null> => {
  const prices = fromPricesItem(await getItem(keys.alertPrices(mid)));
  const price = priceAt(prices, alert.providerAlert, alert.receivedAt);
  const { dispute_amount: disputed, dispute_currency: currency } = alertFactsOf(toSource(alert));
  return price && price.currency === currency && typeof disputed === 'number'
    ? Math.round((disputed - Number(price.amount)) * 1e4) / 1e4
    : null;
};

/** The worst standing in a card scheme's programmes, by the figures of the alert's month, else of the month before. */
const programmeStatus = async ({ receivedAt }: Alert, { mid }: AlertOwner): Promise<string | null> => {
  const month = receivedAt.slice(0, 'YYYY-MM'.length);
  for (const one of [month, monthBefore(month)]) {
    const statuses = (await programmeStandings(mid, one)).map(({ status }) => status);
    const worst = (['over', 'near', 'ok'] as const).find((status) => statuses.includes(status));
    if (worst) return worst;
  }
  return null;
};
