import { withLuhnDigit } from '#core/kernel/card/luhn.ts';
import { iso, milliseconds } from '#core/kernel/clock.ts';
import type { DeclineCode } from '../decline-codes.ts';
import {
  type ChargeCandidate,
  type ChargeRefundRequest,
  chargeSearchSpan,
  type DisputedCharge,
  refundLeft,
  refusedOutcome,
} from '../ports/connected-processor.ts';
import type { ProcessorResult } from '../ports/processor.ts';
import { behaviourOf } from './sandbox.ts';

/**
 * Sample charges that a merchant supposedly took elsewhere, for trying out what happens to an alert: twenty a day, the same
 * each day, at every full hour. Amounts end as those of the sandbox do (docs/decisions/0031): .61 a refund that is pending for a
 * minute, .62 one whose reply is lost, .65 one that fails, .66 one that never arrives. Pure.
 */
type Sample = {
  card: string;
  minor: bigint;
  currency?: string;
  /** The amount that was refunded from the start. */
  refunded?: bigint;
  isChargedBack?: boolean;
  /** Not settled yet: only the whole of it can be given back. */
  isOpen?: boolean;
  isRecurring?: boolean;
};

const samples: readonly Sample[] = [
  { card: '4111111111111111', minor: 1999n },
  { card: '4111111111111111', minor: 4520n },
  // Two alike: an alert could be about either.
  { card: '4111111111111111', minor: 3900n },
  { card: '4111111111111111', minor: 3900n },
  { card: '4111111111111111', minor: 7500n, refunded: 7500n },
  { card: '4111111111111111', minor: 8000n, refunded: 3000n },
  { card: '4111111111111111', minor: 9000n, isChargedBack: true },
  { card: '4111111111111111', minor: 2500n, isOpen: true },
  { card: '4111111111111111', minor: 1261n },
  { card: '4111111111111111', minor: 1262n },
  { card: '4111111111111111', minor: 1265n },
  { card: '4111111111111111', minor: 1266n },
  { card: '5555555555554444', minor: 5900n },
  { card: '5555555555554444', minor: 5900n, currency: 'EUR' },
  { card: '5555555555554444', minor: 990n, isRecurring: true },
  { card: '5555555555554444', minor: 12_000n },
  { card: '4242424242424242', minor: 36_156n },
  { card: '4242424242424242', minor: 4999n },
  { card: '378282246310005', minor: 20_000n },
  { card: '3530111333300000', minor: 3000n, currency: 'JPY' },
];

type SandboxRefund = { key: string; minor: string; at: string; state: 'done' | 'failed' | 'pending' };
/** The row of a sample charge: what has happened to it since. */
export type SandboxCharge = { refunds: readonly SandboxRefund[]; isCancelled: boolean; version: number };
export const untouched: SandboxCharge = { refunds: [], isCancelled: false, version: 0 };

const chargeDay = (at: number): string => iso(at).slice(0, 10);
const chargeId = (day: string, index: number): string =>
  `sbc_${day.replaceAll('-', '')}_${String(index + 1).padStart(2, '0')}`;

const pendingMilliseconds = milliseconds.minute;
const isDone = ({ state, at }: SandboxRefund, now: number): boolean =>
  state === 'done' || (state === 'pending' && now >= Date.parse(at) + pendingMilliseconds);

/** The current state of a sample charge; undefined if there is none by that reference, or not yet. */
export const sandboxCandidate = (
  reference: string,
  charge: SandboxCharge,
  now: number,
): ChargeCandidate | undefined => {
  const [, year, month, day, number = ''] = /^sbc_(\d{4})(\d\d)(\d\d)_(\d\d)$/.exec(reference) ?? [];
  const sample = samples[Number(number) - 1];
  const at = Date.parse(`${year}-${month}-${day}T00:00:00Z`) + (Number(number) - 1) * milliseconds.hour;
  if (!sample || Number.isNaN(at) || at > now) return undefined;
  const { card, minor, currency = 'USD', refunded = 0n, isChargedBack = false, isOpen = false, isRecurring } = sample;
  const since = charge.refunds
    .filter(({ state }) => state !== 'failed')
    .reduce((sum, one) => sum + BigInt(one.minor), 0n);
  return {
    reference,
    secondReference: `order-${reference.slice(4)}`,
    type: 'sale',
    date: iso(at),
    money: { minor, currency },
    first6: card.slice(0, 6),
    last4: card.slice(-4),
    authCode: String(100_000 + Number(`${day}${number}`)),
    arn: withLuhnDigit(`7465${year}${month}${day}${number.padStart(10, '0')}`),
    captured: minor,
    refunded: refunded + since,
    ...(refunded + since > 0n && {
      refundedAt: charge.refunds.findLast(({ state }) => state !== 'failed')?.at ?? iso(at),
    }),
    isChargedBack,
    ...(isChargedBack && { chargedBackAt: iso(at) }),
    isSettled: !isOpen,
    isUnclear: false,
    subscription: isRecurring && !charge.isCancelled ? `sbs_${card.slice(-4)}` : null,
    // Of whatever shop tries it out.
    descriptor: '',
  };
};

