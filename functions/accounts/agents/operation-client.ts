import { milliseconds } from '#core/kernel/clock.ts';
import { parseJson } from '#core/platform/http/json.ts';
import { describeError, log } from '#core/platform/log/log.ts';
import { optional } from '#core/platform/operation/environment.ts';
import type { ToolInput } from './tools/tool.ts';

/** The reply of an operation; `status` 0: none arrived. */
export type OperationReply = { status: number; body: unknown };

/** A caller's call of this deployment: with whose credential, and at which address of the gateway. */
export type CallerAccess = { baseUrl: string; authorization: string };

/** Within the 29 seconds that the gateway waits for the MCP server. */
const timeoutMilliseconds = 25 * milliseconds.second;

const loopback: readonly string[] = ['127.0.0.1', '[::1]', 'localhost'];

/**
 * Returns the address of an operation. The gateway sets the host: it accepts calls only at its own names (lib/cloud/api.ts). The local stack
 * takes the host from the caller, so only loopback addresses are called without TLS. Throws an Error for any other address.
 */
export const resolveOperationUrl = (baseUrl: string, path: string): URL => {
  const url = new URL(`${baseUrl}${path}`);
  const isLocal = optional('ALLOW_LOOPBACK_HTTP') === 'true' && loopback.includes(url.hostname);
  if (url.protocol !== 'https:' && !isLocal) throw new Error(`The gateway has an unexpected address: ${url.origin}`);
  return url;
};

/**
 * Calls an operation through the gateway with the caller's own credential, so that its authorizer, its limits and every check of the
 * operation apply as to any other call.
 */
export const callOperation = async (
  { baseUrl, authorization }: CallerAccess,
  path: string,
  body: ToolInput,
  idempotencyKey?: string,
): Promise<OperationReply> => {
  try {
    const response = await fetch(resolveOperationUrl(baseUrl, path), {
      method: 'POST',
      headers: {
        authorization,
        'content-type': 'application/json',
        ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
      },
      body: JSON.stringify(body),
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMilliseconds),
    });
    return { status: response.status, body: parseJson(await response.text()) };
  } catch (error) {
    log('error', 'operation_not_reached', { path, error: describeError(error) });
    return { status: 0, body: undefined };
  }
};
