import { createPublicKey, type KeyObject } from 'node:crypto';
import * as v from 'valibot';
import { exponentOf } from '#core/kernel/money/money.ts';
import {
  isOnTheWay,
  isUnknownCase,
  type Network,
  type NetworkFault,
  type NetworkMemory,
  type NetworkReply,
  type NetworkRequest,
  takes,
} from './network.ts';
import { oauthProblem } from './oauth.ts';

/**
 * provider_a's outcome service and its alerts to fetch, made from the public document of Mastercard's Ethoca Alerts Merchant API.
 * @see https://developer.mastercard.com/ethoca-alerts-for-merchants/documentation/api-reference/outcome-api-ref/
 */

/** A number as it was written, to see its decimals. */
class Written {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

const keepWritten = (_key: string, value: unknown, context?: { source?: string }): unknown =>
  typeof value === 'number' ? new Written(context?.source ?? String(value)) : value;

const Amount = v.pipe(
  v.strictObject({
    value: v.instance(Written, 'value must be a number'),
    currencyCode: v.pipe(v.string(), v.length(3)),
  }),
  v.check(({ value, currencyCode }) => {
    const decimals = value.text.split('.')[1] ?? '';
    return /^\d{1,6}(\.\d+)?$/.test(value.text) && decimals.length === exponentOf(currencyCode);
  }, 'value must have the decimals of its currency'),
);

const Timestamp = v.pipe(
  v.string(),
  v.minLength(10),
  v.maxLength(25),
  v.check((text) => !Number.isNaN(Date.parse(text)), 'must be ISO 8601'),
);

const inTransit = ['IN_PROGRESS', 'SHIPPER_CONTACTED'];
const outcomes = [
  ...['STOPPED', 'PARTIALLY_STOPPED', 'PREVIOUSLY_CANCELLED', 'MISSED', 'NOT_FOUND', 'ACCOUNT_SUSPENDED'],
  ...['TOO_LATE', 'OTHER', 'RESOLVED', 'RESOLVED_PREVIOUSLY_REFUNDED', 'UNRESOLVED_DISPUTE', ...inTransit],
];

const Outcome = v.pipe(
  v.strictObject({
    alertId: v.pipe(v.string(), v.length(25)),
    outcome: v.picklist(outcomes),
    refundStatus: v.picklist(['REFUNDED', 'NOT_REFUNDED', 'NOT_SETTLED']),
    refund: v.strictObject({
      amount: Amount,
      type: v.optional(v.picklist(['REFUND', 'VOUCHER', 'POINTS', 'GIFT_CARD'])),
      timestamp: Timestamp,
      transactionId: v.optional(v.pipe(v.string(), v.regex(/^[\dA-Za-z]{1,64}$/))),
      acquirerReferenceNumber: v.optional(v.pipe(v.string(), v.minLength(1), v.maxLength(24))),
    }),
    amountStopped: Amount,
    comments: v.optional(v.pipe(v.string(), v.minLength(1), v.maxLength(1024))),
    actionTimestamp: v.optional(Timestamp),
  }),
  v.check(({ outcome, comments }) => outcome !== 'OTHER' || comments !== undefined, 'OTHER needs comments'),
  v.check(
    ({ refundStatus, refund }) => refundStatus !== 'REFUNDED' || Number(refund.amount.value.text) > 0,
    'refund.amount must be what was refunded',
  ),
);
type Outcome = v.InferOutput<typeof Outcome>;

const Body = v.strictObject({ outcomes: v.pipe(v.array(Outcome), v.minLength(1), v.maxLength(25)) });

const fault = (ReasonCode: string, Description: string, Recoverable: boolean, Details?: string) => ({
  Error: [{ Source: 'Alerts', ReasonCode, Description, Recoverable, ...(Details !== undefined && { Details }) }],
});
const refusal = (status: number, code: string, words: string, isRecoverable = false): NetworkReply => ({
  status,
  body: { Errors: fault(code, words, isRecoverable) },
});

const parseKept = (text: string): unknown => {
  try {
    return JSON.parse(text, keepWritten);
  } catch {
    return undefined;
  }
};

/**
 * What the specification of the Outcome API forbids, although its pages have it: values below 1 (it has an example of 0.34), and words
 * that are not in its list of allowed values. See `POST /outcomes` in the mirror that docs/ethoca.md names (2026-11-28).
 */
const strictProblem = ({ outcome, refund, amountStopped }: Outcome): string | undefined => {
  if (inTransit.includes(outcome)) return 'outcome must be one of the allowed values';
  const values = [refund.amount, amountStopped].map(({ value }) => Number(value.text));
  return values.some((value) => value < 1 || value > 999_999) ? 'value must be from 1 to 999999' : undefined;
};

const failAlert = (alertId: string, errors: ReturnType<typeof fault>) => ({ alertId, status: 'FAILURE', errors });

const judgeOutcome = ({ alertId, outcome }: Outcome, memory: NetworkMemory, hurt: NetworkFault | undefined) => {
  if (hurt?.status === 200 && !hurt.strict && !isOnTheWay(hurt) && (!hurt.cases || hurt.cases.includes(alertId))) {
    return failAlert(alertId, fault('SERVICE_UNAVAILABLE', 'Told to fail', hurt.recoverable));
  }
  if (isUnknownCase(alertId)) return failAlert(alertId, fault('ALERT_NOT_FOUND', 'There is no such alert', false));
  const standing = memory.standing(alertId);
  const next = { outcome, isFinal: !inTransit.includes(outcome) };
  if (!takes(standing, next)) {
    const words = 'The alert has an outcome already';
    return failAlert(alertId, fault('OUTCOME_ALREADY_PROVIDED', words, false, standing?.outcome));
  }
  memory.stand(alertId, next);
  return { alertId, status: 'SUCCESS' };
};

export type ProviderAKeys = { consumerKey: string; privateKey: string };

/** Alerts that are not acknowledged, and their acknowledgement. Its shapes are assumptions: see docs/ethoca.md. */
const Acknowledges = v.strictObject({
  acknowledges: v.pipe(
    v.array(v.strictObject({ alertId: v.string(), status: v.picklist(['SUCCESS', 'FAILURE']) })),
    v.minLength(1),
    v.maxLength(25),
  ),
});

const listAlerts = ({ url }: NetworkRequest, memory: NetworkMemory): NetworkReply => {
  const size = Number(url.searchParams.get('size') ?? '25');
  if (!(Number.isInteger(size) && size >= 1 && size <= 25)) return refusal(400, 'VALIDATION_FAILURE', 'size: 1 to 25');
  return { status: 200, body: { alerts: memory.pendingAlerts(size) } };
};

const receiveAck = ({ body }: NetworkRequest, memory: NetworkMemory): NetworkReply => {
  const sent = v.safeParse(Acknowledges, parseKept(body));
  if (!sent.success) return refusal(400, 'VALIDATION_FAILURE', 'acknowledges: 1 to 25 alerts with their status');
  const acknowledgeResponses = sent.output.acknowledges.map(({ alertId }) =>
    memory.acknowledge(alertId)
      ? { alertId, status: 'SUCCESS' }
      : failAlert(alertId, fault('ALERT_NOT_FOUND', 'There is no such alert', false)),
  );
  return { status: 200, body: { acknowledgeResponses } };
};

/** `keysOf`: whose signatures it takes. They are asked for when the first call comes, as making them takes its time. */
export const providerANetwork = (keysOf: () => ProviderAKeys): Network => {
  let signer: { consumerKey: string; publicKey: KeyObject } | undefined;
  return {
    answer: (request, memory, hurt) => {
      const [, operation = ''] = /(\/outcomes|\/alerts(?:\/acknowledges)?)$/.exec(request.url.pathname) ?? [];
      const isPull = operation.startsWith('/alerts');
      if (operation === '' || request.method !== (operation === '/alerts' ? 'GET' : 'POST')) {
        return refusal(404, 'NOT_FOUND', 'There is no such operation');
      }
      const { consumerKey, privateKey } = keysOf();
      signer ??= { consumerKey, publicKey: createPublicKey(privateKey) };
      const unsigned = oauthProblem(request, signer, memory);
      if (unsigned) return refusal(401, 'AUTHENTICATION_FAILED', unsigned);
      if (isPull && hurt && !isOnTheWay(hurt)) return refusal(hurt.status, 'SERVICE_UNAVAILABLE', 'Told to fail', true);
      if (isPull) return (operation === '/alerts' ? listAlerts : receiveAck)(request, memory);
      const body = v.safeParse(Body, parseKept(request.body));
      if (!body.success) {
        const words = body.issues.map((issue) => `${v.getDotPath(issue) ?? 'body'}: ${issue.message}`).join('; ');
        return refusal(400, 'VALIDATION_FAILURE', words, true);
      }
      const told = body.output.outcomes;
      const isWhole = hurt !== undefined && hurt.status !== 200;
      if (isWhole && (!hurt.cases || told.some(({ alertId }) => hurt.cases?.includes(alertId)))) {
        return refusal(hurt.status, 'SERVICE_UNAVAILABLE', 'Told to fail', hurt.recoverable);
      }
      const problem = hurt?.strict ? told.map(strictProblem).find((one) => one !== undefined) : undefined;
      if (problem !== undefined) return refusal(400, 'VALIDATION_FAILURE', problem, true);
      if (new Set(told.map(({ alertId }) => alertId)).size < told.length) {
        return refusal(400, 'INVALID_INPUT', 'An alert stands in it twice');
      }
      const outcomeResponses = told.map((one, index) => {
        const answer = judgeOutcome(one, memory, hurt);
        const sent: unknown = JSON.parse(request.body).outcomes[index];
        const accepted = answer.status === 'SUCCESS';
        memory.tell({ caseId: one.alertId, outcome: one.outcome, accepted, body: sent, answer });
        return answer;
      });
      return { status: 200, body: { outcomeResponses } };
    },
  };
};
