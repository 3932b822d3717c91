import { iso, milliseconds } from '#core/kernel/clock.ts';
import { Refusal } from '#core/platform/operation/errors.ts';
import type { ChargeListResult, ChargePage } from '#payments/processors/ports/connected-processor.ts';
import type { ProcessorDispute } from '#payments/processors/ports/dispute.ts';
import { type ConnectionKind, disputeListers, isAtMerchant } from '#payments/processors/ports/processors.ts';
import { addCharge, addDispute, type ChargeStatistics, noStatistics } from './charge-statistics.ts';

/** The parts of a history that an import can read. Refunds are read with the charges. */
export const importParts = ['charges', 'refunds', 'disputes'] as const;
export type ImportPart = (typeof importParts)[number];

export const importStates = ['RUNNING', 'PAUSED', 'DONE', 'CANCELLED', 'FAILED'] as const;

/** The counts so far. `orders`: orders whose charge is known now; `refunds`: orders whose refund was added; `unreadable`: charges left out. */
export type ImportCounts = { charges: number; disputes: number; orders: number; refunds: number; unreadable: number };

/** An import of a connection's history, and its progress. All times are ISO. */
export type HistoryImport = {
  id: string;
  mid: number;
  connection: string;
  kind: ConnectionKind;
  parts: readonly ImportPart[];
  /** From `from`, inclusive, until `to`, exclusive. */
  from: string;
  to: string;
  by: string;
  state: (typeof importStates)[number];
  /** Why it failed, or why it waits; null if neither. */
  trouble: string | null;
  startedAt: string;
  updatedAt: string;
  /** When it continues, and how often in a row it was not answered. */
  nextAt: string;
  failures: number;
  /** True if a merchant's own service offers a list of disputes; absent: it was not asked yet. */
  listsDisputes?: boolean;
  /** The part that it reads now: charges from `position` on, a week at a time; or disputes that were opened before `position`. */
  reading: 'charges' | 'disputes';
  position: string;
  /** The cursor within the week; null: at its beginning. */
  cursor: string | null;
  /** Pages of charges that were read within the week. */
  pages: number;
  counts: ImportCounts;
  /** The first charges that could not be read, each with its field and the reason. */
  unread: readonly string[];
  statistics: ChargeStatistics;
  version: number;
};

/** A week is read at a time, so that the position of a busy account stays exact. */
const windowMilliseconds = 7 * milliseconds.day;

/** The end of the week that is being read. */
export const weekEnd = ({ position, to }: Pick<HistoryImport, 'position' | 'to'>): string => {
  const end = iso(Date.parse(position) + windowMilliseconds);
  return end < to ? end : to;
};

type Source = Pick<HistoryImport, 'parts' | 'kind' | 'listsDisputes'>;

const wantsDisputes = ({ parts, kind }: Source): boolean => parts.includes('disputes') && disputeListers.includes(kind);

/** A merchant's own service need not offer a list of disputes, and is asked first. */
export const needsOffer = (source: Source): boolean =>
  wantsDisputes(source) && isAtMerchant(source.kind) && source.listsDisputes === undefined;

/** Checks whether disputes are read from a list of them; elsewhere each charge states whether it was charged back. */
export const readsDisputes = (source: Source): boolean =>
  wantsDisputes(source) && (!isAtMerchant(source.kind) || source.listsDisputes === true);

export const readsCharges = (source: Source): boolean =>
  !readsDisputes(source) || source.parts.includes('charges') || source.parts.includes('refunds');

/** The usual and the greatest time that is imported. */
const usualMilliseconds = 365 * milliseconds.day;
const longestMilliseconds = 3 * usualMilliseconds;

