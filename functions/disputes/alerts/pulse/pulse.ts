import { createHash } from 'node:crypto';
import { iso, milliseconds } from '#core/kernel/clock.ts';

/** A row of counts: attribute `part|status|type` says how many. */
export type CountRow = Readonly<Record<string, unknown>> | undefined;

const openStatuses = ['OPEN', 'WIP', 'OTHER'];
const soonHours = 6;
const { hour, day } = milliseconds;

/** The days whose counts per hour show which alerts are not due soon: as far back as the longest deadline. */
export const pulseDays = (now: number): string[] =>
  [0, 1, 2, 3].map((days) => iso(now - days * day).slice(0, 'YYYY-MM-DD'.length));

const countedTypes = ['FRAUD', 'DISPUTE', 'CANCEL'] as const;
type CountedType = (typeof countedTypes)[number];

/** The part and type that an attribute of a row counts, if it counts alerts that await an answer. */
const openPart = (name: string): { part: string; type: CountedType } | undefined => {
  const [part = '', status = '', type = ''] = name.split('|');
  const known = countedTypes.find((one) => one === type);
  return known && openStatuses.includes(status) ? { part, type: known } : undefined;
};

const sumOpen = (row: CountRow, isCounted: (part: string, type: CountedType) => boolean): number =>
  Object.entries(row ?? {}).reduce((sum, [name, value]) => {
    const found = openPart(name);
    return found && typeof value === 'number' && isCounted(found.part, found.type) ? sum + value : sum;
  }, 0);

/** The shortest time that a network gives for each type; counts do not tell networks apart. */
const shortestHours = { FRAUD: 24, DISPUTE: 24, CANCEL: 72 } as const;

/** Checks whether an alert arrived so recently that the shortest deadline of its type is more than six hours away. */
const isCalm = (received: number, type: CountedType, now: number): boolean =>
  received > now - (shortestHours[type] - soonHours) * hour;

const floorHour = (at: string): number => Math.floor(Date.parse(at) / hour) * hour;

/**
 * Counts the open alerts, and those that are late or due within six hours. An alert counts among the latter unless it arrived so recently that
 * the shortest deadline of its type is more than six hours away. `days`: each day's row with its hours. `tests`: the open test alerts, which
 * the rows count and no person has to answer. `now`: milliseconds.
 */
export const toPulse = (
  all: CountRow,
  days: readonly { day: string; row: CountRow }[],
  tests: readonly { receivedAt: string; type: string }[],
  now: number,
): { open: number; due_soon: number; digest: string } => {
  const counted = tests.flatMap(({ receivedAt, type }) => {
    const known = countedTypes.find((one) => one === type);
    return known ? [{ received: floorHour(receivedAt), type: known }] : [];
  });
  const open = Math.max(0, sumOpen(all, () => true) - counted.length);
  const calm = days.reduce(
    (sum, { day: date, row }) =>
      sum + sumOpen(row, (part, type) => isCalm(Date.parse(`${date}T${part}:00:00.000Z`), type, now)),
    -counted.filter(({ received, type }) => isCalm(received, type, now)).length,
  );
  const digest = createHash('sha256')
    .update(JSON.stringify(Object.entries(all ?? {}).toSorted()))
    .digest('hex');
  return { open, due_soon: Math.max(0, open - calm), digest: digest.slice(0, 16) };
};
