import * as v from 'valibot';
import { redactText } from '#core/platform/log/redaction.ts';
import { reasonMeaning } from '#disputes/alerts/answer/reason-codes.ts';
import { connection } from './connection-client.ts';
import type { Exchanged } from './network-exchange-client.ts';
import { finalSum, type OutcomeAnswer, type OutcomeProvider, type OutgoingOutcome } from './outcome-provider.ts';
import { callProviderA, ProviderAConnection } from './provider-a-connection-client.ts';

/** For each reason, the issuer's outcome in case of a confirmed fraud, and in case of a dispute. */
const outcomes: Readonly<Record<string, readonly [fraud: string, dispute: string]>> = {
  '100': ['STOPPED', 'RESOLVED'],
  '101': ['PARTIALLY_STOPPED', 'RESOLVED'],
  '102': ['OTHER', 'OTHER'],
  '103': ['ACCOUNT_SUSPENDED', 'RESOLVED'],
  '900': ['OTHER', 'OTHER'],
  '901': ['NOT_FOUND', 'NOT_FOUND'],
  '902': ['NOT_FOUND', 'NOT_FOUND'],
  '940': ['OTHER', 'OTHER'],
  '950': ['OTHER', 'OTHER'],
  '951': ['PREVIOUSLY_CANCELLED', 'RESOLVED_PREVIOUSLY_REFUNDED'],
  '952': ['OTHER', 'UNRESOLVED_DISPUTE'],
  '953': ['OTHER', 'OTHER'],
  '954': ['OTHER', 'OTHER'],
  '956': ['MISSED', 'UNRESOLVED_DISPUTE'],
  '957': ['OTHER', 'UNRESOLVED_DISPUTE'],
  '998': ['SHIPPER_CONTACTED', 'OTHER'],
  '999': ['IN_PROGRESS', 'IN_PROGRESS'],
};

const refundStatus: Readonly<Record<string, string>> = {
  '001': 'REFUNDED',
  '002': 'NOT_REFUNDED',
  '003': 'NOT_SETTLED',
};

const maxComment = 1024;

/** The network's code for an answer. An answer that is not final is in progress there, whatever reason it gives. */
const providerAOutcome = ({ alertType, isFinal, update }: OutgoingOutcome): string => {
  const reason = update.reason_code.slice(0, 3);
  const word = outcomes[reason]?.[alertType === 'FRAUD' ? 0 : 1] ?? 'OTHER';
  return isFinal || word === 'SHIPPER_CONTACTED' ? word : 'IN_PROGRESS';
};

const commentA = (outcome: OutgoingOutcome, word: string, truth: string | undefined): string | undefined => {
  const { update, firstCaseId } = outcome;
  const said = update.comments ?? (word === 'OTHER' ? reasonMeaning(update.reason_code) : undefined);
  const first = firstCaseId === null ? undefined : `Duplicate of alert ${firstCaseId}`;
  const text = [truth, first, said].filter((part) => part !== undefined).join('. ');
  return text === '' ? undefined : text.slice(0, maxComment).toWellFormed();
};

/** An amount with its currency's decimals, as the network writes it: a number. `bodyOf` takes the quotes away. */
const money = (value: string, currencyCode: string) => ({ value, currencyCode });

/** The values that the specification allows for an amount: https://github.com/api-evangelist/mastercard, `POST /outcomes` (2026-11-28). */
const [minValue, maxValue] = [1, 999_999];
const isAllowed = (amount: string): boolean => Number(amount) >= minValue && Number(amount) <= maxValue;

/** The allowed amount that is nearest; nothing becomes the alert's own amount, which the status next to it says was not refunded. */
const fitAmount = (amount: string, whole: string): string => {
  if (isAllowed(amount)) return amount;
  if (Number(amount) === 0 && Number(whole) > 0) return fitAmount(whole, '0');
  const [, decimals = ''] = amount.split('.');
  return (Number(amount) > maxValue ? maxValue : minValue).toFixed(decimals.length);
};

