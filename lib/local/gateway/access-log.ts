import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import * as v from 'valibot';
import type { FunctionRunner } from '../functions/function-runner.ts';
import { account } from '../template/resolver.ts';
import { UserError } from '../user-error.ts';

/** The line that the gateway logs for each call: its format, and the functions that are fed with it. */
export type AccessLogDefinition = {
  format: string;
  subscriptions: readonly { destinationArn: string; pattern: string }[];
};

/** Values by the names of the gateway's variables, such as `context.status`; what is missing is logged as `-`. */
type AccessValues = Readonly<Record<`context.${string}`, string | number | undefined>>;

/** One condition on one field; `*` at its end is a wildcard. */
const onlyPattern = /^\{ \$\.(\w+) = "([^"*]*)(\*?)" \}$/;

const readPattern = (pattern: string) => {
  const [, field, start = '', wildcard] = onlyPattern.exec(pattern) ?? [];
  if (field === undefined) throw new UserError(`The local stack cannot filter a log by ${pattern}.`);
  return (line: Readonly<Record<string, string>>): boolean => {
    const value = line[field] ?? '';
    return wildcard ? value.startsWith(start) : value === start;
  };
};

/**
 * Feeds functions with lines of the access log as CloudWatch Logs does, each line by itself.
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/SubscriptionFilters.html, read on 2026-11-29
 */
export const createAccessLog = ({ format, subscriptions }: AccessLogDefinition, runner: FunctionRunner) => {
  const fed = subscriptions.map((one) => ({ ...one, fits: readPattern(one.pattern) }));
  return (values: AccessValues): void => {
    const message = format.replaceAll(
      /\$(context\.[\w.]+)/g,
      (_, name: `context.${string}`) => `${values[name] ?? '-'}`,
    );
    const line = fed.length > 0 ? v.parse(v.record(v.string(), v.string()), JSON.parse(message)) : {};
    const timestamp = values['context.requestTimeEpoch'];
    for (const { destinationArn } of fed.filter(({ fits }) => fits(line))) {
      const data = {
        ...{ messageType: 'DATA_MESSAGE', owner: account, logGroup: 'access', logStream: 'local' },
        ...{ subscriptionFilters: ['local'], logEvents: [{ id: randomUUID(), timestamp, message }] },
      };
      const event = { awslogs: { data: gzipSync(JSON.stringify(data)).toString('base64') } };
      runner.invoke(runner.find(destinationArn), event);
    }
  };
};
