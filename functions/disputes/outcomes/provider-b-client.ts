import { createHmac } from 'node:crypto';
import * as v from 'valibot';
import { nowIso } from '#core/kernel/clock.ts';
import { redactText } from '#core/platform/log/redaction.ts';
import { connection } from './connection-client.ts';
import { callNetwork, type Exchanged, networkUrl } from './network-exchange-client.ts';
import { finalSum, type OutcomeAnswer, type OutcomeProvider, type OutgoingOutcome } from './outcome-provider.ts';

/** provider_b's case system: one PUT for each case. Its contract is not public; this one is Forewarn's own (docs/decisions). */
export const ProviderBConnection = v.object({
  base_url: v.pipe(v.string(), v.url()),
  username: v.string(),
  password: v.string(),
  /** Signs every call. */
  secret: v.string(),
});
export type ProviderBConnection = v.InferOutput<typeof ProviderBConnection>;

const results: Readonly<Record<string, string>> = { '001': 'REFUNDED', '002': 'NOT_REFUNDED', '003': 'NOT_SETTLED' };
const maxComment = 1024;

/** An answer that is not final is in progress there, whatever reason it gives. */
const statusCodeOf = ({ isFinal, update }: OutgoingOutcome): string =>
  isFinal ? update.reason_code.slice(0, 3) : '999';

const commentB = ({ update, firstCaseId }: OutgoingOutcome): string | undefined => {
  const first = firstCaseId === null ? undefined : `Duplicate of case ${firstCaseId}`;
  const text = [first, update.comments].filter((part) => part !== undefined).join('. ');
  return text === '' ? undefined : text.slice(0, maxComment).toWellFormed();
};

const bodyB = (outcome: OutgoingOutcome): string => {
  const { update, createdAt } = outcome;
  const result = update.reason_code.slice(4);
  return JSON.stringify({
    statusCode: statusCodeOf(outcome),
    result: results[result] ?? 'NOT_REFUNDED',
    ...(result !== '002' && finalSum(outcome)),
    comments: commentB(outcome),
    actionDate: update.alert_outcome_action_date ?? createdAt,
  });
};

const Closed = v.object({ status: v.string(), statusCode: v.string() });
const Explained = v.object({ message: v.string() });

const whyText = (status: number, body: unknown): string => {
  const read = v.safeParse(Explained, body);
  return read.success ? redactText(read.output.message.slice(0, 500)) : `It answered ${status}`;
};

const answerB = (exchanged: Exchanged, outcome: OutgoingOutcome): OutcomeAnswer => {
  if (exchanged.kind !== 'answered') {
    const result = exchanged.kind === 'unsent' ? ('failed' as const) : ('unknown' as const);
    return { result, status: null, error: exchanged.words, pauseSeconds: null };
  }
  const { status, body, pauseSeconds } = exchanged;
  if (status === 200 || status === 202) return { result: 'accepted', status };
  if (status === 409) return answerOfClosed(body, outcome);
  const error = whyText(status, body);
  if (status === 401 || status === 403) return { result: 'failed', status, error, pauseSeconds, isOurFault: true };
  if (status === 408 || status === 425 || status === 429) return { result: 'failed', status, error, pauseSeconds };
  if (status >= 400 && status < 500) return { result: 'refused', status, error };
  return { result: 'unknown', status, error, pauseSeconds };
};

/** A closed case: it may have been closed with this same outcome. */
const answerOfClosed = (body: unknown, outcome: OutgoingOutcome): OutcomeAnswer => {
  const status = 409;
  const closed = v.safeParse(Closed, body);
  if (!closed.success) {
    return { result: 'unknown', status, error: 'The case is closed; its result is not given', pauseSeconds: null };
  }
  const { statusCode } = closed.output;
  if (statusCode === statusCodeOf(outcome)) return { result: 'accepted', status };
  return { result: 'refused', status, error: redactText(`The case is closed with ${statusCode.slice(0, 20)}`) };
};

/** The provider behind a connection: the outcomes side by side, a call each. */
export const providerBOutcomes = (
  { base_url, username, password, secret }: ProviderBConnection,
  timeoutMilliseconds?: number,
): OutcomeProvider => {
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
  const call = (outcome: OutgoingOutcome) => {
    const url = networkUrl(base_url, `/partners/cases/${encodeURIComponent(outcome.caseId)}`);
    const [body, timestamp] = [bodyB(outcome), nowIso()];
    const signature = createHmac('sha256', secret)
      .update(`${timestamp}\nPUT\n${url.pathname}\n${body}`)
      .digest('base64');
    const headers = { authorization, 'x-api-version': '1.0', 'x-timestamp': timestamp, 'x-signature': signature };
    return callNetwork(url, { method: 'PUT', headers, body }, timeoutMilliseconds);
  };
  return {
    send: async (outcomes) => {
      const answers = outcomes.map(async (one) => [one.id, answerB(await call(one), one)] as const);
      return new Map(await Promise.all(answers));
    },
  };
};

/** provider_b as this deployment reaches it. */
export const connectProviderB = connection('outcome-provider-b', ProviderBConnection, (settings) =>
  providerBOutcomes(settings),
);