/** One outcome as the network reads it. `isFitted`: its amounts are those that the specification allows, and its comments state the true ones. */
const entryA = (outcome: OutgoingOutcome, isFitted = false) => {
  const { update, caseId, createdAt, refundReference } = outcome;
  const result = update.reason_code.slice(4);
  const { amount, currency } = finalSum(outcome);
  const nothing = amount.replace(/\d/g, '0').replace(/^0+(?=0)/, '');
  const at = update.alert_outcome_action_date ?? createdAt;
  const word = providerAOutcome(outcome);
  const isRefunded = result === '001';
  const [refunded, stopped] = [isRefunded ? amount : nothing, result === '002' ? nothing : amount];
  const toMoney = (value: string) => money(isFitted ? fitAmount(value, amount) : value, currency);
  const truth = isFitted ? `Refunded: ${refunded} ${currency}. Stopped: ${stopped} ${currency}` : undefined;
  const reference = isRefunded && refundReference !== null && /^[\dA-Za-z]{1,64}$/.test(refundReference);
  return {
    alertId: caseId,
    outcome: word,
    refundStatus: refundStatus[result] ?? 'NOT_REFUNDED',
    refund: {
      amount: toMoney(refunded),
      type: 'REFUND',
      timestamp: at,
      transactionId: reference ? refundReference : undefined,
    },
    amountStopped: toMoney(stopped),
    comments: commentA(outcome, word, truth),
    actionTimestamp: at,
  };
};

/** Amounts are JSON numbers with all their decimals; they are never held in a float. Quotes within texts are escaped. */
const bodyA = (outcomes: readonly OutgoingOutcome[], isFitted: boolean): string =>
  JSON.stringify({ outcomes: outcomes.map((one) => entryA(one, isFitted)) }).replace(
    /"value":"(\d+(?:\.\d+)?)"/g,
    '"value":$1',
  );

const Fault = v.object({
  ReasonCode: v.optional(v.string()),
  Description: v.optional(v.string()),
  Recoverable: v.optional(v.boolean()),
  Details: v.optional(v.nullable(v.string())),
});
type Fault = v.InferOutput<typeof Fault>;
const Faults = v.object({ Error: v.array(Fault) });
const Acknowledgement = v.object({
  outcomeResponses: v.array(v.object({ alertId: v.string(), status: v.string(), errors: v.nullish(Faults) })),
});
const Refused = v.object({ Errors: Faults });

const faultText = (faults: readonly Fault[]): string =>
  redactText(
    faults
      .map(({ ReasonCode, Description }) => [ReasonCode, Description].filter(Boolean).join(': '))
      .join('; ')
      .slice(0, 500),
  ) || 'It gave no reason';

/** Checks whether the fault says that the alert already has this same outcome, which is as good as accepted. */
const hasAlready = ({ ReasonCode, Details }: Fault, outcome: OutgoingOutcome): boolean =>
  ReasonCode === 'OUTCOME_ALREADY_PROVIDED' && Details === providerAOutcome(outcome);

/**
 * Checks whether the same outcome would be refused again: `Recoverable` is false by default. The network marks a field that it cannot read as
 * recoverable, which it is only after a correction.
 */
const isForGood = (fault: Fault): boolean => !(fault.Recoverable ?? false) || isInvalid(fault);

const isInvalid = ({ ReasonCode }: Fault): boolean => ReasonCode === 'VALIDATION_FAILURE';

/** Checks whether the field that could not be read is the outcome's word. Its words of refusals are not public: that they name it is assumed. */
const namesWord = (fault: Fault, word: string): boolean => {
  const text = `${fault.Description ?? ''} ${fault.Details ?? ''}`;
  return isInvalid(fault) && (/\boutcome\b/i.test(text) || text.includes(word));
};

/** `isInvalid`: the network could not read a field; `isUnknownWord`: that field is the outcome. */
type Answer = OutcomeAnswer & { isInvalid?: boolean; isUnknownWord?: boolean };

const answerOfFaults = (faults: readonly Fault[], outcome: OutgoingOutcome, status: number): Answer => {
  if (faults.some((fault) => hasAlready(fault, outcome))) return { result: 'accepted', status };
  const error = faultText(faults);
  return faults.some(isForGood)
    ? {
        ...{ result: 'refused' as const, status, error, isInvalid: faults.some(isInvalid) },
        isUnknownWord: faults.some((fault) => namesWord(fault, providerAOutcome(outcome))),
      }
    : { result: 'failed', status, error, pauseSeconds: null };
};

