import { nowMilliseconds } from '#core/kernel/clock.ts';
import { formatAmount } from '#core/kernel/money/money.ts';
import type { ConnectedProcessorOf } from '../ports/account.ts';
import {
  type ChargeCandidate,
  type ChargePage,
  type ChargeRefundRequest,
  type ChargeSearchResult,
  type ChargeSpan,
  type Check,
  type ConnectedProcessor,
  type ConnectionTrouble,
  chargeSearchSpan,
  type DisputedCharge,
  isCertain,
  patienceMilliseconds,
  type RefundState,
  refusedOutcome,
  unknownOutcome,
} from '../ports/connected-processor.ts';
import type { ProcessorResult } from '../ports/processor.ts';
import { isCharge, isRefund, nmiCandidateOf, refundReference, reversalSince } from './nmi-charges.ts';
import { nmiRefusalResult } from './nmi-codes.ts';
import { type NmiFound, type NmiKeys, queryNmi, queryNmiPage, transactAtNmi } from './nmi-exchange-client.ts';
import { type NmiTransaction, outcomeOfNmi } from './nmi-transaction.ts';

/** A merchant's own account at NMI. It knows no idempotency keys: before sending a refund, the adapter checks whether it was already made. */
export const connectNmi = (credentials: NmiKeys): ConnectedProcessor => ({
  kind: 'nmi',
  find: (disputed) => findNmi(credentials, disputed),
  look: (reference) => lookAtNmi(credentials, reference),
  list: (span, cursor) => listNmi(credentials, span, cursor),
  refund: (request) => refund(credentials, request),
  refundState: (request) => refundState(credentials, request),
  cancelSubscription: (reference) => cancelSubscription(credentials, reference),
  check: () => checkNmi(credentials),
});

const askNmi = (credentials: NmiKeys, fields: Readonly<Record<string, string>>): Promise<NmiFound> =>
  queryNmi(credentials, fields, patienceMilliseconds);

const nmiTrouble = ({ unasked, isCredentials }: Extract<NmiFound, { unasked: string }>): ConnectionTrouble => ({
  problem: isCredentials ? 'credentials' : unasked.includes('too many') ? 'too_many' : 'unavailable',
  detail: unasked,
});

/** `YYYYMMDDhhmmss`, UTC. */
const timeText = (at: number): string => new Date(at).toISOString().replace(/\D/g, '').slice(0, 14);

type Charges = { charges: readonly NmiTransaction[]; refunds: readonly NmiTransaction[] };

/** The charges of a card around a day, and everything that was refunded to that card since. */
const searchCharges = async (
  credentials: NmiKeys,
  disputed: Pick<DisputedCharge, 'last4' | 'day'>,
): Promise<Charges | ConnectionTrouble> => {
  const { from, to } = chargeSearchSpan(disputed);
  const card = { cc_number: disputed.last4, transaction_type: 'cc' };
  const made = await askNmi(credentials, { ...card, start_date: timeText(from), end_date: timeText(to) });
  if ('unasked' in made) return nmiTrouble(made);
  const charges = made.transactions.filter(isCharge);
  if (charges.length === 0) return { charges, refunds: [] };
  const given = await askNmi(credentials, { ...card, action_type: 'refund', start_date: timeText(from) });
  return 'unasked' in given ? nmiTrouble(given) : { charges, refunds: given.transactions.filter(isRefund) };
};

const findNmi = async (credentials: NmiKeys, disputed: DisputedCharge): Promise<ChargeSearchResult> => {
  const found = await searchCharges(credentials, disputed);
  if ('problem' in found) return found;
  const candidates = found.charges
    .map((charge) => nmiCandidateOf(charge, found.charges, found.refunds))
    .filter((candidate) => couldBe(candidate, disputed));
  return { candidates, isWhole: true };
};

