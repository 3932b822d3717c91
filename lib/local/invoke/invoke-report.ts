import { isDeepStrictEqual } from 'node:util';
import pc from 'picocolors';
import * as v from 'valibot';
import { row } from '../journal.ts';
import type { Invokable, Invoked } from './invoke.ts';

const Line = v.pipe(
  v.string(),
  v.parseJson(),
  v.looseObject({ level: v.optional(v.string(), 'info'), event: v.string() }),
);
const HttpReply = v.looseObject({ statusCode: v.number(), body: v.optional(v.string(), '') });

const indent = (text: string): string[] => text.split('\n').map((line) => `    ${line}`);
const pretty = (value: unknown): string => JSON.stringify(value, null, 2);

/** Returns the report of `npm run invoke` on an invocation: where it ran, the reply, the logs, the time. */
export const invocationReport = (name: string, { invocation, eventFile, url, isTemporary }: Invoked): string[] => [
  '',
  `  ${pc.bold(name)} ${pc.dim(`· ${eventFile}`)}`,
  '',
  row('stack', isTemporary ? pc.dim('a temporary one; npm start keeps one running') : url),
  row('time', `${invocation.milliseconds.toFixed(1)} ms ${pc.dim('loading included')}`),
  ...replyLines(invocation),
  ...logLines(invocation.logs),
  '',
];

/** The same for programs. */
export const invocationJson = (name: string, { invocation, eventFile, url, isTemporary }: Invoked) => {
  const { result, error, milliseconds, logs } = invocation;
  return {
    ...{ function: name, event: eventFile, stack: isTemporary ? null : url, milliseconds },
    ...(error ? { error: { message: error.message, stack: error.stack ?? null } } : { result }),
    logs: logs.map((line) => (v.is(Line, line) ? JSON.parse(line) : line)),
  };
};

const replyLines = ({ result, error }: Invoked['invocation']): string[] => {
  if (error) return [row('failed', pc.red(error.message)), '', ...indent(pc.dim(error.stack ?? ''))];
  const http = v.safeParse(HttpReply, result);
  if (!http.success) return [row('reply', ''), '', ...indent(pretty(result))];
  const { statusCode, body } = http.output;
  const colour = statusCode < 400 ? pc.green : pc.yellow;
  return [row('reply', colour(String(statusCode))), '', ...indent(bodyText(body))];
};

const bodyText = (body: string): string => {
  const json = v.safeParse(v.pipe(v.string(), v.parseJson()), body);
  return json.success ? pretty(json.output) : body;
};

const logLines = (logs: readonly string[]): string[] =>
  logs.length === 0 ? [] : ['', row('logs', ''), '', ...logs.flatMap((line) => indent(logLine(line)))];

/** `info  request  status=200 milliseconds=3` */
const logLine = (line: string): string => {
  const parsed = v.safeParse(Line, line);
  if (!parsed.success) return line;
  const { level, event, time: _time, _aws, ...fields } = parsed.output;
  const colour = level === 'error' ? pc.red : level === 'warn' ? pc.yellow : pc.cyan;
  const rest = Object.entries(fields).flatMap(([key, value]) =>
    isDeepStrictEqual(value, {}) || value === undefined ? [] : [`${pc.dim(`${key}=`)}${asLine(value)}`],
  );
  return `${colour(level.padEnd(5))} ${event}  ${rest.join(' ')}`;
};

const asLine = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** The list that stands for a missing name. */
export const invokablesReport = (all: readonly Invokable[]): string[] => {
  const width = Math.max(...all.map(({ name }) => name.length));
  return [
    '',
    `  ${pc.bold('npm run invoke -- <function> [event.json]')}`,
    '',
    '  Runs one function with its sample event, or another, against the local stack that npm start runs;',
    '  when none runs, against one that lives just as long. DATA_DIR says which stack is meant.',
    '',
    ...all.map(({ name, summary }) => `    ${pc.cyan(name.padEnd(width))}  ${pc.dim(summary)}`),
    '',
  ];
};
