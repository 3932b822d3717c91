import { parseJson } from '#core/platform/http/json.ts';
import {
  type Check,
  type ConnectionTrouble,
  patienceMilliseconds,
  refusedOutcome,
  unknownOutcome,
} from './connected-processor.ts';
import type { DisputeDone } from './dispute.ts';
import { type ExchangeFailure, exchange, sortFailure } from './processor-exchange-client.ts';

/** The status and JSON of an answer; `body` is undefined if it is not JSON. */
export type JsonAnswer = { status: number; body: unknown } | { failure: ExchangeFailure };

/** Sends one request to a processor that speaks JSON. `isRepeatable`: sending it twice changes nothing. */
export const exchangeJson = async (url: string, init: RequestInit, isRepeatable: boolean): Promise<JsonAnswer> => {
  try {
    const signal = AbortSignal.timeout(patienceMilliseconds);
    const response = await exchange(url, { ...init, signal }, { isRepeatable });
    return { status: response.status, body: parseJson(await response.text()) };
  } catch (error) {
    return { failure: sortFailure(error) };
  }
};

const isForbidden = (status: number): boolean => status === 401 || status === 403;

/** Returns why a question was not answered. */
export const troubleOfAnswer = (processor: string, answer: JsonAnswer): ConnectionTrouble => {
  if ('failure' in answer) return { problem: 'unavailable', detail: `${processor} did not answer` };
  const problem = isForbidden(answer.status) ? 'credentials' : 'unavailable';
  return { problem, detail: `${processor} ${answer.status}` };
};

/** The result of a request about a dispute that was not answered with success. */
export const failureOfDispute = (processor: string, answer: JsonAnswer): Exclude<DisputeDone, 'done'> => {
  const { detail } = troubleOfAnswer(processor, answer);
  const isRefused = 'status' in answer && answer.status >= 400 && answer.status < 500 && answer.status !== 429;
  return isRefused ? { refused: detail } : { unknown: detail };
};

/** Returns the object in an answer; null if the processor has none of that name. `reader`: undefined for anything else. */
export const objectIn = <T>(
  processor: string,
  answer: JsonAnswer,
  reader: (body: unknown) => T | undefined,
): { object: T } | null | ConnectionTrouble => {
  if ('status' in answer && answer.status === 404) return null;
  const object = 'status' in answer && answer.status === 200 ? reader(answer.body) : undefined;
  return object === undefined ? troubleOfAnswer(processor, answer) : { object };
};

/** The outcome of a request to refund whose answer is not the result of a refund. */
export const outcomeOfAnswer = (
  processor: string,
  answer: JsonAnswer,
): ReturnType<typeof refusedOutcome | typeof unknownOutcome> => {
  if ('failure' in answer) {
    return answer.failure === 'unsent'
      ? refusedOutcome('processor_unavailable', `${processor}: no connection`)
      : unknownOutcome(`${processor} did not answer`);
  }
  const detail = `${processor} ${answer.status}`;
  if (isForbidden(answer.status)) return refusedOutcome('processor_credentials', detail);
  return answer.status === 429 ? refusedOutcome('processor_unavailable', detail) : unknownOutcome(detail);
};

/** Rights as an account names them, each with a request that changes nothing and shows whether the keys have it. */
type Rights = readonly (readonly [name: string, ask: () => Promise<JsonAnswer>])[];

const unavailable = (status: number): boolean => status === 0 || status === 429 || status >= 500;

/** Tries each right. Keys that are refused everything are not known. */
export const checkRights = async (title: string, rights: Rights): Promise<Check> => {
  const missing: string[] = [];
  for (const [name, ask] of rights) {
    const answer = await ask();
    const status = 'status' in answer ? answer.status : 0;
    if (unavailable(status)) {
      return { isWorking: false, problem: 'unavailable', missing: [], detail: `${title} did not answer.` };
    }
    if (isForbidden(status)) missing.push(name);
  }
  if (missing.length === 0) return { isWorking: true };
  const isUnknown = missing.length === rights.length;
  return isUnknown
    ? { isWorking: false, problem: 'credentials', missing: [], detail: `${title} does not know these keys.` }
    : { isWorking: false, problem: 'credentials', missing, detail: 'The keys lack a right.' };
};
