import OAuth from 'mastercard-oauth1-signer';
import * as v from 'valibot';
import { callNetwork, type Exchanged, networkUrl } from './network-exchange-client.ts';

export const ProviderAConnection = v.object({
  base_url: v.pipe(v.string(), v.url()),
  /** Both, or none at a sandbox that checks no signature. */
  consumer_key: v.optional(v.string()),
  /** PKCS #8 or #1, PEM. */
  private_key: v.optional(v.string()),
});
export type ProviderAConnection = v.InferOutput<typeof ProviderAConnection>;

export type ProviderACall = { method: 'GET'; path: string } | { method: 'POST'; path: string; body: string };

/** Calls provider_a, signed with OAuth 1.0a (RSA-SHA256) unless the connection has no keys. */
export const callProviderA = (
  { base_url, consumer_key, private_key }: ProviderAConnection,
  { path, ...call }: ProviderACall,
  timeoutMilliseconds?: number,
): Promise<Exchanged> => {
  const url = networkUrl(base_url, path);
  const signed = consumer_key !== undefined && private_key !== undefined;
  const body = 'body' in call ? call.body : '';
  const authorization = signed
    ? OAuth.getAuthorizationHeader(url.href, call.method, body, consumer_key, private_key)
    : undefined;
  const headers = { ...(authorization !== undefined && { authorization }) };
  return callNetwork(url, { ...call, headers }, timeoutMilliseconds);
};
