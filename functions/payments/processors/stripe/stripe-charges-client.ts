import type Stripe from 'stripe';
import { brandNamed } from '#core/kernel/card/schemes.ts';
import { iso, milliseconds, nowMilliseconds } from '#core/kernel/clock.ts';
import { log } from '#core/platform/log/log.ts';
import { fromProcessorAmount, toProcessorAmount } from '../amounts.ts';
import { stateByDisputes } from '../ports/charge-state.ts';
import {
  type ChargeCandidate,
  type ChargePage,
  type ChargeSearchResult,
  type ChargeSpan,
  type ConnectionTrouble,
  chargeSearchSpan,
  type DisputedCharge,
  isTrouble,
} from '../ports/connected-processor.ts';
import { readWithKnownCurrency } from '../unknown-currency-client.ts';
import { stripeCurrency } from './stripe-currencies.ts';
import { disputeOfStripe } from './stripe-disputes.ts';
import { outcomeOfStripeError } from './stripe-package-client.ts';

/** The charges of a merchant's own account at Stripe: the search for candidates, and the state of one. */

const stripeFault = (error: unknown): ConnectionTrouble => {
  const outcome = outcomeOfStripeError(error, 'refund');
  const isRight = outcome.outcome === 'EXC' && outcome.code === 'processor_credentials';
  return {
    problem: isRight ? 'credentials' : 'unavailable',
    detail: 'detail' in outcome ? (outcome.detail ?? '') : '',
  };
};

/** Returns Stripe's answer, or the reason why it could not be asked. */
export const askStripe = async <T>(ask: () => Promise<T>): Promise<{ answer: T } | ConnectionTrouble> => {
  try {
    return { answer: await ask() };
  } catch (error) {
    return stripeFault(error);
  }
};

/** An amount that Stripe counts, in our own minor units. */
const chargeMinor = (amount: number, currency: string): bigint =>
  fromProcessorAmount(amount, currency, stripeCurrency(currency));

/** Without its disputes, which Stripe lists apart: see `withDisputes`. */
export const stripeCandidateOf = (charge: Stripe.Charge): ChargeCandidate => {
  const currency = charge.currency.toUpperCase();
  const card = charge.payment_method_details?.card;
  const intent = charge.payment_intent;
  return {
    reference: charge.id,
    secondReference: typeof intent === 'string' ? intent : (intent?.id ?? ''),
    type: 'charge',
    date: iso(charge.created * 1000),
    money: { minor: chargeMinor(charge.amount, currency), currency },
    first6: card?.iin?.slice(0, 6) ?? '',
    last4: card?.last4 ?? '',
    ...brandNamed(card?.brand),
    ...(card?.network_transaction_id && { networkReference: card.network_transaction_id }),
    authCode: card?.authorization_code ?? null,
    arn: null,
    captured: chargeMinor(charge.amount_captured, currency),
    refunded: chargeMinor(charge.amount_refunded, currency),
    isChargedBack: false,
    isSettled: charge.captured,
    isUnclear: false,
    subscription: null,
    descriptor: charge.calculated_statement_descriptor ?? '',
    // Shops that take payments with Stripe name their order so: https://docs.stripe.com/metadata
    ...(charge.metadata['order_id'] && { orderReference: charge.metadata['order_id'] }),
  };
};

const isMade = (charge: Stripe.Charge): boolean => charge.status === 'succeeded';

/** "Under normal operating conditions, data is searchable in less than 1 minute": https://docs.stripe.com/search */
const searchLag = 5 * milliseconds.minute;
export const chargesPerPage = 100;
const maxPages = 10;

export const findCharges = async (stripe: Stripe, disputed: DisputedCharge): Promise<ChargeSearchResult> => {
  const { last4, money } = disputed;
  const currency = money && stripeCurrency(money.currency);
  const amount = money && currency ? toProcessorAmount(money, currency) : undefined;
  // Stripe cannot have charged what it cannot count.
  if (money && amount === undefined) return { candidates: [], isWhole: true };
  const { from, to } = chargeSearchSpan(disputed);
  const [begin, end] = [Math.floor(from / 1000), Math.ceil(to / 1000)];
  const query = [
    `payment_method_details.card.last4:"${last4}"`,
    ...(money ? [`amount:${amount}`, `currency:"${money.currency.toLowerCase()}"`] : []),
    ...[`created>=${begin}`, `created<=${end}`],
  ].join(' AND ');
  const found = await askStripe(() => search(stripe, query));
  if ('problem' in found) return found;
  const isOld = to < nowMilliseconds() - searchLag;
  const fresh = isOld ? { answer: { charges: [], isWhole: true } } : await askStripe(() => lately(stripe));
  if ('problem' in fresh) return fresh;
  const alike = fresh.answer.charges.filter(
    (charge) =>
      charge.payment_method_details?.card?.last4 === last4 &&
      (amount === undefined || (charge.amount === amount && charge.currency.toUpperCase() === money?.currency)),
  );
  const charges = new Map([...found.answer.charges, ...alike].map((charge) => [charge.id, charge]));
  const isWhole = found.answer.isWhole && fresh.answer.isWhole;
  const candidates = await readCandidates(stripe, [...charges.values()].filter(isMade));
  return isTrouble(candidates) ? candidates : { candidates, isWhole };
};

