import * as v from 'valibot';
import { brandNamed } from '#core/kernel/card/schemes.ts';
import { formatAmount, type Money, parseAmount, withoutZeroFraction } from '#core/kernel/money/money.ts';
import { withoutNoise } from '#core/kernel/money/noise.ts';
import { redactText } from '#core/platform/log/redaction.ts';
import {
  type ChargeCandidate,
  type ChargeRefundRequest,
  chargeSearchSpan,
  type DisputedCharge,
  refusedOutcome,
} from '../ports/connected-processor.ts';
import type { ProcessorResult } from '../ports/processor.ts';

/** The messages between Forewarn and a merchant's own service. docs/guides/connect-your-service.md describes them. Pure. */

const boundedText = (maxLength: number) => v.pipe(v.string(), v.maxLength(maxLength));

/** A text; or a whole number, of which a longer one would have lost digits. */
export const ServiceText = v.pipe(
  v.union([v.string(), v.pipe(v.number(), v.safeInteger(), v.transform(String))]),
  v.trim(),
);
/** A text that only informs; what cannot be one is left out. */
const informing = (read: (value: string) => string | null) =>
  v.optional(v.fallback(v.nullable(v.pipe(ServiceText, v.transform(read))), null), null);
export const within = (longest: number) => informing((value) => (value.length <= longest ? value || null : null));
/** Numbers lose the zeros that identifiers begin with. */
const digits = (count: number, read: RegExp) =>
  v.optional(
    v.nullable(
      v.pipe(
        v.union([
          v.string(),
          v.pipe(
            v.number(),
            v.safeInteger(),
            v.transform((one) => String(one).padStart(count, '0')),
          ),
        ]),
        v.transform((value) => value.replace(/^[\s*xX•.-]+/, '').trim()),
        v.regex(read, `must be ${count} digits`),
        v.transform((value) => value.slice(0, count)),
      ),
    ),
  );
/** A field that may be missing, null or an empty text, which all state nothing. */
export const perhaps = <Schema extends v.GenericSchema>(schema: Schema) =>
  v.optional(
    v.pipe(
      v.unknown(),
      v.transform((value) => (typeof value === 'string' && value.trim() === '' ? null : value)),
      v.nullable(schema),
    ),
    null,
  );
const flags: Readonly<Record<string, boolean>> = { true: true, yes: true, 1: true, false: false, no: false, 0: false };
const ServiceFlag = v.pipe(
  v.union([v.boolean(), v.string(), v.number()], 'must be true or false'),
  v.transform((value) => flags[String(value).trim().toLowerCase()] ?? value),
  v.boolean('must be true or false'),
);
export const OptionalFlag = perhaps(ServiceFlag);
const serviceFlag = (usual: boolean) =>
  v.pipe(
    OptionalFlag,
    v.transform((value) => value ?? usual),
  );
/** ISO 8601, also with a space, as a day alone, or without a zone, which is UTC. */
export const ServiceTime = v.pipe(
  v.string(),
  v.regex(/^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)? ?(?:Z|[+-]\d\d(?::?\d\d)?)?)?$/i, 'must be ISO 8601'),
  v.transform((value) => {
    const [, day = '', time = '00:00', zone = 'Z'] = /^(.{10})(?:[T ]([\d:.]+) ?(.+)?)?$/i.exec(value) ?? [];
    // A day that its month does not have would become one of the next month.
    const start = Date.parse(`${day}T00:00Z`);
    if (Number.isNaN(start) || !new Date(start).toISOString().startsWith(day)) return Number.NaN;
    const [, hours, minutes = '00'] = /^([+-]\d\d):?(\d\d)?$/.exec(zone) ?? [];
    return Date.parse(`${day}T${time}${hours === undefined ? 'Z' : `${hours}:${minutes}`}`);
  }),
  v.check((value) => !Number.isNaN(value), 'is no time'),
  v.transform((value) => new Date(value).toISOString()),
);
export const DecimalText = v.pipe(
  v.union([v.string(), v.pipe(v.number(), v.transform(String))], 'must be a decimal'),
  v.trim(),
  v.transform(withoutNoise),
);
/** An amount of a service, perhaps with zeros that its currency does not have. */
export const readServiceAmount = (text: string, currency: string): Money | string =>
  parseAmount(withoutZeroFraction(text, currency), currency);

