import { webhookUrlRules } from '#accounts/merchants/settings/url-rules.ts';
import { isFields } from '#core/kernel/is-object.ts';
import { checkWebhookUrl } from '#core/kernel/webhook-url.ts';
import { parseJson } from '#core/platform/http/json.ts';
import { callGuarded } from '#core/platform/post/guarded-call-client.ts';

/** An identity provider that cannot be used: its answer is missing or is not what OpenID Connect defines. */
export class IssuerError extends Error {
  override readonly name = 'IssuerError';
}

/** Returns an address of an identity provider to which a browser may be sent. Throws IssuerError. */
export const browserAddress = (address: string): string => {
  const checked = checkWebhookUrl(address, webhookUrlRules());
  if (!checked.ok) throw new IssuerError(`${checked.reason} of ${address}`);
  return checked.url.href;
};

type Sent = { form?: Readonly<Record<string, string>>; authorization?: string };

const limits = { timeoutMilliseconds: 8000, maxBytes: 256 * 1024 };

/** Calls an address of an identity provider and reads its JSON. It follows no redirect. Throws IssuerError. */
export const callIssuer = async (
  address: string,
  { form, authorization }: Sent = {},
): Promise<Record<string, unknown>> => {
  const headers = {
    accept: 'application/json',
    ...(authorization && { authorization }),
    ...(form && { 'content-type': 'application/x-www-form-urlencoded' }),
  };
  const body = form && { body: new URLSearchParams(form).toString() };
  const reply = await callGuarded({ url: address, headers, ...body }, webhookUrlRules(), limits);
  if ('failure' in reply) throw new IssuerError(`${address} did not answer: ${reply.detail}`);
  const answer = parseJson(reply.text);
  if (reply.status !== 200 || !isFields(answer)) throw new IssuerError(`${address} answered ${reply.status}`);
  return answer;
};