/** `isWhole`: these are all that there are. */
type Charges = { charges: Stripe.Charge[]; isWhole: boolean };

const search = async (stripe: Stripe, query: string): Promise<Charges> => {
  const charges: Stripe.Charge[] = [];
  let page: string | undefined;
  for (let count = 0; count < maxPages; count += 1) {
    const result = await stripe.charges.search({ query, limit: chargesPerPage, ...(page && { page }) });
    charges.push(...result.data);
    if (!result.has_more || !result.next_page) return { charges, isWhole: true };
    page = result.next_page;
  }
  return { charges, isWhole: false };
};

/** The latest charges, which the search index may not have yet; lists do not lag. A busy shop makes more than a page within minutes. */
const lately = async (stripe: Stripe): Promise<Charges> => {
  const created = { gte: Math.floor((nowMilliseconds() - searchLag) / 1000) };
  const charges: Stripe.Charge[] = [];
  for (let count = 0; count < maxPages; count += 1) {
    const after = charges.at(-1)?.id;
    const page = await stripe.charges.list({ created, limit: chargesPerPage, ...(after && { starting_after: after }) });
    charges.push(...page.data);
    if (!page.has_more) return { charges, isWhole: true };
  }
  // The caller learns that there may be more; the operator, that the limit was reached.
  log('error', 'stripe_charges_cut', { read: charges.length });
  return { charges, isWhole: false };
};

export const isAbsent = (error: unknown): boolean => {
  const outcome = outcomeOfStripeError(error, 'refund');
  return outcome.outcome === 'EXC' && outcome.code === 'not_found_at_processor';
};

/** When a charge was last refunded; the newest refunds come first. */
const readLastRefund = async (stripe: Stripe, charge: string): Promise<string | undefined> => {
  const { data } = await stripe.refunds.list({ charge, limit: chargesPerPage });
  const made = data.find(({ status }) => status !== 'failed' && status !== 'canceled');
  return made && iso(made.created * 1000);
};

/**
 * A charge with what its disputes did to it: `disputed` is also true of inquiries, and of disputes that were won or prevented. A key that
 * may not read disputes must not hide the charge, whose state is unclear then.
 */
const withDisputes = async (stripe: Stripe, charge: Stripe.Charge): Promise<ChargeCandidate | ConnectionTrouble> => {
  const candidate = readWithKnownCurrency('stripe', () => stripeCandidateOf(charge));
  if (!candidate) return { problem: 'unavailable', detail: `stripe: the currency of ${charge.id} is not known` };
  if (!charge.disputed) return candidate;
  const told = await askStripe(() => stripe.disputes.list({ charge: charge.id, limit: chargesPerPage }));
  if ('problem' in told) return told.problem === 'credentials' ? { ...candidate, isUnclear: true } : told;
  const disputes = told.answer.data.map((one) => readWithKnownCurrency('stripe', () => disputeOfStripe(one)));
  const known = disputes.filter((one) => one !== undefined);
  return known.length < disputes.length
    ? { ...candidate, isUnclear: true }
    : { ...candidate, ...stateByDisputes(known) };
};

/** Disputed charges are few, so they are asked about one after the other. */
const readCandidates = async (
  stripe: Stripe,
  charges: readonly Stripe.Charge[],
): Promise<ChargeCandidate[] | ConnectionTrouble> => {
  const candidates: ChargeCandidate[] = [];
  for (const charge of charges) {
    const candidate = await withDisputes(stripe, charge);
    if (isTrouble(candidate)) return candidate;
    candidates.push(candidate);
  }
  return candidates;
};

export const readStripeCharge = async (
  stripe: Stripe,
  reference: string,
): Promise<ChargeCandidate | null | ConnectionTrouble> => {
  if (!/^(?:ch|py)_\w{1,80}$/.test(reference)) return null;
  try {
    const charge = await stripe.charges.retrieve(reference);
    if (!isMade(charge)) return null;
    const refundedAt = charge.amount_refunded > 0 ? await readLastRefund(stripe, reference) : undefined;
    const candidate = await withDisputes(stripe, charge);
    return isTrouble(candidate) || refundedAt === undefined ? candidate : { ...candidate, refundedAt };
  } catch (error) {
    return isAbsent(error) ? null : stripeFault(error);
  }
};

/** A page of the charges that were made within a span, the newest first. https://docs.stripe.com/api/charges/list */
export const listCharges = async (
  stripe: Stripe,
  { from, to }: ChargeSpan,
  cursor: string | null,
): Promise<ChargePage | ConnectionTrouble> => {
  const created = { gte: Math.ceil(Date.parse(from) / 1000), lt: Math.ceil(Date.parse(to) / 1000) };
  const listed = await askStripe(() =>
    stripe.charges.list({ created, limit: chargesPerPage, ...(cursor !== null && { starting_after: cursor }) }),
  );
  if ('problem' in listed) return listed;
  const { data, has_more: hasMore } = listed.answer;
  const charges = await readCandidates(stripe, data.filter(isMade));
  return isTrouble(charges) ? charges : { charges, next: hasMore ? (data.at(-1)?.id ?? null) : null };
};
