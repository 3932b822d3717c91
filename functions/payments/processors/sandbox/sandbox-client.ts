import { setTimeout as wait } from 'node:timers/promises';
import { nowMilliseconds } from '#core/kernel/clock.ts';
import type { KeyRing } from '#core/kernel/crypto.ts';
import { timeOfId } from '#core/kernel/ids.ts';
import type { Money } from '#core/kernel/money/money.ts';
import { describeError, log } from '#core/platform/log/log.ts';
import { optional } from '#core/platform/operation/environment.ts';
import { hasProof } from '#payments/payments/three-ds.ts';
import type { ProcessorOf } from '../ports/account.ts';
import type {
  AuthCommand,
  Command,
  FollowUpCommand,
  PayCommand,
  PayoutCommand,
  Processor,
  ProcessorResult,
  Query,
  QueryOutcome,
} from '../ports/processor.ts';
import {
  type Behaviour,
  begunPayment,
  behaviourOf,
  behaviourOfKind,
  behaviourOfRequest,
  behaviourWithPage,
  fromReference,
  outcomeOfOperation,
  pickDecline,
  type SandboxPayment,
  type SandboxRequest,
  sandboxCertainMilliseconds,
  sandboxPaymentResult,
  slowMilliseconds,
  withCode,
  withOperation,
} from './sandbox.ts';
import { isSandboxValue } from './sandbox-authentication.ts';
import { sandboxCurrency } from './sandbox-currencies.ts';
import { isDisputedNumber, promptDisputeOf } from './sandbox-dispute.ts';
import { expectDispute } from './sandbox-dispute-store.ts';
import {
  type FollowUpReference,
  newPageSecret,
  operationMark,
  type PaymentReference,
  paymentId,
  readReference,
  writeReference,
} from './sandbox-reference.ts';
import { addPayment, changePayment, getPayment } from './sandbox-store.ts';

export type SandboxContext = {
  sid: number;
  ring: KeyRing;
  pause?: (milliseconds: number) => Promise<unknown>;
};

/** The same with `pause` set. */
type Sandbox = Required<SandboxContext>;

const lostAnswer = { outcome: 'UNKNOWN', detail: 'The sandbox lost its answer on purpose' } as const;
const unknownReference = { outcome: 'EXC', code: 'not_found_at_processor', reference: null } as const;
const nothingFound = { outcome: 'NOT_FOUND' } as const;
const notYetCertain = { outcome: 'UNKNOWN', detail: 'Nothing has arrived at the sandbox yet' } as const;

/** The sandbox for one site. */
export const sandboxProcessor = ({ sid, ring, pause = wait }: SandboxContext): Processor => {
  const sandbox: Sandbox = { sid, ring, pause };
  return {
    name: 'sandbox',
    // The funds that a site could withdraw are in our own books: the sandbox holds none.
    capabilities: { payout: true, balance: false, otp: true, redirect: true, partialRefund: true },
    exponentOf: (currency) => sandboxCurrency(currency)?.exponent,
    pay: (command) =>
      answerOrUnknown(
        async () =>
          refusal(command.money, command.card) ??
          declineMadeUp(sandbox.ring, command) ??
          expectItsDispute(sandbox, command, await pay(sandbox, command)),
      ),
    payout: (command) => answerOrUnknown(async () => refusal(command.money, command.card) ?? payout(sandbox, command)),
    continueAuth: (command) => answerOrUnknown(() => continueAuth(sandbox, command)),
    resendAuth: ({ reference }) => answerOrUnknown(() => changedByPayer(sandbox, reference, (payment) => payment)),
    capture: (command) => answerOrUnknown(() => follow(sandbox, 'capture', command)),
    void: (command) => answerOrUnknown(() => follow(sandbox, 'void', command)),
    refund: (command) => answerOrUnknown(() => follow(sandbox, 'refund', command)),
    query: (query) =>
      answerOrUnknown<QueryOutcome>(() =>
        query.kind === 'pay' || query.kind === 'payout' ? queryPayment(sandbox, query) : queryFollowUp(sandbox, query),
      ),
    // It sends no webhooks: its page tells the ledger directly.
    readWebhook: async () => undefined,
    balance: async () => {
      throw new Error('The sandbox holds no funds');
    },
  };
};

const sealPayment = ({ sid, ring }: Sandbox, payment: SandboxPayment | PaymentReference): string =>
  writeReference(ring, sid, { ...payment, minor: BigInt(payment.minor) });

