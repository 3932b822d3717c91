import * as v from 'valibot';
import { iso, milliseconds, nowMilliseconds } from '#core/kernel/clock.ts';
import { parseAmount, withoutZeroFraction } from '#core/kernel/money/money.ts';
import { findChargeback } from '../ports/charge-state.ts';
import {
  type ChargeCandidate,
  type ChargeSearchResult,
  type ConnectionTrouble,
  chargeSearchSpan,
  type DisputedCharge,
  isTrouble,
} from '../ports/connected-processor.ts';
import { objectIn, troubleOfAnswer } from '../ports/json-exchange-client.ts';
import {
  type PayPalRefund,
  payPalCandidateOf,
  payPalOrderId,
  payPalRefundsOf,
  readPayPalOrder,
  readPayPalPayment,
} from './paypal-charges.ts';
import { listPayPalDisputes } from './paypal-disputes-client.ts';
import type { AskPayPal } from './paypal-exchange-client.ts';

/** The charges of a PayPal account: the search for candidates, and the state of one. */

const readPayPal = async <T>(ask: AskPayPal, path: string, reader: (body: unknown) => T | undefined) =>
  objectIn('paypal', await ask({ path }), reader);

type Charge = { candidate: ChargeCandidate; refunds: readonly PayPalRefund[] };

/** A capture or an authorisation, with its order, refunds and disputes; null if there is none. */
export const readPayPalCharge = async (
  ask: AskPayPal,
  reference: string,
): Promise<Charge | null | ConnectionTrouble> => {
  if (!/^[A-Z\d]{17,20}$/.test(reference)) return null;
  const capture = await readPayPal(ask, `/v2/payments/captures/${reference}`, readPayPalPayment);
  if (capture !== null && isTrouble(capture)) return capture;
  const payment = capture ?? (await readPayPal(ask, `/v2/payments/authorizations/${reference}`, readPayPalPayment));
  if (payment === null || isTrouble(payment)) return payment;
  const orderId = payPalOrderId(payment.object);
  const order = /^[A-Z\d]{1,20}$/.test(orderId)
    ? await readPayPal(ask, `/v2/checkout/orders/${orderId}`, readPayPalOrder)
    : null;
  if (order !== null && isTrouble(order)) return order;
  const candidate = payPalCandidateOf(payment.object, order?.object, capture ? 'capture' : 'authorization');
  if (!candidate) return null;
  const chargeback = findChargeback(await listPayPalDisputes(ask, { disputed_transaction_id: reference }));
  if (isTrouble(chargeback)) return chargeback;
  const refunds = order ? (payPalRefundsOf(reference, order.object) ?? []) : [];
  return { candidate: { ...candidate, ...chargeback }, refunds };
};

const Reported = v.object({
  transaction_details: v.nullish(
    v.array(
      v.object({
        transaction_info: v.object({
          transaction_id: v.string(),
          transaction_event_code: v.nullish(v.string(), ''),
          transaction_initiation_date: v.string(),
          paypal_reference_id: v.nullish(v.string(), ''),
          paypal_reference_id_type: v.nullish(v.string(), ''),
          transaction_amount: v.object({ currency_code: v.string(), value: v.string() }),
        }),
      }),
    ),
    [],
  ),
  total_pages: v.nullish(v.number(), 1),
});
type Reported = NonNullable<v.InferOutput<typeof Reported>['transaction_details']>[number]['transaction_info'];

const pageSize = 500;
const maxPages = 20;

/** The transactions of a span, which are those that changed the balance. */
const listTransactions = async (
  ask: AskPayPal,
  { from, to, currency }: { from: number; to: number; currency: string | undefined },
): Promise<readonly Reported[] | ConnectionTrouble> => {
  const found: Reported[] = [];
  for (let page = 1; page <= maxPages; page += 1) {
    const query = new URLSearchParams({
      ...{ start_date: iso(from), end_date: iso(to), page_size: String(pageSize), page: String(page) },
      ...(currency !== undefined && { transaction_currency: currency }),
    });
    const answer = await ask({ path: `/v1/reporting/transactions?${query}` });
    const { success, output } = v.safeParse(Reported, 'body' in answer && answer.status === 200 && answer.body);
    if (!success) return troubleOfAnswer('paypal', answer);
    found.push(...(output.transaction_details ?? []).map(({ transaction_info: info }) => info));
    if (page >= (output.total_pages ?? 1)) return found;
  }
  return { problem: 'too_many', detail: 'paypal has too many transactions that fit' };
};

