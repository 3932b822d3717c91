import * as v from 'valibot';
import { nowIso } from '#core/kernel/clock.ts';
import { issueWords } from '#core/kernel/schema/issues.ts';
import { optional, readFunctionVersion, readTraceId } from '../operation/environment.ts';
import { redact, redactText } from './redaction.ts';

type Level = 'info' | 'warn' | 'error';

/**
 * Writes one JSON line, secrets and card numbers masked. `event` names what happened, in snake case. Lines about an alert have its number as
 * `alertId`, by which `npm run trace` finds them.
 */
export const log = (level: Level, event: string, fields: Record<string, unknown> = {}): void => {
  // For an object with fields, `redact` returns one.
  const traceId = readTraceId();
  const context = { level, time: nowIso(), event, ...(traceId !== undefined && { traceId }) };
  const line = JSON.stringify({ ...context, ...(redact(fields) as Record<string, unknown>) });
  process.stdout.write(`${line}\n`);
};

/** An error's message; for a value that its schema refuses, the wrong fields: see `issueWords`. */
const logMessage = (error: Error): string =>
  v.isValiError(error) ? issueWords(error.issues, 'value').join('; ') : error.message;

/** An error as the operator needs it: name, message, stack and causes, masked. */
export const describeError = (error: unknown): Record<string, unknown> => {
  if (!(error instanceof Error)) return { message: redactText(String(error)) };
  const { name, stack = '', cause } = error;
  const message = logMessage(error);
  return {
    name,
    message: redactText(message),
    stack: redactText(stack.replace(error.message, () => message)),
    ...(cause === undefined ? {} : { cause: describeError(cause) }),
  };
};

/** A measurement for CloudWatch, which has no unit for minutes. */
export type Measurement = {
  name: string;
  value: number;
  unit: 'Count' | 'Seconds' | 'Milliseconds' | 'None';
  /** Dimensions in addition to the stage. Each combination of values is billed as a separate metric, so there are few. */
  dimensions?: Readonly<Record<string, string>>;
};

/**
 * Counts a fault of one version of a function, which Lambda does not know: it was answered. The alarm of a release in progress uses it, see
 * lib/cloud/live-alias.ts. `Operation`: `<area>/<name>`.
 */
export const countInternalError = (Operation: string): void =>
  writeMetric({
    ...{ name: 'InternalErrors', value: 1, unit: 'Count' },
    dimensions: { Operation, Version: readFunctionVersion() },
  });

/** Writes one CloudWatch metric of the stage: see `writeMetric`. */
export const metric = (name: string, value: number, unit: Measurement['unit']): void =>
  writeMetric({ name, value, unit });

/**
 * Writes one CloudWatch metric in the embedded metric format, under the namespace `Forewarn`: for the whole stage, and for its dimensions if it has any.
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html
 */
export const writeMetric = ({ name, value, unit, dimensions = {} }: Measurement): void => {
  const time = nowIso();
  const own = Object.keys(dimensions);
  const directive = {
    Namespace: 'Forewarn',
    Dimensions: [['Stage'], ...(own.length > 0 ? [['Stage', ...own]] : [])],
    Metrics: [{ Name: name, Unit: unit }],
  };
  const line = {
    _aws: { Timestamp: Date.parse(time), CloudWatchMetrics: [directive] },
    event: 'metric',
    Stage: optional('STAGE_NAME') ?? 'unknown',
    ...dimensions,
    [name]: value,
  };
  process.stdout.write(`${JSON.stringify(line)}\n`);
};