/** The sample charges that a card made around a day. */
export const sandboxReferences = (disputed: DisputedCharge, now: number): string[] => {
  const { from, to } = chargeSearchSpan(disputed);
  const days = new Set<string>();
  for (let at = from; at <= to; at += milliseconds.day) days.add(chargeDay(at));
  days.add(chargeDay(to));
  return [...days].flatMap((day) =>
    samples.flatMap((_, index) => {
      const candidate = sandboxCandidate(chargeId(day, index), untouched, now);
      const isOf =
        candidate?.last4 === disputed.last4 && (disputed.first6 === '' || candidate.first6 === disputed.first6);
      const at = candidate ? Date.parse(candidate.date) : 0;
      return candidate && isOf && at >= from && at <= to ? [candidate.reference] : [];
    }),
  );
};

const sandboxEnd = (reference: string, { key, state, at }: SandboxRefund, now: number): ProcessorResult => {
  const own = `${reference}_r${key.slice(-8)}`;
  if (state === 'failed') return { outcome: 'EXC', code: 'refund_failed', reference: own };
  return isDone({ key, minor: '', state, at }, now)
    ? { outcome: 'OK', reference: own }
    : { outcome: 'PEND', reference: own, nextAction: null };
};

/** The result of a refund that was requested before; undefined if it was not. */
export const sandboxRefundOf = (
  reference: string,
  charge: SandboxCharge,
  request: Pick<ChargeRefundRequest, 'key'>,
  now: number,
): ProcessorResult | undefined => {
  const made = charge.refunds.find(({ key }) => key === request.key);
  return made && sandboxEnd(reference, made, now);
};

const lost: ProcessorResult = { outcome: 'UNKNOWN', detail: 'The sandbox lost its answer on purpose' };

/** The charge after a refund was requested, and the reply; if it is the same charge object, nothing has to be written. */
export const withSandboxRefund = (
  charge: SandboxCharge,
  request: ChargeRefundRequest,
  now: number,
): { charge: SandboxCharge; answer: ProcessorResult } => {
  const before = sandboxRefundOf(request.reference, charge, request, now);
  if (before) return { charge, answer: before };
  const candidate = sandboxCandidate(request.reference, charge, now);
  const refuse = (code: DeclineCode, detail: string) => ({
    charge,
    answer: refusedOutcome(code, `sandbox: ${detail}`),
  });
  if (!candidate) return refuse('not_found_at_processor', 'no such charge');
  const { minor, currency } = request.money;
  if (currency !== candidate.money.currency || minor <= 0n) return refuse('amount_invalid', 'another currency');
  if (minor > refundLeft(candidate)) return refuse('amount_invalid', 'more than is left');
  if (!candidate.isSettled && minor !== candidate.captured) return refuse('refund_failed', 'it has not settled yet');
  const behaviour = behaviourOf(candidate.money.minor);
  if (behaviour === 'never_arrives') return { charge, answer: lost };
  const state = behaviour === 'refunds_fail' ? 'failed' : behaviour === 'pending' ? 'pending' : 'done';
  const made: SandboxRefund = { key: request.key, minor: String(minor), at: iso(now), state };
  const after = { ...charge, refunds: [...charge.refunds, made], version: charge.version + 1 };
  return { charge: after, answer: behaviour === 'lost' ? lost : sandboxEnd(request.reference, made, now) };
};