/** The time to import: a year until now unless the caller says otherwise. Throws request_invalid. */
export const importSpan = (
  sent: { from?: string | undefined; to?: string | undefined },
  now: string,
): { from: string; to: string } => {
  const to = sent.to ?? now;
  const from = sent.from ?? iso(Date.parse(to) - usualMilliseconds);
  if (to > now) throw new Refusal('request_invalid', 'to: must not be in the future');
  if (from >= to) throw new Refusal('request_invalid', 'from: must be before to');
  if (Date.parse(now) - Date.parse(from) > longestMilliseconds) {
    throw new Refusal('request_invalid', 'from: must be at most three years ago');
  }
  return { from, to };
};

type Wanted = Pick<HistoryImport, 'id' | 'mid' | 'connection' | 'kind' | 'parts' | 'from' | 'to' | 'by'>;

const beginning = (one: Source & Pick<HistoryImport, 'from' | 'to'>): Pick<HistoryImport, 'reading' | 'position'> =>
  readsCharges(one) ? { reading: 'charges', position: one.from } : { reading: 'disputes', position: one.to };

/** A new import. `at`: now. */
export const newImport = (wanted: Wanted, at: string): HistoryImport => ({
  ...wanted,
  state: 'RUNNING',
  trouble: null,
  startedAt: at,
  updatedAt: at,
  nextAt: at,
  failures: 0,
  ...beginning(wanted),
  cursor: null,
  pages: 0,
  counts: { charges: 0, disputes: 0, orders: 0, refunds: 0, unreadable: 0 },
  unread: [],
  statistics: noStatistics,
  version: 1,
});

/** Returns the share of the span that has been read, in percent; 100 only for all of it. */
export const percentDone = (one: HistoryImport): number => {
  if (one.state === 'DONE') return 100;
  const [from, to, position] = [one.from, one.to, one.position].map((at) => Date.parse(at)) as [number, number, number];
  const share = one.reading === 'charges' ? (position - from) / (to - from) : (to - position) / (to - from);
  const phases = readsCharges(one) && readsDisputes(one) ? 2 : 1;
  const before = phases === 2 && one.reading === 'disputes' ? 1 : 0;
  return Math.min(99, Math.floor((100 * (before + share)) / phases));
};

const withAnswer = (one: HistoryImport, at: string): HistoryImport => ({
  ...one,
  trouble: null,
  failures: 0,
  nextAt: at,
  updatedAt: at,
  version: one.version + 1,
});

/** The number of unreadable charges and disputes that are named. */
const maxUnreadNamed = 20;

const withUnread = (one: HistoryImport, words: readonly string[]): Pick<HistoryImport, 'counts' | 'unread'> => ({
  counts: { ...one.counts, unreadable: one.counts.unreadable + words.length },
  unread: [...one.unread, ...words].slice(0, maxUnreadNamed),
});

/** The import after the service has said whether it lists disputes. */
export const afterOffer = (one: HistoryImport, isOffered: boolean, at: string): HistoryImport => {
  const known = { ...withAnswer(one, at), listsDisputes: isOffered };
  return isOffered ? { ...known, ...beginning(known) } : known;
};

/** The number of pages that a week has at most. */
const maxPages = 10_000;

/** Checks whether a list repeats its cursor, or has more pages than a week of charges needs. */
const isEndless = ({ cursor, pages }: HistoryImport, next: string): boolean => next === cursor || pages >= maxPages;

/** The import after a page of charges. `done`: what was done with them. */
export const afterCharges = (
  one: HistoryImport,
  { charges, next, unread = [] }: ChargePage,
  done: Pick<ImportCounts, 'orders' | 'refunds'>,
  at: string,
): HistoryImport => {
  const { statistics } = one;
  const { counts, unread: named } = withUnread(one, unread);
  const read: HistoryImport = {
    ...withAnswer(one, at),
    counts: {
      ...counts,
      charges: counts.charges + charges.length,
      orders: counts.orders + done.orders,
      refunds: counts.refunds + done.refunds,
    },
    unread: named,
    statistics: charges.reduce((sums, charge) => addCharge(sums, charge, !readsDisputes(one)), statistics),
    cursor: next,
    pages: next === null ? 0 : one.pages + 1,
  };
  if (next !== null && isEndless(one, next)) {
    return { ...read, state: 'FAILED', trouble: 'The connection lists its charges without end.' };
  }
  if (next !== null) return read;
  const position = weekEnd(one);
  if (position < one.to) return { ...read, position };
  return readsDisputes(one) ? { ...read, reading: 'disputes', position: one.to } : { ...read, position, state: 'DONE' };
};