const sealFollowUp = ({ sid, ring }: Sandbox, reference: FollowUpReference): string =>
  writeReference(ring, sid, reference);

const payResult = (sandbox: Sandbox, payment: SandboxPayment): ProcessorResult =>
  sandboxPaymentResult(payment, sealPayment(sandbox, payment), nowMilliseconds());

const beginSandbox = async (
  sandbox: Sandbox,
  kind: 'pay' | 'payout',
  command: Begin,
  page: PageOf,
): Promise<ProcessorResult> => {
  const { sid, pause } = sandbox;
  const { idempotencyKey, txid, money, capture, authenticate } = command;
  const begunAt = timeOfId(txid);
  const reference = { kind, id: paymentId(sid, idempotencyKey), ...money, capture, begunAt };
  const own = behaviourOfKind(kind, money.minor);
  const behaviour = authenticate ? behaviourWithPage(own) : own;
  if (behaviour === 'never_arrives') return lostAnswer;
  if (behaviour === 'slow') await pause(slowMilliseconds);
  const unwritten = behaviour === 'redirect' ? undefined : fromReference(sid, reference);
  // A payment that continues by itself is pending in its first answer, even if that comes late.
  if (unwritten) return sandboxPaymentResult(unwritten, sealPayment(sandbox, reference), begunAt);
  const secret = newPageSecret();
  const fresh = begunPayment(
    { ...reference, sid, txid },
    behaviour,
    page(`${reference.id}${secret}`, secret),
    nowMilliseconds(),
  );
  const written = await addPayment(fresh);
  return behaviour === 'lost' && written === fresh ? lostAnswer : payResult(sandbox, written);
};

const pay = (sandbox: Sandbox, command: PayCommand): Promise<ProcessorResult> => {
  const { returnUrl, descriptor, shopName } = command;
  const base = returnBase(returnUrl);
  return beginSandbox(sandbox, 'pay', command, (id, secret) => ({
    secret,
    returnUrl,
    payee: descriptor ?? shopName,
    url: `${base}/sandbox/pay/${id}`,
  }));
};

/** A payment with the card number for disputes is charged back soon after. */
const expectItsDispute = async (
  { sid }: Sandbox,
  { card, txid, money }: PayCommand,
  outcome: ProcessorResult,
): Promise<ProcessorResult> => {
  if (outcome.outcome === 'OK' && card.reveal(({ number }) => isDisputedNumber(number))) {
    const payment = { txid, sid, reference: outcome.reference, ...money };
    await expectDispute(promptDisputeOf(payment, nowMilliseconds()));
  }
  return outcome;
};

const payout = (sandbox: Sandbox, command: PayoutCommand): Promise<ProcessorResult> =>
  beginSandbox(sandbox, 'payout', { ...command, capture: true, authenticate: false }, (_, secret) => ({
    secret,
    returnUrl: '',
    payee: null,
    url: '',
  }));

const follow = async (
  sandbox: Sandbox,
  kind: SandboxRequest['kind'],
  command: FollowUpCommand,
): Promise<ProcessorResult> => {
  const { sid, ring } = sandbox;
  const payment = readReference(ring, sid, command.reference);
  if (!payment || 'operation' in payment) return unknownReference;
  const request: SandboxRequest = { id: operationMark(command.idempotencyKey), kind, ...command.money };
  const behaviour = behaviourOfRequest(request, { minor: String(payment.minor) });
  if (behaviour === 'never_arrives') return lostAnswer;
  let isNew = false;
  const change = (before: SandboxPayment) => {
    isNew = before.operations[request.id] === undefined;
    return withOperation(before, request, nowMilliseconds());
  };
  const changed = await changePayment(payment.id, fromReference(sid, payment), change);
  const operation = changed?.operations[request.id];
  if (!operation) return unknownReference;
  const isLost = behaviour === 'lost' || behaviourOf(payment.minor) === 'follow_ups_lost';
  if (isNew && isLost && operation.refused === null) return lostAnswer;
  const reference = sealFollowUp(sandbox, { kind, id: payment.id, operation: request.id });
  return outcomeOfOperation(operation, reference, nowMilliseconds());
};

