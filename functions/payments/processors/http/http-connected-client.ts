import * as v from 'valibot';
import { maskIssuedCards } from '#core/kernel/card/card-numbers.ts';
import { iso, milliseconds, nowIso, nowMilliseconds } from '#core/kernel/clock.ts';
import { newTimedId } from '#core/kernel/ids.ts';
import type { ConnectedProcessorOf } from '../ports/account.ts';
import {
  type ChargeCandidate,
  type ChargeListResult,
  type ChargeRefundRequest,
  type ChargeSearchResult,
  type ChargeSpan,
  type Check,
  type ConnectedProcessor,
  type ConnectionTrouble,
  type DisputedCharge,
  isCertain,
  isTrouble,
  type OrderHold,
  type RefundState,
  refusedOutcome,
  unknownOutcome,
} from '../ports/connected-processor.ts';
import type { ProcessorResult } from '../ports/processor.ts';
import { httpDisputes } from './http-disputes-client.ts';
import { type HttpAnswer, type HttpKeys, postToService } from './http-exchange-client.ts';
import {
  describeIssues,
  ListAnswer,
  readCharges,
  readRefundResult,
  readSearch,
  refundBody,
  searchBody,
} from './http-messages.ts';

/** A merchant's own service as a connected processor, so that every processor can be connected. */
export const connectHttp = (keys: HttpKeys): ConnectedProcessor => ({
  kind: 'http',
  find: (disputed) => findHttpCharge(keys, disputed),
  look: (reference) => lookAtHttp(keys, reference),
  list: (span, cursor) => listHttp(keys, span, cursor),
  refund: (request) => refund(keys, request),
  refundState: (request) => refundState(keys, request),
  cancelSubscription: (reference, _key, alertId) => cancelSubscription(keys, reference, alertId),
  holdOrder: (reference, alertId) => holdOrder(keys, reference, alertId),
  check: () => checkHttp(keys),
});

const refusedKeys = (status: number): boolean => status === 401 || status === 403;

const httpTrouble = (answer: HttpAnswer): ConnectionTrouble => {
  if ('failure' in answer) return { problem: 'unavailable', detail: answer.detail };
  if (answer.status === 401) {
    return { problem: 'credentials', detail: 'The service does not know the secret that signs the calls.' };
  }
  if (answer.status === 403) return { problem: 'credentials', detail: 'The service refused the call (403).' };
  return { problem: 'unavailable', detail: `The service refused the call (status ${answer.status}).` };
};

type Answered = Extract<HttpAnswer, { status: number }>;

/** Why the answer to a call cannot be used, although the service did not refuse the call. */
const unreadable = (path: string, { noJson }: Answered, words: string): ConnectionTrouble => ({
  problem: 'unavailable',
  detail: `The answer to ${path} could not be read: ${noJson ?? words}.`,
});

/** The number of charges of an answer that are named as unreadable. */
const maxNamed = 5;

const nameFaults = (found: readonly { words: string }[], noun = 'charges'): string =>
  `${found.length} of the ${noun} could not be read: ${found
    .slice(0, maxNamed)
    .map(({ words }) => words)
    .join('; ')}${found.length > maxNamed ? '; …' : ''}.`;

const search = async (keys: HttpKeys, body: object) => {
  const answer = await postToService(keys, '/search', body);
  if ('failure' in answer || answer.status !== 200) return httpTrouble(answer);
  const found = readSearch(answer.body);
  return typeof found === 'string' ? unreadable('/search', answer, found) : found;
};

/** An unreadable charge of another card is only named; any other may be the alert's. */
const findHttpCharge = async (keys: HttpKeys, disputed: DisputedCharge): Promise<ChargeSearchResult> => {
  const found = await search(keys, searchBody(disputed));
  if (isTrouble(found) || found.unreadable.length === 0) return found;
  const isOfOtherCard = found.unreadable.every(({ last4 }) => /^\d{4}$/.test(last4) && last4 !== disputed.last4);
  const { candidates, isWhole } = found;
  return { candidates, isWhole: isWhole && isOfOtherCard, unread: nameFaults(found.unreadable) };
};