const Charge = v.looseObject({
  reference: v.pipe(ServiceText, v.minLength(1, 'is empty'), v.maxLength(200, 'is longer than 200 characters')),
  order_reference: within(200),
  type: informing((value) => value.replace(/\W+/g, '_').slice(0, 40) || null),
  date: ServiceTime,
  amount: DecimalText,
  currency: v.pipe(v.string(), v.trim(), v.toUpperCase()),
  card: v.nullish(
    v.looseObject({ first6: digits(6, /^(?:\d{6,8})?$/), last4: digits(4, /^(?:\d{4})?$/), brand: within(40) }),
    {},
  ),
  auth_code: v.nullish(
    v.fallback(
      v.pipe(
        v.union([
          v.string(),
          v.pipe(
            v.number(),
            v.safeInteger(),
            v.transform((one) => String(one).padStart(6, '0')),
          ),
        ]),
        v.trim(),
        v.maxLength(12),
      ),
      '',
    ),
    '',
  ),
  arn: v.nullish(
    v.fallback(
      v.pipe(
        v.string(),
        v.transform((one) => one.replace(/[\s'’-]/g, '')),
        v.maxLength(23),
      ),
      '',
    ),
    '',
  ),
  captured: perhaps(DecimalText),
  refunded: perhaps(DecimalText),
  refunded_at: v.nullish(v.fallback(v.nullable(ServiceTime), null), null),
  charged_back: serviceFlag(false),
  charged_back_at: v.nullish(v.fallback(v.nullable(ServiceTime), null), null),
  settled: serviceFlag(true),
  subscription: within(200),
  descriptor: informing((value) => value.slice(0, 60).toWellFormed() || null),
  caid: within(15),
});
type Charge = v.InferOutput<typeof Charge>;

/** The largest number of charges on a page of a list. */
export const maxListedCharges = 500;

/** The largest number of charges that are read of a search. */
const maxFoundCharges = 100;

const Charges = v.array(v.unknown(), 'must be a list');

const SearchAnswer = v.looseObject({ charges: Charges, more: v.nullish(serviceFlag(false), false) });

/** A page of a list of charges. */
export const ListAnswer = v.looseObject({
  charges: v.pipe(Charges, v.maxLength(maxListedCharges, `has more than ${maxListedCharges} charges`)),
  next_cursor: perhaps(v.pipe(ServiceText, v.maxLength(500))),
});

/** Other words of services for the three states, in any case. */
const refundWords: Readonly<Record<string, string>> = {
  ...{ success: 'succeeded', successful: 'succeeded', completed: 'succeeded', refunded: 'succeeded' },
  ...{ processing: 'pending', in_progress: 'pending', failure: 'failed', declined: 'failed', rejected: 'failed' },
  ...{ canceled: 'failed', cancelled: 'failed' },
};

const wordsOfFailure = (failure: unknown): string | null =>
  typeof failure === 'string' || typeof failure === 'number'
    ? String(failure).slice(0, 500).toWellFormed().trim() || null
    : null;

const RefundAnswer = v.looseObject({
  status: v.pipe(
    v.string(),
    v.transform((status) =>
      status
        .trim()
        .toLowerCase()
        .replace(/[\s-]+/g, '_'),
    ),
    v.transform((status) => (Object.hasOwn(refundWords, status) ? refundWords[status] : status)),
    v.picklist(['succeeded', 'pending', 'failed']),
  ),
  // A longer number has lost digits, and is no reference any more.
  refund_reference: v.optional(
    v.nullable(v.union([boundedText(200), v.pipe(v.number(), v.safeInteger(), v.transform(String))])),
    null,
  ),
  // It only informs, so that no form of it makes the result unknown.
  failure: v.optional(v.pipe(v.unknown(), v.transform(wordsOfFailure)), null),
});

/** The body of a search for an alert's charge. Empty texts and a null amount mean that the alert does not state them. */
export const searchBody = (disputed: DisputedCharge): object => {
  const { from, to } = chargeSearchSpan(disputed);
  const { alertId = null, arn, authCode, first6, last4, brand = null, money, day, descriptor } = disputed;
  return {
    alert_id: alertId,
    arn,
    auth_code: authCode,
    card: { first6, last4, brand },
    amount: money && formatAmount(money),
    currency: money?.currency ?? null,
    transaction_date: day,
    from: new Date(from).toISOString(),
    to: new Date(to).toISOString(),
    descriptor,
  };
};

export const refundBody = ({ reference, money, reason, alertId, key }: ChargeRefundRequest): object => ({
  reference,
  amount: formatAmount(money),
  currency: money.currency,
  reason,
  alert_id: alertId,
  idempotency_key: key,
});

/** A charge that could not be read, and why; `reference` and `last4` are empty where those could not be read either. */
type UnreadableCharge = { reference: string; last4: string; words: string };

/** Names the field of an issue and the reason, without the value, which may be a payer's. */
export const describeIssues = ([issue]: readonly v.BaseIssue<unknown>[]): string => {
  const field = (issue?.path ?? []).map(({ key }) => String(key)).join('.') || 'the answer';
  if (issue?.received === 'undefined') return `${field} is missing`;
  return `${field} ${/^(?:must|is|has)/.test(issue?.message ?? '') ? issue?.message : `is ${issue?.received.slice(0, 1) === '"' ? 'of another form' : (issue?.received ?? 'unknown')}`}`;
};

const readAmounts = ({ amount, captured, refunded, currency }: Charge) => {
  const found = { amount, captured: captured ?? amount, refunded: refunded ?? '0' };
  const [money, taken, back] = Object.entries(found).map(([field, value]) => {
    const read = readServiceAmount(value, currency);
    return typeof read === 'string' ? `${field} ${read}` : read;
  }) as [Money | string, Money | string, Money | string];
  if (typeof money === 'string') return money;
  if (typeof taken === 'string') return taken;
  return typeof back === 'string' ? back : { money, captured: taken.minor, refunded: back.minor };
};

/** Reads one charge of an answer; a string says why it cannot be read. */
export const readCharge = (body: unknown): ChargeCandidate | string => {
  const { success, output: charge, issues } = v.safeParse(Charge, body);
  if (!success) return describeIssues(issues);
  const amounts = readAmounts(charge);
  if (typeof amounts === 'string') return amounts;
  return {
    reference: charge.reference,
    secondReference: charge.order_reference ?? '',
    type: charge.type ?? 'charge',
    date: charge.date,
    first6: charge.card?.first6 ?? '',
    last4: charge.card?.last4 ?? '',
    ...brandNamed(charge.card?.brand),
    authCode: charge.auth_code || null,
    arn: charge.arn || null,
    ...amounts,
    ...(charge.refunded_at !== null && { refundedAt: charge.refunded_at }),
    isChargedBack: charge.charged_back,
    ...(charge.charged_back && charge.charged_back_at !== null && { chargedBackAt: charge.charged_back_at }),
    isSettled: charge.settled,
    isUnclear: false,
    subscription: charge.subscription,
    descriptor: charge.descriptor ?? '',
    ...(charge.caid && { caid: charge.caid }),
  };
};

const Named = v.object({
  reference: v.fallback(ServiceText, ''),
  card: v.fallback(v.object({ last4: v.fallback(v.string(), '') }), { last4: '' }),
});

/** Reads each charge by itself, so that one of another form makes no other unusable. */
export const readCharges = (bodies: readonly unknown[]) => {
  const candidates: ChargeCandidate[] = [];
  const unreadable: UnreadableCharge[] = [];
  for (const [index, body] of bodies.entries()) {
    const read = readCharge(body);
    if (typeof read !== 'string') {
      candidates.push(read);
      continue;
    }
    const { success, output } = v.safeParse(Named, body);
    const reference = success ? output.reference.slice(0, 200) : '';
    const words = redactText(`charge ${reference || index + 1}: ${read}`);
    unreadable.push({ reference, last4: success ? output.card.last4 : '', words });
  }
  return { candidates, unreadable };
};

/** Reads the answer to a search; a string says why it cannot be read. */
export const readSearch = (body: unknown) => {
  const { success, output, issues } = v.safeParse(SearchAnswer, Array.isArray(body) ? { charges: body } : body);
  if (!success) return describeIssues(issues);
  const { charges, more } = output;
  const isWhole = !more && charges.length <= maxFoundCharges;
  return { ...readCharges(charges.slice(0, maxFoundCharges)), isWhole };
};

/** The result of a refund by an answer; a string says why the answer cannot be read, so that the result is unknown. */
export const readRefundResult = (body: unknown): ProcessorResult | string => {
  const { success, output, issues } = v.safeParse(RefundAnswer, body);
  if (!success) return describeIssues(issues);
  const { status, refund_reference: reference, failure } = output;
  if (status === 'failed')
    return refusedOutcome('refund_failed', redactText(failure ?? 'the service refused the refund'));
  if (reference === null || reference.trim() === '') return 'refund_reference is missing';
  return status === 'succeeded' ? { outcome: 'OK', reference } : { outcome: 'PEND', reference };
};
