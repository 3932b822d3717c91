/**
 * The only reader of the system clock. The local stack and the tests move time by setting a function that returns
 * milliseconds since 1970 at this symbol of the global object; it is a symbol because each bundle has its own copy of
 * this module, yet all of them share one process there.
 */
export const clockSymbol = Symbol.for('forewarn.clock');

/** No library declares a type for the symbol. */
const holder = globalThis as { [clockSymbol]?: () => number };

/** Milliseconds since 1970, UTC. */
export const nowMilliseconds = (): number => (holder[clockSymbol] ?? Date.now)();

/** The current time as a Date. */
export const now = (): Date => new Date(nowMilliseconds());

/** The current time as ISO 8601 in UTC with milliseconds, the only form in which times are stored: it sorts as text. */
export const nowIso = (): string => now().toISOString();

/** Replaces the clock; without an argument, restores the system's. For tests and the local stack. */
export const setClock = (milliseconds?: () => number): void => {
  if (milliseconds) holder[clockSymbol] = milliseconds;
  else delete holder[clockSymbol];
};

const second = 1000;
export const milliseconds = { second, minute: 60 * second, hour: 3600 * second, day: 86_400 * second } as const;

/** ISO 8601 of a time given in milliseconds, a Date or any parsable text. */
export const iso = (time: number | string | Date): string => new Date(time).toISOString();

/** The day (UTC) of a stored time: `2026-05-02`. */
export const datePart = (time: string): string => time.slice(0, 'YYYY-MM-DD'.length);

/** The latest of several stored times; absent ones are ignored. */
export const latest = (first: string, ...others: readonly (string | null | undefined)[]): string =>
  others.reduce<string>((last, time) => (time != null && time > last ? time : last), first);

/** A time (ISO) for people to read, to the minute: `2026-05-02 12:00 UTC`. */
export const minuteText = (time: string): string =>
  `${datePart(time)} ${time.slice('YYYY-MM-DDT'.length, 'YYYY-MM-DDTHH:MM'.length)} UTC`;