const lookAtHttp = async (keys: HttpKeys, reference: string): Promise<ChargeCandidate | null | ConnectionTrouble> => {
  if (reference === '' || reference.length > 200) return null;
  const found = await search(keys, { reference });
  if (isTrouble(found)) return found;
  const unread = found.unreadable.filter((one) => one.reference === reference || one.reference === '');
  const charge = found.candidates.find((one) => one.reference === reference);
  if (!charge && unread.length > 0) return { problem: 'unavailable', detail: nameFaults(unread) };
  return charge ?? null;
};

/** The call is optional: a service without it returns 404 or 405. */
const listHttp = async (keys: HttpKeys, { from, to }: ChargeSpan, cursor: string | null): Promise<ChargeListResult> => {
  const answer = await postToService(keys, '/charges', { from, to, cursor });
  if ('failure' in answer) return httpTrouble(answer);
  const { status, body } = answer;
  if (status === 404 || status === 405) return 'not_offered';
  if (status === 429) return { problem: 'too_many', detail: 'The service limits how often it may be called (429).' };
  if (status !== 200) return httpTrouble(answer);
  const { success, output, issues } = v.safeParse(ListAnswer, body);
  if (!success) return unreadable('/charges', answer, describeIssues(issues));
  const { candidates: charges, unreadable: left } = readCharges(output.charges);
  const next = output.next_cursor;
  // It is stored between two pages, where a card number would be masked.
  if (next !== null && maskIssuedCards(next) !== next) {
    return { problem: 'unavailable', detail: 'The next_cursor of the service looks like a card number.' };
  }
  return { charges, next, ...(left.length > 0 && { unread: left.map(({ words }) => words) }) };
};

/** Statuses with which a service refuses a call before it acts on it. After any other the result is unknown. */
const definiteStatuses: readonly number[] = [400, 404, 422];

const resultIn = (path: string, answer: Answered): ProcessorResult => {
  const result = readRefundResult(answer.body);
  return typeof result === 'string' ? unknownOutcome(unreadable(path, answer, result).detail) : result;
};

const refund = async (keys: HttpKeys, request: ChargeRefundRequest): Promise<ProcessorResult> => {
  const answer = await postToService(keys, '/refund', refundBody(request));
  if ('failure' in answer) {
    return answer.failure === 'unsent'
      ? refusedOutcome('processor_unavailable', answer.detail)
      : unknownOutcome(answer.detail);
  }
  const { status } = answer;
  if (refusedKeys(status)) return refusedOutcome('processor_credentials', `the service answered ${status}`);
  if (status === 404) return refusedOutcome('not_found_at_processor', 'the service has no such charge');
  if (status === 200) return resultIn('/refund', answer);
  return definiteStatuses.includes(status)
    ? refusedOutcome('refund_failed', `the service answered ${status}`)
    : unknownOutcome(`the service answered /refund with ${status}`);
};

const refundState = async (keys: HttpKeys, request: ChargeRefundRequest): Promise<RefundState> => {
  const { reference, key } = request;
  const answer = await postToService(keys, '/refund-state', { reference, idempotency_key: key });
  if ('failure' in answer) return unknownOutcome(answer.detail);
  const { status } = answer;
  if (status === 200) return resultIn('/refund-state', answer);
  if (status !== 404) return unknownOutcome(`the service answered /refund-state with ${status}`);
  return isCertain(request, nowMilliseconds())
    ? { outcome: 'NOT_FOUND' }
    : unknownOutcome('the service does not know the refund yet');
};

