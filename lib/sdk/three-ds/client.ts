import { ForewarnError } from './error.ts';
import type { Call } from './options.ts';
import type { Outcome, Result, Step, TransStatus } from './v1.d.ts';

/** The service's reply to the page. */
export type Reply = {
  step: Step;
  mode: 'modal' | 'inline';
  verbose: boolean;
  authentication_id?: number;
  outcome?: Outcome;
  transStatus?: TransStatus | null;
  liability_shift?: boolean;
  three_d_secure?: string;
  cardholder_info?: string | null;
};

/** The service says that this is not to be done now: its status tells what is. */
export const stateWrong = Symbol('state');

/** The service answers within 29 seconds, or not at all. */
const limitMilliseconds = 30_000;

/** A signal that aborts when the other one does or the time is over, and what stops waiting for either. */
const limited = (signal: AbortSignal | undefined): { signal: AbortSignal; release: () => void } => {
  const controller = new AbortController();
  const abort = (): void => controller.abort();
  const timer = setTimeout(abort, limitMilliseconds);
  if (signal?.aborted) abort();
  signal?.addEventListener('abort', abort);
  return {
    signal: controller.signal,
    release: () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
    },
  };
};

/**
 * A call of the service: a form without headers of its own, which browsers send without asking first. Answers `stateWrong` for
 * 409. Throws a ForewarnError for all else that is no reply, also after half a minute and when `signal` aborts.
 */
export const ask = async (
  call: Call,
  what: string,
  fields: Record<string, string> = {},
  signal?: AbortSignal,
): Promise<Reply | typeof stateWrong> => {
  const limit = limited(signal);
  try {
    return await answerOf(call, what, fields, limit.signal);
  } finally {
    limit.release();
  }
};

const answerOf = async (
  call: Call,
  what: string,
  fields: Record<string, string>,
  signal: AbortSignal,
): Promise<Reply | typeof stateWrong> => {
  const response = await fetch(`${call.base}/api/v3/3ds/${call.id}/${what}`, {
    method: 'POST',
    body: new URLSearchParams({ client_token: call.token, ...fields }),
    credentials: 'omit',
    referrerPolicy: 'no-referrer',
    signal,
  }).catch(() => undefined);
  const reply = response?.ok ? ((await response.json().catch(() => undefined)) as Reply | undefined) : undefined;
  if (reply) return reply;
  if (response?.status === 409) return stateWrong;
  const details = ((await response?.json().catch(() => undefined)) as { details?: string } | undefined)?.details;
  if (response?.status === 400) throw new ForewarnError('bad_option', details ?? 'The service refuses the call');
  if (response?.status === 401 || response?.status === 429) {
    throw new ForewarnError('client_token_wrong', details ?? 'Make a new authentication with create3ds');
  }
  throw new ForewarnError(
    'network',
    'The service cannot be reached, or this page is not the page_origin of the authentication',
  );
};

export const resultOf = (reply: Reply): Result => ({
  authenticationId: String(reply.authentication_id ?? ''),
  outcome: reply.outcome ?? 'unavailable',
  transStatus: reply.transStatus ?? null,
  liabilityShift: reply.liability_shift === true,
  threeDSecure: reply.three_d_secure ?? '',
  cardholderInfo: reply.cardholder_info ?? null,
});