/** A page of a span's charges. NMI counts pages from 0; a refund on another page than its charge is not counted. */
const listNmi = async (
  credentials: NmiKeys,
  { from, to }: ChargeSpan,
  cursor: string | null,
): Promise<ChargePage | ConnectionTrouble> => {
  const page = Number(cursor ?? 0);
  const span = { start_date: timeText(Date.parse(from)), end_date: timeText(Date.parse(to) - 1000) };
  const found = await queryNmiPage(credentials, { ...span, transaction_type: 'cc' }, page, patienceMilliseconds);
  if ('unasked' in found) return nmiTrouble(found);
  const [charges, refunds] = [found.transactions.filter(isCharge), found.transactions.filter(isRefund)];
  // NMI also finds what was made earlier and changed within the span.
  const isWithin = ({ date }: ChargeCandidate): boolean => date >= from && date < to;
  return {
    charges: charges.map((charge) => nmiCandidateOf(charge, charges, refunds)).filter(isWithin),
    next: found.isLast ? null : String(page + 1),
  };
};

/** NMI is asked only by card and day; the rest is compared here. */
const couldBe = ({ first6, money }: ChargeCandidate, disputed: DisputedCharge): boolean =>
  (first6 === '' || disputed.first6 === '' || first6 === disputed.first6) &&
  (disputed.money === null || (money.minor === disputed.money.minor && money.currency === disputed.money.currency));

const readNmiPayment = async (
  credentials: NmiKeys,
  reference: string,
): Promise<NmiTransaction | null | ConnectionTrouble> => {
  if (!/^\d{1,20}$/.test(reference)) return null;
  const found = await askNmi(credentials, { transaction_id: reference });
  if ('unasked' in found) return nmiTrouble(found);
  return found.transactions.find(({ id }) => id === reference) ?? null;
};

/** A charge with the refunds to its card since, because refunds are separate transactions. */
const readCharge = async (
  credentials: NmiKeys,
  reference: string,
): Promise<({ charge: NmiTransaction } & Charges) | null | ConnectionTrouble> => {
  const charge = await readNmiPayment(credentials, reference);
  if (charge === null || 'problem' in charge) return charge;
  if (!isCharge(charge)) return null;
  const made = nmiCandidateOf(charge, [charge], []);
  const around = await searchCharges(credentials, { last4: made.last4, day: made.date });
  if ('problem' in around) return around;
  // A report that does not list the charge under its card yet must not hide it.
  const charges = around.charges.some(({ id }) => id === reference) ? around.charges : [...around.charges, charge];
  return { charge, charges, refunds: around.refunds };
};

const lookAtNmi = async (
  credentials: NmiKeys,
  reference: string,
): Promise<ChargeCandidate | null | ConnectionTrouble> => {
  const found = await readCharge(credentials, reference);
  return found === null || 'problem' in found ? found : nmiCandidateOf(found.charge, found.charges, found.refunds);
};

/** The result of a refund that may have been sent before, or else the state of the charge; `unasked`: NMI could not be asked. */
const earlier = async (
  credentials: NmiKeys,
  request: ChargeRefundRequest,
): Promise<ProcessorResult | { unasked: string } | { charge: NmiTransaction; candidate: ChargeCandidate }> => {
  const own = await askNmi(credentials, { order_id: refundReference(request.reference, request.key) });
  if ('unasked' in own) return own;
  const [made] = own.transactions.map((one) => outcomeOfNmi(one, 'refund'));
  if (made && made.outcome !== 'NOT_FOUND') return made;
  const found = await readCharge(credentials, request.reference);
  if (found === null) return refusedOutcome('not_found_at_processor', 'nmi has no such charge');
  if ('problem' in found) return { unasked: found.detail };
  const reversal = reversalSince(found.charge, found.refunds, request);
  if (reversal !== null) return { outcome: 'OK', reference: reversal };
  return { charge: found.charge, candidate: nmiCandidateOf(found.charge, found.charges, found.refunds) };
};