const cancelSubscription = async (
  keys: HttpKeys,
  reference: string,
  alertId: number | undefined,
): Promise<ProcessorResult> => {
  const charge = await lookAtHttp(keys, reference);
  if (charge !== null && isTrouble(charge)) return unknownOutcome(charge.detail);
  if (!charge?.subscription) {
    return refusedOutcome('not_found_at_processor', 'the service names no subscription of the charge');
  }
  const body = { subscription: charge.subscription, alert_id: alertId ?? null };
  const answer = await postToService(keys, '/cancel-subscription', body);
  if ('failure' in answer) return unknownOutcome(answer.detail);
  const { status } = answer;
  if (status >= 200 && status < 300) return { outcome: 'OK', reference: charge.subscription };
  if (status === 404) return refusedOutcome('operation_not_supported', 'the service ends no subscriptions');
  if (refusedKeys(status)) return refusedOutcome('processor_credentials', `the service answered ${status}`);
  return unknownOutcome(`the service answered ${status}`);
};

const holds: Readonly<Record<string, OrderHold>> = {
  held: { held: 'order held by your service' },
  shipped: { refused: 'your service has shipped it' },
  unknown: { refused: 'your service knows no order of the charge' },
};

const HoldAnswer = v.looseObject({
  status: v.pipe(v.string(), v.trim(), v.toLowerCase(), v.picklist(['held', 'shipped', 'unknown'])),
});

/** A service that does not offer the call returns 404 or 405. */
const holdOrder = async (keys: HttpKeys, reference: string, alertId: number): Promise<OrderHold> => {
  const answer = await postToService(keys, '/hold-order', { reference, alert_id: alertId });
  if ('failure' in answer) return { unknown: answer.detail };
  const { status } = answer;
  if (status === 404 || status === 405) return { refused: 'your service holds no orders' };
  const { success, output } = v.safeParse(HoldAnswer, answer.body);
  if (status === 200 && success) return holds[output.status] ?? { unknown: 'your service gave no status' };
  return refusedKeys(status)
    ? { refused: `your service answered ${status}` }
    : { unknown: `your service answered ${status}` };
};

/** A reference that no charge has, so that a refund of it changes nothing and shows whether refunds are allowed. */
const noCharge = 'forewarn-connection-test';

const checkHttp = async (keys: HttpKeys): Promise<Check> => {
  const found = await lookAtHttp(keys, noCharge);
  if (found !== null && isTrouble(found)) return { isWorking: false, missing: [], ...found };
  const request: ChargeRefundRequest = {
    ...{ reference: noCharge, money: { minor: 1n, currency: 'USD' }, key: `test-${newTimedId()}` },
    ...{ begunAt: nowIso(), reason: 'dispute', alertId: 0 },
  };
  const state = await postToService(keys, '/refund-state', { reference: noCharge, idempotency_key: request.key });
  const refunded = await refund(keys, request);
  const missing = [
    ...(refunded.outcome === 'EXC' && refunded.code === 'processor_credentials' ? ['refund'] : []),
    ...('status' in state && refusedKeys(state.status) ? ['refund-state'] : []),
  ];
  if (missing.length > 0) {
    return { isWorking: false, problem: 'credentials', missing, detail: 'The service refused some calls.' };
  }
  const unread = await unreadDisputes(keys);
  if (unread !== undefined) return { isWorking: false, problem: 'unavailable', missing: [], detail: unread };
  if (refunded.outcome === 'EXC' && !('failure' in state) && state.status === 404) return { isWorking: true };
  const detail =
    refunded.outcome === 'UNKNOWN'
      ? refunded.detail
      : 'failure' in state
        ? `The service did not answer /refund-state: ${state.detail}.`
        : 'The service must refuse a refund of an unknown charge, and return 404 for an unknown refund.';
  return { isWorking: false, problem: 'unavailable', missing: [], detail };
};

/** Why disputes of the last month cannot be read, each with its field and the reason; undefined if all can, or the service has no such call. */
const unreadDisputes = async (keys: HttpKeys): Promise<string | undefined> => {
  const answer = await httpDisputes(keys).since?.(iso(nowMilliseconds() - 30 * milliseconds.day));
  if (!answer) return undefined;
  if ('unknown' in answer) return answer.unknown;
  const { unread = [] } = answer;
  if (unread.length === 0) return undefined;
  return nameFaults(unread, 'disputes');
};

export const httpConnectedProcessorOf: ConnectedProcessorOf = ({ open }) => connectHttp(open('http'));
