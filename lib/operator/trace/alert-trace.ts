import * as v from 'valibot';

/** A log line about an alert. */
const Line = v.looseObject({
  time: v.string(),
  event: v.string(),
  alertId: v.pipe(v.union([v.number(), v.string()]), v.transform(Number)),
  traceId: v.optional(v.string()),
});
type Line = v.InferOutput<typeof Line>;

/** One step of an alert's life: when, how long after the step before, what happened, and how long it took itself. */
export type TraceStep = {
  time: string;
  secondsSinceLast: number;
  what: string;
  milliseconds: number | undefined;
  traceId: string | undefined;
};

/** Returns the steps of an alert's life in the order of time, from log lines of which others are left out. */
export const alertSteps = (lines: readonly unknown[], alertId: number): TraceStep[] => {
  const own = lines
    .flatMap((line) => readLine(line))
    .filter((line) => line.alertId === alertId)
    .sort((left, right) => Date.parse(left.time) - Date.parse(right.time));
  return own.map((line, index) => ({
    time: line.time,
    secondsSinceLast: index === 0 ? 0 : (Date.parse(line.time) - Date.parse(own[index - 1]?.time ?? '')) / 1000,
    what: describeLine(line),
    milliseconds: asNumber(line['milliseconds'] ?? line['latencyMilliseconds']),
    traceId: line.traceId,
  }));
};

const readLine = (line: unknown): Line[] => {
  const result = v.safeParse(typeof line === 'string' ? v.pipe(v.string(), v.parseJson(), Line) : Line, line);
  return result.success ? [result.output] : [];
};

const asNumber = (value: unknown): number | undefined => {
  const number = value === undefined || value === null ? Number.NaN : Number(value);
  return Number.isFinite(number) ? number : undefined;
};

/** Fields that say what a step was about, in this order. */
const shown = ['operation', 'requestId', 'kind', 'provider', 'deliveryId', 'mailId', 'outcomeId', 'result', 'status'];

const describeLine = (line: Line): string =>
  [line.event, ...shown.flatMap((name) => (isShown(line[name]) ? [`${name}=${String(line[name])}`] : []))].join(' ');

const isShown = (value: unknown): boolean => ['string', 'number'].includes(typeof value) && value !== '';

/** The steps as text, one a line, and how long all of it took. */
export const traceReport = (alertId: number, steps: readonly TraceStep[]): string[] => {
  const [first, last] = [steps[0], steps.at(-1)];
  if (!first || !last) return [`No log line names alert ${alertId}.`];
  const total = (Date.parse(last.time) - Date.parse(first.time)) / 1000;
  return [
    `Alert ${alertId}: ${steps.length} steps in ${total.toFixed(1)} s`,
    ...steps.map(({ time, secondsSinceLast, what, milliseconds, traceId }) =>
      [
        `${time}  +${secondsSinceLast.toFixed(1)} s`.padEnd(40),
        what,
        ...(milliseconds === undefined ? [] : [`(${milliseconds} ms)`]),
        ...(traceId === undefined ? [] : [`trace ${traceId}`]),
      ].join(' '),
    ),
  ];
};