const refund = async (credentials: NmiKeys, request: ChargeRefundRequest): Promise<ProcessorResult> => {
  const before = await earlier(credentials, request);
  // Nothing has been sent, so this refusal is definite; an unclear state at NMI is not.
  if ('unasked' in before) return refusedOutcome('processor_unavailable', before.unasked);
  if ('outcome' in before) return before;
  const { charge, candidate } = before;
  const { captured, refunded } = candidate;
  if (captured === 0n) return refusedOutcome('refund_failed', `nmi ${charge.condition}`);
  if (request.money.minor > captured - refunded) return refusedOutcome('amount_invalid', 'nmi: more than is left');
  const isVoid = charge.condition === 'pendingsettlement' && request.money.minor === captured && refunded === 0n;
  const reply = await transactAtNmi(
    credentials,
    isVoid
      ? { type: 'void', transactionid: charge.id }
      : {
          type: 'refund',
          transactionid: charge.id,
          amount: formatAmount(request.money),
          orderid: refundReference(charge.id, request.key),
        },
    patienceMilliseconds,
  );
  if ('outcome' in reply) return reply;
  if (reply.response !== '1') return nmiRefusalResult(reply, 'refund');
  return { outcome: 'OK', reference: isVoid ? charge.id : reply.transactionId };
};

const refundState = async (credentials: NmiKeys, request: ChargeRefundRequest): Promise<RefundState> => {
  const found = await earlier(credentials, request);
  if ('unasked' in found) return unknownOutcome(found.unasked);
  if ('outcome' in found) {
    return found.outcome === 'EXC' && found.code === 'not_found_at_processor'
      ? unknownOutcome(found.detail ?? '')
      : found;
  }
  return isCertain(request, nowMilliseconds()) ? { outcome: 'NOT_FOUND' } : unknownOutcome('nmi does not have it yet');
};

const cancelSubscription = async (credentials: NmiKeys, reference: string): Promise<ProcessorResult> => {
  const charge = await readNmiPayment(credentials, reference);
  if (charge !== null && 'problem' in charge) return unknownOutcome(charge.detail);
  if (!charge?.subscriptionId)
    return refusedOutcome('not_found_at_processor', 'nmi names no subscription of the charge');
  const fields = { recurring: 'delete_subscription', subscription_id: charge.subscriptionId };
  const reply = await transactAtNmi(credentials, fields, patienceMilliseconds);
  if ('outcome' in reply) return reply;
  // Already gone, which is what was wanted.
  const isGone = /no recurring subscriptions? found/i.test(reply.text);
  if (reply.response === '1' || isGone) return { outcome: 'OK', reference: charge.subscriptionId };
  return nmiRefusalResult(reply, 'void');
};

/** No transaction has this number, so voiding it changes nothing and shows whether the key may void at all. */
const nobody = '1';

const checkNmi = async (credentials: NmiKeys): Promise<Check> => {
  const asks = await askNmi(credentials, { transaction_id: nobody });
  const moves = await transactAtNmi(credentials, { type: 'void', transactionid: nobody }, patienceMilliseconds);
  const refusal = 'outcome' in moves ? moves : nmiRefusalResult(moves, 'void');
  const mayNotMove = refusal.outcome === 'EXC' && refusal.code === 'processor_credentials';
  const mayNotAsk = 'unasked' in asks && asks.isCredentials;
  if (mayNotAsk && mayNotMove) {
    return { isWorking: false, problem: 'credentials', missing: [], detail: 'NMI does not know this security key.' };
  }
  const missing = [
    ...(mayNotAsk ? ['Query API: transactions'] : []),
    ...(mayNotMove ? ['Payment API: void and refund'] : []),
  ];
  if (missing.length > 0) {
    return { isWorking: false, problem: 'credentials', missing, detail: 'The security key lacks a permission.' };
  }
  const isDown = 'unasked' in asks || refusal.outcome === 'UNKNOWN' || refusal.code === 'processor_unavailable';
  if (isDown) return { isWorking: false, problem: 'unavailable', missing: [], detail: 'NMI did not answer.' };
  return { isWorking: true };
};

export const nmiConnectedProcessorOf: ConnectedProcessorOf = ({ open }) => connectNmi(open('nmi'));
