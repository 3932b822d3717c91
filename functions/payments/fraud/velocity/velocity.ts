import { milliseconds } from '#core/kernel/clock.ts';
import { countedMinor } from '#core/kernel/money/counted-minor.ts';
import { formatAmount } from '#core/kernel/money/money.ts';
import { recordNames } from '#core/kernel/record-of.ts';
import { flatten } from '#payments/conditions/condition-reader.ts';
import { type Facts, factLabel } from '#payments/conditions/fact-values.ts';
import { type FraudSubject, ipNetwork, payerEmail, payerIp, subjectDigestOf, toMailbox } from '../check/subject.ts';
import type { TemplateRule } from '../template/template.ts';

/**
 * Velocity: how often, and for how much, a card, an e-mail address, an IP address or a device was used at a site. Counted per
 * hour, declined payments included: card testing is mostly declined. A payment sees the payments and a check the
 * checks, each with itself, so that a merchant who does both for one order does not see it twice.
 */
export const velocityScopes = ['card', 'email', 'ip', 'device'] as const;
export type VelocityScope = (typeof velocityScopes)[number];

export const velocityWindows = { '1h': 1, '24h': 24, '7d': 168 } as const;
export type VelocityWindow = keyof typeof velocityWindows;
const windows = recordNames(velocityWindows);

/** A row of counters as it is read. */
export type VelocityRow = Readonly<Record<string, unknown>>;

/** The scopes whose counters rules use: others counted at the same moment must not invalidate their decisions. */
export const scopesAsked = (rules: readonly Pick<TemplateRule, 'conditions'>[]): VelocityScope[] => {
  const asked = rules.flatMap(({ conditions }) => flatten(conditions));
  return velocityScopes.filter((scope) =>
    asked.some(
      ({ fact, params }) =>
        (fact.startsWith('velocity_') && params?.of === scope) ||
        (fact === 'is_first_transaction' && (scope === 'card' || scope === 'email')),
    ),
  );
};

/** The names of the rows that count a subject, by scope; none for an unknown value. No address is kept as it is. */
export const velocityNames = (subject: FraudSubject): { scope: VelocityScope; name: string }[] => {
  const [email, ip] = [payerEmail(subject), payerIp(subject)];
  const names: Record<VelocityScope, string | null> = {
    card: subject.card && `CARD#${subject.card.token}`,
    email: email && `EMAIL#${subjectDigestOf(toMailbox(email))}`,
    ip: ip && `IP#${subjectDigestOf(ipNetwork(ip))}`,
    device: subject.device.id && `DEVICE#${subjectDigestOf(subject.device.id)}`,
  };
  return velocityScopes.flatMap((scope) => {
    const name = names[scope];
    return name ? [{ scope, name }] : [];
  });
};

const utcHour = (time: number): string => new Date(time).toISOString().slice(0, 'YYYY-MM-DDTHH'.length);

/** The hours of a window: from the beginning of the one in which it starts, so it is up to an hour longer than it says. */
const hoursWithin = (window: VelocityWindow, at: string): string[] => {
  const count = velocityWindows[window];
  return Array.from({ length: count + 1 }, (_, index) => utcHour(Date.parse(at) - (count - index) * milliseconds.hour));
};

const letterOf = { payment: 'p', check: 'c' } as const;

/** The attributes of an hour: the count, and the sum in one currency. */
export const velocityAttributes = ({ kind, money, at }: Pick<FraudSubject, 'kind' | 'money' | 'at'>) => {
  const count = `${utcHour(Date.parse(at))}|${letterOf[kind]}`;
  return { count, sum: `${count}|${money.currency}`, first: `first|${letterOf[kind]}` };
};

/** The attributes of a row that no window reaches any more, the oldest first. */
export const outdatedBuckets = (row: VelocityRow | undefined, at: string): string[] => {
  const oldest = utcHour(Date.parse(at) - velocityWindows['7d'] * milliseconds.hour);
  return Object.keys(row ?? {})
    .filter((name) => /^\d{4}-\d\d-\d\dT\d\d\|/.test(name) && name < oldest)
    .sort();
};

/** Velocities as facts, the subject itself included; an unknown scope has none. */
export const velocityFacts = (subject: FraudSubject, rowOf: (name: string) => VelocityRow | undefined): Facts => {
  const { kind, money, at } = subject;
  const counted = windows.map((window) => ({
    window,
    counters: hoursWithin(window, at).map((hour) => `${hour}|${letterOf[kind]}`),
  }));
  const facts = velocityNames(subject).flatMap(({ scope, name }) =>
    counted.flatMap(({ window, counters }) => {
      const row = rowOf(name) ?? {};
      const total = (names: readonly string[]) => names.reduce((sum, one) => sum + Number(row[one] ?? 0), 0);
      const minor = total(counters.map((one) => `${one}|${money.currency}`)) + countedMinor(money.minor);
      const params = { of: scope, window };
      return [
        [factLabel('velocity_count', params), total(counters) + 1],
        [factLabel('velocity_sum', params), Number(formatAmount({ minor: BigInt(minor), currency: money.currency }))],
      ] as const;
    }),
  );
  return { ...Object.fromEntries(facts), is_first_transaction: isFirst(subject, rowOf) };
};

/** Checks whether neither the card nor the e-mail address was used at the site before; null if neither is known. */
const isFirst = (subject: FraudSubject, rowOf: (name: string) => VelocityRow | undefined): boolean | null => {
  const payers = velocityNames(subject).filter(({ scope }) => scope === 'card' || scope === 'email');
  if (payers.length === 0) return null;
  const { first } = velocityAttributes(subject);
  return payers.every(({ name }) => rowOf(name)?.[first] === undefined);
};
