import { milliseconds } from '#core/kernel/clock.ts';
import type { EnrollmentItem, ItemStatus } from './enrollment.ts';
import type { ProviderName } from './enrollment-vocabulary.ts';

/** The port through which descriptors are enrolled with the alert providers. */
type EnrollmentProvider = {
  /** The status that an item gets automatically after a while; null: it stays until a person sets another. */
  next: (item: EnrollmentItem) => { status: ItemStatus; afterMilliseconds: number } | null;
};

/** An administrator does it by hand and sets each item's status. */
const manual: EnrollmentProvider = { next: () => null };

const itemMark = ({ descriptor, networkCaid, rdrRuleset }: EnrollmentItem): string =>
  [descriptor, networkCaid, rdrRuleset].join(' ').toUpperCase();

const submitting = milliseconds.minute;
const answering = 5 * milliseconds.minute;

/**
 * Asks no provider: a minute until it is "with the provider", five more until the provider "answers". An item with FAIL in its descriptor,
 * CAID or ruleset fails, one with ACTION waits for a person.
 */
const sandbox: EnrollmentProvider = {
  next: (item) => {
    const mark = itemMark(item);
    if (item.status === 'PENDING') {
      const status = mark.includes('ACTION') ? 'WAITING FOR ACTION' : 'WAITING FOR PROVIDER';
      return { status, afterMilliseconds: submitting };
    }
    if (item.status !== 'WAITING FOR PROVIDER') return null;
    return { status: mark.includes('FAIL') ? 'FAILED' : 'ENROLLED', afterMilliseconds: answering };
  },
};

const enrollmentProviders: Readonly<Record<ProviderName, EnrollmentProvider>> = { manual, sandbox };
/** The provider of that name; any other setting means by hand. */
export const providerNamed = (name: string | undefined): ProviderName => (name === 'sandbox' ? 'sandbox' : 'manual');

/** The item with its next status. `at`: ISO, when it took its present one. */
export const withNext = (item: EnrollmentItem, name: ProviderName, at: string): EnrollmentItem => {
  const next = enrollmentProviders[name].next(item);
  return {
    ...item,
    next: next && { status: next.status, at: new Date(Date.parse(at) + next.afterMilliseconds).toISOString() },
  };
};

/** The time by which a message may arrive early, by this machine's clock. */
const earlyMilliseconds = 5 * milliseconds.second;

/** The items whose time has come (`now` in milliseconds). */
export const itemsDue = (items: readonly EnrollmentItem[], now: number): EnrollmentItem[] =>
  items.filter(({ next }) => next !== null && Date.parse(next.at) <= now + earlyMilliseconds);

/** When (ISO) the first of the items changes by itself; undefined if none does. */
export const nextAt = (items: readonly EnrollmentItem[]): string | undefined =>
  items.flatMap(({ next }) => (next ? [next.at] : [])).sort()[0];
