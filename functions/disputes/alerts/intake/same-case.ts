import { milliseconds } from '#core/kernel/clock.ts';
import { comparableAuthCode, statedArn } from '#disputes/matching/identifiers.ts';
import type { ProviderAlert } from '#disputes/providers/providers.ts';

/** A reference without case and blanks; undefined if it is empty, or masked so that others could have the same. */
const comparableReference = (text: string): string | undefined => {
  const reference = text.replace(/\s/g, '').toUpperCase();
  return reference === '' || /[*•X]{4}/.test(reference) ? undefined : reference;
};

/** Fields that a provider never changes within a case, with what they are called, and the form in which they are compared. */
const identity = [
  ['card', 'card', (text: string) => text || undefined],
  ['authCode', 'authorization', comparableAuthCode],
  ['transactionId', 'transaction', comparableReference],
] as const satisfies readonly (readonly [keyof ProviderAlert, string, (text: string) => string | undefined])[];

/** Time zones and days of banks differ. */
const maxDays = 2;

const isOtherDay = (left: string, right: string): boolean =>
  Math.abs(Date.parse(left) - Date.parse(right)) > maxDays * milliseconds.day;

/**
 * Describes what another message under the name of a known case is about: another card, authorization or transaction; undefined if it can be
 * about the same case. The same acquirer reference number is the same transaction; a field that one of them leaves out says nothing.
 */
export const otherCaseOf = (known: ProviderAlert, sent: ProviderAlert): string | undefined => {
  const [arn, sentArn] = [statedArn(known.arn), statedArn(sent.arn)];
  if (arn !== undefined && sentArn !== undefined) return arn === sentArn ? undefined : 'transaction';
  const stated = identity
    .map(([field, what, read]) => ({ field, what, before: read(known[field]), now: read(sent[field]) }))
    .filter(({ before, now }) => before !== undefined && now !== undefined);
  const different = stated.find(({ before, now }) => before !== now);
  if (different) return different.what;
  const isIdentified = stated.some(({ field }) => field !== 'card');
  return !isIdentified && isOtherDay(known.transactionAt, sent.transactionAt) ? 'transaction' : undefined;
};

/** The transaction of a message, for a person who compares two. */
const describe = ({ card, amount, currency, authCode, arn, transactionAt, issuerName }: ProviderAlert): string =>
  [
    card,
    `${amount} ${currency}`,
    transactionAt.slice(0, 'YYYY-MM-DD'.length),
    authCode && `authorization ${authCode}`,
    arn,
    issuerName,
  ]
    .filter((part) => part !== '')
    .join(', ');

/** Names both cases of one name: the known one by its alert, and the one that was sent. */
export const namedTwice = (alertId: number, known: ProviderAlert, sent: ProviderAlert, what: string): string =>
  `case ${known.caseId} is about another ${what} than alert ${alertId}, which has the same name and is kept as it is: ` +
  `known ${describe(known)}; sent ${describe(sent)}. Check both, and send this one again under a name of its own.`;
