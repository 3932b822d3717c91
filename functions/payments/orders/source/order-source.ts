import { iso, milliseconds } from '#core/kernel/clock.ts';

/** The shop that a site's orders are imported from, and how far the import is. Pure. All times are ISO. */

export const orderSourceKinds = ['shopify', 'woocommerce'] as const;

/** The place in a list of orders by their last change. `page`: the shop's own cursor among orders of one second; null: none. */
export type SourcePosition = { after: string; page: string | null };

/** The orders of a source by what became of them. */
export type SourceCounts = { imported: number; updated: number; withoutCard: number; refused: number };

/** An order that could not be read, and is read again. `at`: its last change. `reason`: for people. */
export type OrderRetry = {
  shopId: string;
  reference: string;
  reason: string;
  at: string;
  tries: number;
  nextAt: string;
};

/** The number of orders that are read again: all are in one row. */
export const maxRetries = 200;
/** The longest reason, in characters. */
export const maxReason = 200;

/** The daily second look at recent orders. `position`: where it goes on; null: from the beginning. `dueAt`: null before the first import ended. */
export type Recheck = { position: SourcePosition | null; dueAt: string | null };

/** `since`: ISO. `runs`: the number of runs in a row without an answer. */
export type Silence = { since: string; runs: number };

export type OrderSource = {
  sid: number;
  mid: number;
  kind: (typeof orderSourceKinds)[number];
  /** Of Shopify: the merchant's connection. */
  connection: string | null;
  /** Of WooCommerce: the shop's address, and its keys, encrypted; null after the address changed without them. */
  baseUrl: string | null;
  sealed: string | null;
  /** The part of the key that may be shown. */
  shownKey: string | null;
  position: SourcePosition;
  /** When it continues; null: it waits for keys. */
  nextAt: string | null;
  /** When all orders had been read last. */
  lastRunAt: string | null;
  /** When the last page was recorded: orders that were stored since belong to the next one. */
  recordedAt: string;
  counts: SourceCounts;
  /** The last orders that were counted without being stored, by reference: pages overlap, and each is counted once. */
  leftOut: readonly string[];
  /** The last order that was refused, and why. */
  lastRefusal: string | null;
  retries: readonly OrderRetry[];
  /** The last order whose refunds the shop states in two ways, and which of them counts. */
  contradiction: string | null;
  recheck: Recheck;
  trouble: string | null;
  /** The number of times in a row that the present page could not be read. */
  failures: number;
  /** Connections that did not answer when they were asked for cards, by id; by id and order where they answered for others. */
  silences: Readonly<Record<string, Silence>>;
  version: number;
};

/** A source as a merchant sets it. WooCommerce's keys are absent where the stored ones are meant. */
export type WantedSource =
  | { kind: 'shopify'; connection: string }
  | { kind: 'woocommerce'; base_url: string; consumer_key?: string | undefined; consumer_secret?: string | undefined };

/** The name under which the keys of a source are sealed; see `seal`. */
export const sourceContext = (sid: number): string => `site:${sid}:order-source`;

/** Shops are read this often. */
const runEvery = 15 * milliseconds.minute;
/** The orders that the first run reads: most networks let cardholders dispute for 120 days. */
const firstRun = 120 * milliseconds.day;

export const noCounts: SourceCounts = { imported: 0, updated: 0, withoutCard: 0, refused: 0 };

const missingKeys = 'The address of the shop has changed. Enter its keys again.';

type Place = { sid: number; mid: number; retainDays: number };

const newSource = ({ sid, mid, retainDays }: Place, kind: OrderSource['kind'], at: string): OrderSource => ({
  ...{ sid, mid, kind, connection: null, baseUrl: null, sealed: null, shownKey: null },
  position: { after: iso(Date.parse(at) - Math.min(firstRun, retainDays * milliseconds.day)), page: null },
  ...{ nextAt: at, lastRunAt: null, recordedAt: at, counts: noCounts, leftOut: [], lastRefusal: null, trouble: null },
  ...{ retries: [], contradiction: null, recheck: { position: null, dueAt: null } },
  ...{ failures: 0, silences: {}, version: 0 },
});

/** A source that was removed and set again does not repeat the versions of the earlier one. */
const versionAfter = (before: OrderSource | undefined, at: string): number => (before?.version ?? Date.parse(at)) + 1;

const isSameOrigin = (one: string | null, other: string): boolean =>
  one !== null && URL.parse(one)?.origin === URL.parse(other)?.origin;

/**
 * The source after its merchant set it, or what is wrong, in words that begin with the field's name. A shop with another origin never gets the
 * stored keys, and is read from the beginning. `seal`: encrypts the keys.
 */
