import { nowMilliseconds } from '#core/kernel/clock.ts';
import { parseJson } from '#core/platform/http/json.ts';
import { optional } from '#core/platform/operation/environment.ts';
import { sortFailure } from '#payments/processors/ports/processor-exchange-client.ts';

/** HTTP to an alert network: one time-out from the DNS lookup to the last byte, no redirects, and a limit on what is read. */

const usualTimeout = 10_000;
const maxAnswerBytes = 256 * 1024;

/** The result of one call. `unsent`: no connection was made; `lost`: the network may have acted on it. */
export type Exchanged =
  | { kind: 'answered'; status: number; body: unknown; pauseSeconds: number | null }
  | { kind: 'unsent' | 'lost'; words: string };

export type NetworkCall = {
  method: 'GET' | 'POST' | 'PUT';
  headers: Readonly<Record<string, string>>;
  body?: string;
};

/**
 * The address of an operation below a connection's `base_url`. Throws if that is not https: only the local stack's own
 * networks are called without it.
 */
export const networkUrl = (baseUrl: string, path: string): URL => {
  const url = new URL(`${baseUrl.replace(/\/+$/, '')}${path}`);
  const isLocal = optional('ALLOW_LOOPBACK_HTTP') === 'true' && url.hostname === '127.0.0.1';
  if (url.protocol !== 'https:' && !isLocal) throw new Error('The base_url of a network must begin with https://');
  return url;
};

/** One call. Never throws for what the other side does. */
export const callNetwork = async (
  url: URL,
  { method, headers, body }: NetworkCall,
  timeoutMilliseconds = usualTimeout,
): Promise<Exchanged> => {
  const signal = AbortSignal.timeout(timeoutMilliseconds);
  try {
    const response = await fetch(url, {
      method,
      headers: { accept: 'application/json', 'content-type': 'application/json', 'user-agent': 'Forewarn', ...headers },
      ...(body !== undefined && { body }),
      redirect: 'manual',
      signal,
    });
    const text = await readText(response);
    const pauseSeconds = readPause(response.headers.get('retry-after'));
    return { kind: 'answered', status: response.status, body: parseJson(text), pauseSeconds };
  } catch (error) {
    if (signal.aborted)
      return { kind: 'lost', words: `It did not answer within ${timeoutMilliseconds / 1000} seconds` };
    if (sortFailure(error) === 'unsent') return { kind: 'unsent', words: 'No connection to it could be made' };
    return { kind: 'lost', words: 'The connection to it broke off' };
  }
};

/** The answer's text; empty if it is longer than any valid answer. */
const readText = async (response: Response): Promise<string> => {
  const chunks: Uint8Array[] = [];
  let room = maxAnswerBytes;
  for await (const chunk of response.body ?? []) {
    room -= chunk.length;
    if (room < 0) return '';
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
};

/** The header as seconds from now; it may also be a date (RFC 9110 §10.2.3). */
const readPause = (header: string | null): number | null => {
  if (header === null) return null;
  if (/^\d{1,9}$/.test(header)) return Number(header);
  const seconds = Math.ceil((Date.parse(header) - nowMilliseconds()) / 1000);
  return seconds > 0 ? seconds : null;
};
