import { createHmac, timingSafeEqual } from 'node:crypto';
import * as v from 'valibot';
import { exponentOf } from '#core/kernel/money/money.ts';
import { parseStrictJson } from '#core/kernel/schema/strict-json.ts';
import {
  isOnTheWay,
  isUnknownCase,
  type Network,
  type NetworkMemory,
  type NetworkReply,
  type NetworkRequest,
  takes,
} from './network.ts';

/** provider_b's case system, as docs/decisions describe it: its own contract is not public. */

export type ProviderBKeys = { username: string; password: string; secret: string };

const inProgress = '999';
const statusCodes = ['100', '101', '102', '900', '901', '902', '940', '950', '951', '952', '953', '954', '956', '957'];

const Update = v.pipe(
  v.strictObject({
    statusCode: v.picklist([...statusCodes, inProgress]),
    result: v.picklist(['REFUNDED', 'NOT_REFUNDED', 'NOT_SETTLED']),
    amount: v.optional(v.pipe(v.string(), v.regex(/^\d+(\.\d+)?$/))),
    currency: v.optional(v.string()),
    comments: v.optional(v.pipe(v.string(), v.minLength(1), v.maxLength(1024))),
    actionDate: v.pipe(v.string(), v.isoTimestamp()),
  }),
  v.check(
    ({ amount, currency, result }) =>
      result === 'NOT_REFUNDED'
        ? amount === undefined && currency === undefined
        : amount !== undefined && (amount.split('.')[1] ?? '').length === exponentOf(currency ?? ''),
    'amount and currency: what was moved, with the decimals of the currency',
  ),
);

const tolerance = 5 * 60_000;

const refusal = (status: number, message: string): NetworkReply => ({ status, body: { message } });

const isEqual = (left: string, right: string): boolean =>
  left.length === right.length && timingSafeEqual(Buffer.from(left), Buffer.from(right));

const findFault = (
  { method, url, headers, body }: NetworkRequest,
  { username, password, secret }: ProviderBKeys,
  now: number,
): string | undefined => {
  const basic = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
  if (!isEqual(headers['authorization'] ?? '', basic)) return 'Wrong username or password';
  if (headers['x-api-version'] !== '1.0') return 'x-api-version must be 1.0';
  const time = headers['x-timestamp'] ?? '';
  if (!(Math.abs(Date.parse(time) - now) <= tolerance)) return 'x-timestamp is too old or too new';
  const signed = createHmac('sha256', secret).update(`${time}\n${method}\n${url.pathname}\n${body}`).digest('base64');
  return isEqual(headers['x-signature'] ?? '', signed) ? undefined : 'Wrong x-signature';
};

const take = (caseId: string, body: string, memory: NetworkMemory): NetworkReply => {
  const update = v.safeParse(Update, parseStrictJson(body));
  if (!update.success) {
    return refusal(422, update.issues.map((issue) => `${v.getDotPath(issue) ?? 'body'}: ${issue.message}`).join('; '));
  }
  const { statusCode } = update.output;
  const standing = memory.standing(caseId);
  const next = { outcome: statusCode, isFinal: statusCode !== inProgress };
  const isTaken = takes(standing, next);
  const answer: NetworkReply = isTaken
    ? { status: next.isFinal ? 200 : 202, body: { caseId, status: next.isFinal ? 'CLOSED' : 'OPEN', statusCode } }
    : { status: 409, body: { status: 'CLOSED', statusCode: standing?.outcome } };
  if (isTaken) memory.stand(caseId, next);
  memory.tell({ caseId, outcome: statusCode, accepted: isTaken, body: update.output, answer: answer.body });
  return answer;
};

/** `now`: milliseconds since 1970, by the stack's clock. */
export const providerBNetwork = (keysOf: () => ProviderBKeys, now: () => number): Network => ({
  answer: (request, memory, hurt) => {
    const [, encodedId] = /\/partners\/cases\/([^/]+)$/.exec(request.url.pathname) ?? [];
    if (request.method !== 'PUT' || encodedId === undefined) return refusal(404, 'There is no such operation');
    const problem = findFault(request, keysOf(), now());
    if (problem) return refusal(401, problem);
    const caseId = decodeURIComponent(encodedId);
    if (hurt && !isOnTheWay(hurt) && (!hurt.cases || hurt.cases.includes(caseId))) {
      // It answers calls about one case each, so a refusal is a status.
      if (hurt.status !== 200) return refusal(hurt.status, 'Told to fail');
      return refusal(hurt.recoverable ? 503 : 422, 'Told to fail');
    }
    return isUnknownCase(caseId) ? refusal(404, 'There is no such case') : take(caseId, request.body, memory);
  },
});