export const withSource = (
  before: OrderSource | undefined,
  wanted: WantedSource,
  { place, at, seal }: { place: Place; at: string; seal(text: string): string },
): OrderSource | string => {
  const version = versionAfter(before, at);
  if (wanted.kind === 'shopify') {
    const isSame = before?.kind === 'shopify' && before.connection === wanted.connection;
    const source = isSame ? before : newSource(place, 'shopify', at);
    return { ...afterSetting(source, before, at), connection: wanted.connection, version };
  }
  const { base_url: baseUrl, consumer_key: key, consumer_secret: secret } = wanted;
  if ((key === undefined) !== (secret === undefined)) {
    return `order_source.${key === undefined ? 'consumer_key' : 'consumer_secret'}: is required with the other half of the keys`;
  }
  const isSame = before?.kind === 'woocommerce' && isSameOrigin(before.baseUrl, baseUrl);
  const source = { ...(isSame ? before : newSource(place, 'woocommerce', at)), baseUrl };
  const keys =
    key === undefined
      ? { sealed: source.sealed, shownKey: source.shownKey }
      : { sealed: seal(JSON.stringify({ consumer_key: key, consumer_secret: secret })), shownKey: `…${key.slice(-4)}` };
  if (keys.sealed !== null) return { ...afterSetting(source, before, at), ...keys, version };
  if (before === undefined) return 'order_source.consumer_key: is required';
  return { ...source, ...keys, nextAt: null, trouble: missingKeys, version };
};

/** A source that was set is read at once. */
const afterSetting = (source: OrderSource, before: OrderSource | undefined, at: string): OrderSource => ({
  ...source,
  ...{ trouble: null, failures: 0, nextAt: slotAfter(before?.nextAt ?? null, at) },
});

/** The slot of a run differs from that of the run before it, whatever the clock's resolution: messages are for one run. */
const slotAfter = (before: string | null, at: string): string => (before === at ? iso(Date.parse(at) + 1) : at);

/** The time of a write, which is after that of the write before it, and after the orders that were stored until then. */
const writtenAt = (before: string, at: string): string => iso(Date.parse(before < at ? at : before) + 1);

/** The result of reading a page of orders. `leftOut`: the orders among `counts` that were not stored, by reference. */
export type OrdersRead = Pick<OrderSource, 'counts' | 'leftOut' | 'lastRefusal' | 'retries' | 'contradiction'>;

/** A page that was read and stored. */
export type PageRead = OrdersRead &
  Pick<OrderSource, 'position' | 'trouble' | 'silences'> & { isLast: boolean; recheck?: Recheck };

/** The number of orders that are remembered as left out: more than two minutes of any shop's. */
const maxLeftOut = 100;

/** The source after a page was read and stored. `at`: now. */
export const afterPage = (
  source: OrderSource,
  { isLast, counts, leftOut, ...read }: PageRead,
  at: string,
): OrderSource => ({
  ...source,
  recheck: isLast ? firstRecheck(source.recheck, at) : source.recheck,
  ...read,
  retries: read.retries.slice(-maxRetries),
  recordedAt: writtenAt(source.recordedAt, at),
  version: source.version + 1,
  nextAt: isLast ? iso(Date.parse(at) + runEvery) : slotAfter(source.nextAt, at),
  lastRunAt: isLast ? at : source.lastRunAt,
  counts: {
    imported: source.counts.imported + counts.imported,
    updated: source.counts.updated + counts.updated,
    withoutCard: source.counts.withoutCard + counts.withoutCard,
    refused: source.counts.refused + counts.refused,
  },
  leftOut: [...source.leftOut, ...leftOut].slice(-maxLeftOut),
  failures: 0,
});

/** The first import reads all orders, so the first second look is due a day later. */
const firstRecheck = ({ position, dueAt }: Recheck, at: string): Recheck => ({
  position,
  dueAt: dueAt ?? iso(Date.parse(at) + milliseconds.day),
});

/** The reason why a page could not be stored, in words for its merchant, without anything of an answer. */
export type SourceTrouble = { trouble: string; retryAfterSeconds?: number };

const shortestPause = 30 * milliseconds.second;
const longestPause = milliseconds.hour;

/** The source after a page could not be read: it waits as long as the shop asks, or longer each time, up to an hour. */
export const afterSourceTrouble = (
  source: OrderSource,
  { trouble, retryAfterSeconds = 0 }: SourceTrouble,
  { at, silences = source.silences }: { at: string } & Partial<Pick<OrderSource, 'silences'>>,
): OrderSource => {
  const usual = Math.min(longestPause, shortestPause * 2 ** Math.min(source.failures, 10));
  const pause = Math.min(longestPause, Math.max(usual, retryAfterSeconds * milliseconds.second));
  const { failures, version } = source;
  const nextAt = iso(Date.parse(at) + pause);
  return { ...source, trouble, silences, failures: failures + 1, nextAt, version: version + 1 };
};

const maxShownRetries = 20;

/** A source on the wire, without its keys. */
export const toSourceDto = (source: OrderSource | undefined) =>
  source
    ? {
        kind: source.kind,
        ...(source.connection !== null && { connection: source.connection }),
        ...(source.baseUrl !== null && { base_url: source.baseUrl }),
        ...(source.shownKey !== null && { consumer_key: source.shownKey }),
        last_run_at: source.lastRunAt,
        next_run_at: source.nextAt,
        imported: source.counts.imported,
        updated: source.counts.updated,
        without_card: source.counts.withoutCard,
        refused: source.counts.refused,
        last_refusal: source.lastRefusal,
        retries: source.retries
          .slice(0, maxShownRetries)
          .map(({ reference, reason, nextAt }) => ({ reference, reason, next_try_at: nextAt })),
        contradiction: source.contradiction,
        trouble: source.trouble,
      }
    : null;