const queryFollowUp = async (sandbox: Sandbox, query: Query): Promise<QueryOutcome> => {
  const { sid, ring } = sandbox;
  const own = query.reference === null ? undefined : readReference(ring, sid, query.reference);
  const parent = query.paymentReference === null ? undefined : readReference(ring, sid, query.paymentReference);
  const id = own?.id ?? parent?.id;
  const operationId = own && 'operation' in own ? own.operation : operationMark(query.idempotencyKey);
  const operation = id === undefined ? undefined : (await getPayment(id))?.operations[operationId];
  if (!id || !operation) {
    const isPartial = parent && 'minor' in parent && parent.minor !== query.money.minor;
    return missing(query, isPartial ? behaviourOf(query.money.minor) : 'plain');
  }
  const reference = sealFollowUp(sandbox, { kind: operation.kind, id, operation: operationId });
  return outcomeOfOperation(operation, reference, nowMilliseconds());
};

const queryPayment = async (sandbox: Sandbox, query: Query): Promise<QueryOutcome> => {
  const { sid, ring } = sandbox;
  const reference = query.reference === null ? undefined : readReference(ring, sid, query.reference);
  const written = await getPayment(reference?.id ?? paymentId(sid, query.idempotencyKey));
  const payment = written ?? (reference && 'minor' in reference ? fromReference(sid, reference) : undefined);
  return payment ? payResult(sandbox, payment) : missing(query, behaviourOf(query.money.minor));
};

const changedByPayer = async (
  sandbox: Sandbox,
  reference: string,
  change: (payment: SandboxPayment) => SandboxPayment,
): Promise<ProcessorResult> => {
  const { sid, ring } = sandbox;
  const payment = readReference(ring, sid, reference);
  if (!payment || 'operation' in payment) return unknownReference;
  const changed = await changePayment(payment.id, fromReference(sid, payment), change);
  return changed ? payResult(sandbox, changed) : unknownReference;
};

const continueAuth = (
  sandbox: Sandbox,
  { reference, idempotencyKey, authValue }: AuthCommand,
): Promise<ProcessorResult> =>
  changedByPayer(sandbox, reference, (payment) =>
    withCode(payment, operationMark(idempotencyKey), authValue, nowMilliseconds()),
  );

/** Payers return to `<service>/return/…`, and the hosted page is served by the same service. */
const returnBase = (returnUrl: string): string => {
  const base = returnUrl.replace(/\/return(?:\/.*)?$/, '');
  return base === returnUrl ? new URL(returnUrl).origin : base;
};

type Begin = Command & Pick<PayCommand, 'capture' | 'authenticate'>;
type PageOf = (id: string, secret: string) => Parameters<typeof begunPayment>[2];

const refusal = (money: Money, card: PayCommand['card'] | null): ProcessorResult | undefined => {
  if (!sandboxCurrency(money.currency)) {
    return { outcome: 'EXC', code: 'currency_not_supported', reference: null };
  }
  if (money.minor <= 0n) return { outcome: 'EXC', code: 'amount_invalid', reference: null };
  const code = card?.reveal(({ number }) => pickDecline(number));
  return code && { outcome: 'EXC', code, reference: null };
};

/** An issuer declines a result that does not prove its own authentication; if one must be made now, no result was shown. */
const declineMadeUp = (ring: KeyRing, { threeDs, authenticate }: PayCommand): ProcessorResult | undefined => {
  if (authenticate || !hasProof(threeDs)) return undefined;
  const { dsTransId, cavv } = threeDs;
  const isTheirs = isSandboxValue(ring, { dsTransId, transStatus: threeDs.transStatus ?? 'Y' }, cavv);
  return isTheirs ? undefined : { outcome: 'EXC', code: 'authentication_failed', reference: null };
};

/** An operation that is not there may still arrive, unless it was meant to be lost or was begun too long ago. */
const missing = ({ startedAt }: Query, behaviour: Behaviour): QueryOutcome =>
  behaviour === 'never_arrives' || nowMilliseconds() - Date.parse(startedAt) >= sandboxCertainMilliseconds
    ? nothingFound
    : notYetCertain;

/** The sandbox's own table may fail too. It is then unknown if a write was made, as with any processor. */
const answerOrUnknown = async <T>(work: () => Promise<T>): Promise<T | ProcessorResult> => {
  try {
    return await work();
  } catch (error) {
    log('error', 'sandbox_failed', { error: describeError(error) });
    return { outcome: 'UNKNOWN', detail: 'The sandbox could not reach its table' };
  }
};

export const sandboxProcessorOf: ProcessorOf = (_route, context) => {
  if (optional('ALLOW_SANDBOX') !== 'true') throw new Error('The sandbox is not allowed here: see ALLOW_SANDBOX');
  return sandboxProcessor(context);
};
