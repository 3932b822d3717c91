import { browserFields } from './browser-fields.ts';
import { showChallenge, usualLabels } from './challenge.ts';
import { ask, type Reply, resultOf, stateWrong } from './client.ts';
import { ForewarnError } from './error.ts';
import { runMethod } from './method.ts';
import { type Call, callOf, checkOptions, windowSizeOf } from './options.ts';
import type { AuthenticateOptions, PrepareOptions, Result, Step } from './v1.d.ts';

/** The 3DS server forgets a card that it was asked about after 80 seconds. */
const freshMilliseconds = 75_000;
const pollMilliseconds = 3000;
const usualChallengeSeconds = 600;

type Started = { call: Call; at: number; reply: Reply; method: Promise<'Y' | 'N' | 'U'> };

/** The start that `prepare` has begun, until `authenticate` uses it. */
let begun: Promise<Started> | undefined;

type Tell = (step: Step, reply?: Reply) => void;

const start = async (call: Call, tell: Tell, signal?: AbortSignal): Promise<Started> => {
  tell('start');
  const at = Date.now();
  const reply = await ask(call, 'start', call.fields(), signal);
  if (reply === stateWrong) throw new ForewarnError('client_token_wrong', 'Make a new authentication with create3ds');
  if (reply.step === 'method') tell('method', reply);
  return { call, at, reply, method: reply.step === 'method' ? runMethod(call, signal) : Promise.resolve('U') };
};

const isFresh = ({ at }: Started): boolean => Date.now() - at < freshMilliseconds;

export const prepareWith = async (options: PrepareOptions, scriptUrl: string | undefined): Promise<void> => {
  const call = callOf(options, scriptUrl);
  const own = start(call, () => undefined);
  begun = own;
  own.catch(() => {
    if (begun === own) begun = undefined;
  });
  await (await own).method;
};

/** Returns the start that was prepared for this call, if that is not too long ago; or a new one. */
const startedFor = async (call: Call, tell: Tell, signal?: AbortSignal): Promise<Started> => {
  const prepared = await begun?.catch(() => undefined);
  begun = undefined;
  const isUsable = prepared !== undefined && isFresh(prepared) && prepared.call.same(call);
  return isUsable ? prepared : start(call, tell, signal);
};

/** Asks the issuer; starts again, once, where the start is too old or another call was in between. */
const askIssuer = async (call: Call, size: string, tell: Tell, signal?: AbortSignal): Promise<Reply> => {
  let started = await startedFor(call, tell, signal);
  for (let attempt = 1; ; attempt += 1) {
    if (started.reply.step === 'done') return started.reply;
    const method = await started.method;
    if (signal?.aborted) throw new ForewarnError('network', 'Stopped');
    if (isFresh(started) || attempt > 1) {
      tell('authenticate', started.reply);
      const fields = { ...call.fields(), browser: browserFields(), window_size: size, method };
      const reply = await ask(call, 'authenticate', fields, signal).catch((error: unknown) =>
        answerLost(call, error, signal),
      );
      if (reply !== stateWrong) return reply;
      const status = await ask(call, 'status', {}, signal);
      if (status !== stateWrong && (status.step === 'done' || status.step === 'challenge')) return status;
      if (attempt > 1) throw new ForewarnError('client_token_wrong', 'Make a new authentication with create3ds');
    }
    started = await start(call, tell, signal);
  }
};

/** Where an answer was lost, the service may still have one. */
const answerLost = async (call: Call, error: unknown, signal?: AbortSignal): Promise<Reply | typeof stateWrong> => {
  if (!(error instanceof ForewarnError) || error.code !== 'network') throw error;
  const status = await ask(call, 'status', {}, signal);
  if (status !== stateWrong && (status.step === 'done' || status.step === 'challenge')) return status;
  throw error;
};

/** Where the issuer's page stands: where the caller says, or where the site wants it and the page has a place for it. */
const containerOf = ({ container }: AuthenticateOptions, { mode }: Reply): HTMLElement | undefined =>
  container ??
  (mode === 'inline' ? (document.querySelector<HTMLElement>('[data-forewarn-3ds]') ?? undefined) : undefined);

type Reason = 'payer' | 'timeout' | 'abort';

/** Stops an authentication. What the service makes of it counts: the issuer may have told it another end. */
const cancel = async (call: Call, reason: Reason, reply?: Reply): Promise<Reply> => {
  const end = await ask(call, 'cancel', { reason }).catch(() => undefined);
  if (end && end !== stateWrong) return end;
  return {
    mode: 'modal',
    verbose: false,
    ...reply,
    step: 'done',
    authentication_id: Number(call.id),
    outcome: reason === 'timeout' ? 'timed_out' : 'canceled',
    transStatus: 'U',
    three_d_secure: JSON.stringify({ authentication_id: Number(call.id) }),
  };
};

/** Runs the question to the issuer, unless the page stops it first. */
const unlessStopped = (call: Call, work: () => Promise<Reply>, signal: AbortSignal | undefined): Promise<Reply> => {
  if (signal?.aborted) return cancel(call, 'abort');
  return new Promise((resolve, reject) => {
    const stop = (): void => resolve(cancel(call, 'abort'));
    signal?.addEventListener('abort', stop);
    work()
      .then(resolve, (error: unknown) => !signal?.aborted && reject(error))
      .finally(() => signal?.removeEventListener('abort', stop));
  });
};

/** Shows the issuer's page to the payer, until the service knows the end, time runs out, or the payer or the page stops it. */
const challenge = (call: Call, reply: Reply, options: AuthenticateOptions): Promise<Reply> =>
  new Promise((resolve) => {
    let isOver = false;
    let poll: ReturnType<typeof setTimeout> | undefined;
    const finish = (end: Reply): void => {
      if (isOver) return;
      isOver = true;
      clearTimeout(poll);
      clearTimeout(limit);
      options.signal?.removeEventListener('abort', abort);
      close();
      resolve(end);
    };
    const look = async (): Promise<void> => {
      clearTimeout(poll);
      const status = await ask(call, 'status').catch(() => undefined);
      if (isOver) return;
      if (status && status !== stateWrong && status.step === 'done') return finish(status);
      poll = setTimeout(() => void look(), pollMilliseconds);
    };
    const stop = async (reason: Reason): Promise<void> => finish(await cancel(call, reason, reply));
    const abort = (): void => void stop('abort');
    const limit = setTimeout(() => void stop('timeout'), (options.challengeSeconds ?? usualChallengeSeconds) * 1000);
    const close = showChallenge(call, {
      labels: { ...usualLabels, ...options.labels },
      size: windowSizeOf(options),
      container: containerOf(options, reply),
      onDone: () => void look(),
      onCancel: () => void stop('payer'),
    });
    options.signal?.addEventListener('abort', abort);
    if (options.signal?.aborted) abort();
    poll = setTimeout(() => void look(), pollMilliseconds);
  });

export const authenticateWith = async (
  options: AuthenticateOptions,
  scriptUrl: string | undefined,
): Promise<Result> => {
  checkOptions(options);
  const call = callOf(options, scriptUrl);
  const { signal } = options;
  const tell: Tell = (step, reply) => {
    if (signal?.aborted && step !== 'done') return;
    if (reply?.verbose) console.info('forewarn 3ds:', step);
    options.onStep?.(step);
  };
  let reply = await unlessStopped(call, () => askIssuer(call, windowSizeOf(options), tell, signal), signal);
  if (reply.step === 'challenge') {
    tell('challenge', reply);
    reply = await challenge(call, reply, options);
  }
  tell('done', reply);
  return resultOf(reply);
};