const answerIn = (body: unknown, outcome: OutgoingOutcome): Answer => {
  const read = v.safeParse(Acknowledgement, body);
  const found = read.success && read.output.outcomeResponses.find(({ alertId }) => alertId === outcome.caseId);
  if (!found)
    return { result: 'unknown', status: 200, error: 'Its answer does not name the alert', pauseSeconds: null };
  // Its pages write both, SUCCESS and success.
  if (found.status.toUpperCase() === 'SUCCESS') return { result: 'accepted', status: 200 };
  return answerOfFaults(found.errors?.Error ?? [], outcome, 200);
};

/** Returns the meaning of an answer, or of none, for one outcome that was in the call. */
const answerA = (exchanged: Exchanged, outcome: OutgoingOutcome): Answer => {
  if (exchanged.kind !== 'answered') {
    const result = exchanged.kind === 'unsent' ? ('failed' as const) : ('unknown' as const);
    return { result, status: null, error: exchanged.words, pauseSeconds: null };
  }
  const { status, body, pauseSeconds } = exchanged;
  if (status === 200) return answerIn(body, outcome);
  const refused = v.safeParse(Refused, body);
  const faults = refused.success ? refused.output.Errors.Error : [];
  const error = faults.length > 0 ? faultText(faults) : `It answered ${status}`;
  if (status === 401 || status === 403) return { result: 'failed', status, error, pauseSeconds, isOurFault: true };
  if (status === 400 && faults.length > 0) return answerOfFaults(faults, outcome, status);
  const result = status >= 500 || status < 400 ? ('unknown' as const) : ('failed' as const);
  return { result, status, error, pauseSeconds };
};

const interimUnsent: OutcomeAnswer = {
  result: 'refused',
  status: null,
  error: 'It has refused an interim answer before',
};

/**
 * The provider behind a connection, which takes outcomes as the Ethoca Alerts Merchant API does: one call for all that it is given.
 * @see https://developer.mastercard.com/ethoca-alerts-for-merchants/documentation/api-reference/outcome-api-ref/
 */
export const providerAOutcomes = (connected: ProviderAConnection, timeoutMilliseconds?: number): OutcomeProvider => {
  const call = (outcomes: readonly OutgoingOutcome[], isFitted = false) => {
    const body = bodyA(outcomes, isFitted);
    return callProviderA(connected, { method: 'POST', path: '/outcomes', body }, timeoutMilliseconds);
  };
  const fitAgain = async (answer: Answer, one: OutgoingOutcome): Promise<Answer> => {
    const { refund, amountStopped } = entryA(one);
    const isUnusual = ![refund.amount, amountStopped].every(({ value }) => isAllowed(value));
    return answer.isInvalid && isUnusual ? answerA(await call([one], true), one) : answer;
  };
  // Words of interim answers are not in the specification's list of allowed values: one that was refused is not sent again.
  const unknownWords = new Set<string>();
  return {
    send: async (outcomes) => {
      const sent = outcomes.filter((one) => one.isFinal || !unknownWords.has(providerAOutcome(one)));
      const unsent = outcomes.filter((one) => !sent.includes(one)).map(({ id }) => [id, interimUnsent] as const);
      if (sent.length === 0) return new Map(unsent);
      const exchanged = await call(sent);
      // Refused as a whole, perhaps because of a single one: each is sent by itself.
      const isMixed = exchanged.kind === 'answered' && exchanged.status === 400 && sent.length > 1;
      const answers = await Promise.all(
        sent.map(async (one) => {
          const answer = await fitAgain(answerA(isMixed ? await call([one]) : exchanged, one), one);
          if (answer.isUnknownWord && !one.isFinal) unknownWords.add(providerAOutcome(one));
          return [one.id, answer] as const;
        }),
      );
      return new Map([...unsent, ...answers]);
    },
  };
};

/** provider_a as this deployment reaches it. */
export const connectProviderA = connection('outcome-provider-a', ProviderAConnection, (settings) =>
  providerAOutcomes(settings),
);
