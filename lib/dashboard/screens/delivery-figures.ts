import { translate } from '../language/translate.ts';
import { decimalText, percentText } from '../parts/words.ts';

/** Figures of the notifications that a list shows. */

type Attempt = { status: number | null; latency_ms: number; error: string | null };
type Sent = { url: string | null; attempts: readonly Attempt[] };

/** The answers of a host. `median`, `slow`: the milliseconds within which half and 95 % of its replies came; null if none came. */
export type HostFigures = {
  host: string;
  attempts: number;
  accepted: number;
  median: number | null;
  slow: number | null;
};

/** Returns the value that a share of the values does not exceed; null if there are none. */
const quantile = (values: readonly number[], share: number): number | null =>
  values.toSorted((one, other) => one - other)[Math.max(0, Math.ceil(values.length * share) - 1)] ?? null;

const hostFigures = (host: string, attempts: readonly Attempt[]): HostFigures => {
  const replies = attempts.filter(({ status }) => status !== null).map(({ latency_ms }) => latency_ms);
  return {
    host,
    attempts: attempts.length,
    accepted: attempts.filter(({ error }) => error === null).length,
    median: quantile(replies, 0.5),
    slow: quantile(replies, 0.95),
  };
};

/** The attempts of notifications by the host to which the latest went; the host that refuses most comes first. */
export const figuresByHost = (rows: readonly Sent[]): HostFigures[] => {
  const byHost = Map.groupBy(
    rows.filter(({ url, attempts }) => url !== null && attempts.length > 0),
    ({ url }) => URL.parse(String(url))?.host ?? String(url),
  );
  const refusedShare = ({ attempts, accepted }: HostFigures): number => 1 - accepted / attempts;
  return [...byHost]
    .map(([host, own]) =>
      hostFigures(
        host,
        own.flatMap(({ attempts }) => attempts),
      ),
    )
    .sort((one, other) => refusedShare(other) - refusedShare(one) || other.attempts - one.attempts);
};

/** A share in whole per cent, which is 100 only if it is all. */
export const wholePercent = (part: number, all: number): string => percentText(Math.floor((part / all) * 100));

/** `840 ms`, `1.2 s`. */
export const latencyText = (milliseconds: number): string =>
  milliseconds < 1000
    ? translate('{milliseconds} ms', { milliseconds })
    : translate('{seconds} s', { seconds: decimalText((milliseconds / 1000).toFixed(1)) });

type Ended = { at: string; status: number | null; error: string | null };
type Tried = { sid: number; kind: string; url: string | null; state: string; attempts: readonly Ended[] };
/** A site with an endpoint that fails. `count`: of its notifications that failed; `since`: the first failure after the endpoint accepted one. */
export type FailingSite = { sid: number; count: number; since: string; last: Ended };
/** `lost`: notifications that were given up, of sites whose endpoints work. */
export type Failing = { sites: FailingSite[]; lost: { sid: number; count: number }[] };

/** The failed attempts of a notification after its endpoint, which is known by address or kind, last accepted any. */
const failuresSince = ({ attempts, url, kind }: Tried, ofSite: readonly Tried[]): Ended[] => {
  const accepted = ofSite
    .filter((one) => one.url === url || one.kind === kind)
    .flatMap((one) => one.attempts.flatMap(({ at, error }) => (error === null ? [at] : [])))
    .toSorted()
    .at(-1);
  return attempts.filter(({ at, error }) => error !== null && at > (accepted ?? ''));
};

/**
 * The sites of which an endpoint fails, the one with most failed notifications first: its newest attempt of these notifications was refused.
 * Those without any attempt do not fail.
 */
export const sumFailing = (rows: readonly Tried[]): Failing => {
  const bySite = [...Map.groupBy(rows, ({ sid }) => sid)].map(([sid, ofSite]) => {
    const failed = ofSite.filter(({ state, attempts }) => state !== 'DELIVERED' && attempts.at(-1)?.error);
    const failures = failed.flatMap((row) => failuresSince(row, ofSite));
    const [first, ...others] = failures.toSorted((one, other) => (one.at < other.at ? -1 : 1));
    return {
      site: first && { sid, count: failed.length, since: first.at, last: others.at(-1) ?? first },
      lost: { sid, count: first ? 0 : ofSite.filter(({ state }) => state === 'EXPIRED').length },
    };
  });
  return {
    sites: bySite.flatMap(({ site }) => site ?? []).toSorted((left, right) => right.count - left.count),
    lost: bySite.map(({ lost }) => lost).filter(({ count }) => count > 0),
  };
};
