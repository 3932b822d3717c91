import { iso, milliseconds } from '#core/kernel/clock.ts';

/** The hour at which a digest is sent, in the user's time zone. */
const digestHour = 8;

/** The daily e-mail of a user about the alerts of their merchant. */
export type Digest = {
  username: string;
  mid: number;
  /** IANA; null: UTC. */
  zone: string | null;
  /** When the next one is due (ISO, whole seconds). */
  nextAt: string;
  /** When the last one was sent, which lists decisions up to then (ISO). */
  since: string;
  /** Goes up with every write; a write says which one it saw. */
  version: number;
};

/** The difference of a time zone from UTC at a time, in milliseconds. */
const offsetAt = (at: number, zone: string): number => {
  const parts = new Intl.DateTimeFormat('en-GB', {
    ...{ timeZone: zone, hourCycle: 'h23' },
    ...{ year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit', second: '2-digit' },
  }).formatToParts(at);
  const of = (type: string) => Number(parts.find((part) => part.type === type)?.value);
  const local = Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second'));
  return local - (at - (at % milliseconds.second));
};

/** The next time after `after` (ISO) at which it is eight in a time zone, whatever the clocks there do meanwhile. */
export const nextDigestAt = (after: string, zone: string | null): string => {
  const from = Date.parse(after);
  const inZone = zone ?? 'UTC';
  const local = from + offsetAt(from, inZone);
  const midnight = local - (local % milliseconds.day);
  const candidates = [0, 1, 2].map((days) => {
    const wanted = midnight + days * milliseconds.day + digestHour * milliseconds.hour;
    // The offset may change between midnight and the hour: asked again at the time found, it is right.
    const guess = wanted - offsetAt(wanted, inZone);
    return wanted - offsetAt(guess, inZone);
  });
  return iso(candidates.find((at) => at > from) ?? from + milliseconds.day);
};

/** Sweeps begin at 00:00 and 12:00 UTC. */
const sweepMilliseconds = 12 * milliseconds.hour;

/** From when sweeps look at a digest (ISO): the last sweep before it is due makes sure that its schedule exists. */
export const digestSweptFrom = ({ nextAt }: Digest): string =>
  iso(Math.floor(Date.parse(nextAt) / sweepMilliseconds) * sweepMilliseconds);

/** The digest after one was sent, or skipped, at a time (ISO). */
export const advanceDigest = (digest: Digest, at: string): Digest => ({
  ...digest,
  nextAt: nextDigestAt(at, digest.zone),
  since: at,
  version: digest.version + 1,
});
