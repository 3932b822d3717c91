import { webhookUrlRules } from '#accounts/merchants/settings/url-rules.ts';
import { nowMilliseconds } from '#core/kernel/clock.ts';
import { randomText } from '#core/kernel/ids.ts';
import { describeNoJson, parseJson } from '#core/platform/http/json.ts';
import { callGuarded, type GuardedAnswer } from '#core/platform/post/guarded-call-client.ts';
import { signatureHeaders } from '#core/platform/post/signature.ts';

export type HttpKeys = { base_url: string; secret: string };

/** `noJson`: why the answer is no JSON; undefined if it is. */
export type HttpAnswer =
  | { status: number; body: unknown; noJson?: string | undefined }
  | Extract<GuardedAnswer, { failure: string }>;

const timeoutMilliseconds = 15_000;
/** The largest answer; pages of a list may be larger than all others. */
const maxBytes = { page: 512 * 1024, usual: 16 * 1024 };
const pagedPaths: readonly string[] = ['/charges', '/disputes'];

type ServicePath =
  | '/search'
  | '/charges'
  | '/disputes'
  | '/refund'
  | '/refund-state'
  | '/cancel-subscription'
  | '/hold-order';

/** Calls a merchant's service: a signed POST of JSON. It is sent once; the messages carry their own idempotency keys. */
export const postToService = async (
  { base_url, secret }: HttpKeys,
  path: ServicePath,
  fields: object,
): Promise<HttpAnswer> => {
  const body = JSON.stringify(fields);
  const signed = { id: `call_${randomText(24)}`, timestampSeconds: nowMilliseconds() / 1000, body, secrets: [secret] };
  const headers = {
    accept: 'application/json',
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    'user-agent': 'Forewarn',
    ...signatureHeaders(signed),
  };
  const url = `${base_url.replace(/\/$/, '')}${path}`;
  const limits = { timeoutMilliseconds, maxBytes: pagedPaths.includes(path) ? maxBytes.page : maxBytes.usual };
  const answer = await callGuarded({ url, headers, body }, webhookUrlRules(), limits);
  if ('failure' in answer) return answer;
  const read = parseJson(answer.text);
  // Some frameworks answer each POST with 201 by default.
  const status = answer.status === 201 ? 200 : answer.status;
  return { status, body: read, ...(read === undefined && { noJson: describeNoJson(answer.text) }) };
};
