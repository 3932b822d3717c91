import type { OperationKind, ProcessorResult } from '../ports/processor.ts';
import { exchange, exchangeMilliseconds, sortFailure } from '../ports/processor-exchange-client.ts';
import { outcomeOfAdyenFailure } from './adyen-codes.ts';
import type { AdyenBody } from './adyen-requests.ts';

/** Adyen's Checkout API: one POST per request. */

/** `base_url`: of a stand-in on this machine. `hmac_key`: hexadecimal, as Adyen shows it. */
export type AdyenCredentials = {
  api_key: string;
  merchant_account: string;
  hmac_key: string;
  environment: 'test' | 'live';
  live_url_prefix?: string | undefined;
  base_url?: string | undefined;
};

/** The credentials needed to call Adyen. */
export type AdyenAccess = Omit<AdyenCredentials, 'hmac_key'>;
/** https://docs.adyen.com/development-resources/live-endpoints */
const adyenUrl = ({ environment, live_url_prefix = '', base_url }: AdyenAccess): string => {
  if (base_url !== undefined) return `${base_url}/v71`;
  if (environment === 'test') return 'https://checkout-test.adyen.com/v71';
  if (!/^[\w-]{1,100}$/.test(live_url_prefix))
    throw new Error('The live URL prefix of Adyen is no part of a host name');
  return `https://${live_url_prefix}-checkout-live.adyenpayments.com/checkout/v71`;
};

type Reply = { body: AdyenBody } | Extract<ProcessorResult, { outcome: 'EXC' | 'UNKNOWN' }>;

/** One POST. Nothing that it throws or returns contains what was sent. */
export const postToAdyen = async (
  { credentials }: { credentials: AdyenAccess },
  kind: OperationKind,
  { path, body, key }: { path: string; body: AdyenBody; key: string },
): Promise<Reply> => {
  const url = `${adyenUrl(credentials)}${path}`;
  try {
    const response = await exchange(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': credentials.api_key, 'idempotency-key': key },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(exchangeMilliseconds),
    });
    const { status, headers } = response;
    const answered = readReply(await response.text());
    if (response.ok) return answered ? { body: answered } : { outcome: 'UNKNOWN', detail: 'adyen answered no JSON' };
    const code = answered?.['errorCode'];
    const errorCode = typeof code === 'string' ? code : undefined;
    const [message, isTransient] = [String(answered?.['message'] ?? ''), headers.get('transient-error') === 'true'];
    return outcomeOfAdyenFailure({ status, errorCode, isTransient, message }, kind);
  } catch (error) {
    if (sortFailure(error) === 'lost') return { outcome: 'UNKNOWN', detail: 'adyen did not answer' };
    return { outcome: 'EXC', code: 'processor_unavailable', reference: null, detail: 'adyen: no connection' };
  }
};

const readReply = (text: string): AdyenBody | undefined => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as AdyenBody) : undefined;
  } catch {
    return undefined;
  }
};

/**
 * A call that changes nothing, to check that the key is valid and may use this merchant account.
 * https://docs.adyen.com/api-explorer/Checkout/71/post/paymentMethods
 */
export const asksAdyen = async (
  credentials: AdyenAccess,
): Promise<'works' | 'unknown_key' | 'forbidden' | 'unavailable'> => {
  try {
    const { status, body } = await exchange(`${adyenUrl(credentials)}/paymentMethods`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': credentials.api_key },
      body: JSON.stringify({ merchantAccount: credentials.merchant_account }),
      signal: AbortSignal.timeout(exchangeMilliseconds / 2),
    });
    await body?.cancel();
    if (status === 401) return 'unknown_key';
    if (status === 403) return 'forbidden';
    return status === 200 ? 'works' : 'unavailable';
  } catch {
    return 'unavailable';
  }
};