/** The import after a part of the disputes. `before`: those opened before that time are still to be read; undefined: none are. */
export const afterDisputes = (
  one: HistoryImport,
  disputes: readonly Pick<ProcessorDispute, 'openedAt' | 'network' | 'reasonCode' | 'stage' | 'status'>[],
  { before, unread = [], at }: { before: string | undefined; unread?: readonly string[]; at: string },
): HistoryImport => {
  const raised = disputes.filter(({ stage, status }) => stage !== 'inquiry' && status !== 'refunded_by_network');
  const known = withUnread(one, unread);
  const counts = { ...known.counts, disputes: one.counts.disputes + raised.length };
  const statistics = raised.reduce(addDispute, one.statistics);
  const isLast = before === undefined || before <= one.from;
  const reached: Partial<HistoryImport> = isLast ? { state: 'DONE', position: one.from } : { position: before };
  return { ...withAnswer(one, at), ...known, counts, statistics, ...reached };
};

/** The longest time between two attempts, and the number of attempts without an answer after which an import fails: about two days. */
const longestPause = milliseconds.hour;
const shortestPause = 30 * milliseconds.second;
const maxFailures = 55;

/** The import after the connection was not answered: it waits, longer each time, and fails in the end. */
export const afterSilence = (one: HistoryImport, detail: string, at: string): HistoryImport => {
  const failures = one.failures + 1;
  if (failures >= maxFailures) return failImport(one, `The connection did not answer for two days: ${detail}`, at);
  const pause = Math.min(longestPause, shortestPause * 2 ** one.failures);
  const nextAt = iso(Date.parse(at) + pause);
  return { ...one, failures, nextAt, trouble: detail, updatedAt: at, version: one.version + 1 };
};

export const failImport = (one: HistoryImport, trouble: string, at: string): HistoryImport => ({
  ...one,
  state: 'FAILED',
  trouble,
  updatedAt: at,
  version: one.version + 1,
});

/** The import after a list of charges could not be read; undefined if it could. */
export const afterNoCharges = (one: HistoryImport, answer: ChargeListResult, at: string): HistoryImport | undefined => {
  if (answer === 'not_offered') return failImport(one, 'This connection does not list its charges.', at);
  if (!('problem' in answer)) return undefined;
  return answer.problem === 'credentials'
    ? failImport(one, `The connection refused its credentials: ${answer.detail}`, at)
    : afterSilence(one, answer.detail, at);
};

export const importActions = ['pause', 'resume', 'cancel'] as const;
export type ImportAction = (typeof importActions)[number];

/** The import after a person's action; null if its state does not allow that. A failed one may be resumed. */
export const changeImport = (one: HistoryImport, action: ImportAction, at: string): HistoryImport | null => {
  const inState = (state: HistoryImport['state']): HistoryImport => ({
    ...one,
    state,
    updatedAt: at,
    version: one.version + 1,
  });
  if (action === 'pause') return one.state === 'RUNNING' ? inState('PAUSED') : null;
  if (action === 'cancel') return isUnfinished(one) || one.state === 'FAILED' ? inState('CANCELLED') : null;
  return one.state === 'PAUSED' || one.state === 'FAILED'
    ? { ...inState('RUNNING'), trouble: null, failures: 0, nextAt: at }
    : null;
};

/** Checks whether an import still runs or waits for a person. */
export const isUnfinished = ({ state }: Pick<HistoryImport, 'state'>): boolean =>
  state === 'RUNNING' || state === 'PAUSED';