/** Payments have codes T00nn: https://developer.paypal.com/docs/transaction-search/transaction-event-codes/ */
const isPayment = ({ transaction_event_code: code }: Reported): boolean => /^T00\d\d$/.test(code ?? '');

const mayBe = ({ transaction_amount: amount }: Reported, { money }: DisputedCharge): boolean => {
  const own = parseAmount(withoutZeroFraction(amount.value, amount.currency_code), amount.currency_code);
  if (typeof own === 'string' || own.minor <= 0n) return false;
  return money === null || (own.minor === money.minor && own.currency === money.currency);
};

/** The report has no cards, so each payment that may be the one is read; as many as one search can read in time. */
const maxRead = 60;
const readAtOnce = 10;

/** "It takes a maximum of three hours for executed transactions to appear": https://developer.paypal.com/docs/api/transaction-search/v1/ */
const reportLag = 3 * milliseconds.hour;

/** True if the payment of a day may be missing in the report. */
const isFresh = ({ day }: DisputedCharge): boolean =>
  Date.parse(day) + milliseconds.day > nowMilliseconds() - reportLag;

export const findPayPalCharges = async (ask: AskPayPal, disputed: DisputedCharge): Promise<ChargeSearchResult> => {
  const { from, to } = chargeSearchSpan(disputed);
  const until = Math.min(to, nowMilliseconds());
  const found = await listTransactions(ask, { from, to: until, currency: disputed.money?.currency });
  if ('problem' in found) return found;
  const distance = ({ transaction_initiation_date: at }: Reported): number =>
    Math.abs(Date.parse(at) - Date.parse(disputed.day));
  const alike = found.filter((one) => isPayment(one) && mayBe(one, disputed));
  const nearest = alike.toSorted((one, other) => distance(one) - distance(other));
  const references = [...new Set(nearest.map(({ transaction_id: id }) => id))];
  const candidates: ChargeCandidate[] = [];
  for (let first = 0; first < Math.min(references.length, maxRead); first += readAtOnce) {
    const some = references.slice(first, Math.min(first + readAtOnce, maxRead));
    const charges = await Promise.all(some.map((reference) => readPayPalCharge(ask, reference)));
    for (const charge of charges) {
      if (charge !== null && isTrouble(charge)) return charge;
      if (charge?.candidate.last4 === disputed.last4) candidates.push(charge.candidate);
    }
  }
  return { candidates, isWhole: references.length <= maxRead && !isFresh(disputed) };
};

/**
 * The subscription that a charge is of, which the report names: https://developer.paypal.com/docs/api/transaction-search/v1/ (2026-11-29).
 * Empty: of none.
 */
export const findPayPalSubscription = async (
  ask: AskPayPal,
  { reference, date }: Pick<ChargeCandidate, 'reference' | 'date'>,
): Promise<string | ConnectionTrouble> => {
  const at = Date.parse(date);
  const query = new URLSearchParams({
    ...{
      transaction_id: reference,
      start_date: iso(at - milliseconds.day),
      end_date: iso(Math.min(at + milliseconds.day, nowMilliseconds())),
    },
  });
  const answer = await ask({ path: `/v1/reporting/transactions?${query}` });
  const { success, output } = v.safeParse(Reported, 'body' in answer && answer.status === 200 && answer.body);
  if (!success) return troubleOfAnswer('paypal', answer);
  const own = output.transaction_details?.find(({ transaction_info: info }) => info.transaction_id === reference);
  if (!own) return { problem: 'unavailable', detail: 'paypal: the report does not list the charge yet' };
  const { paypal_reference_id: id, paypal_reference_id_type: type } = own.transaction_info;
  return type === 'SUB' && /^I-[A-Z\d]{1,40}$/.test(id ?? '') ? (id ?? '') : '';
};
