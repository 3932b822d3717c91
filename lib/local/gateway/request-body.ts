import type { IncomingMessage } from 'node:http';

/** Ten megabytes, the gateway's limit. */
const maximumBodyBytes = 10 * 1024 * 1024;

/**
 * Reads a request's body up to a limit; undefined if it is longer, of which then no more than the limit was ever held. What
 * is left of it must be thrown away by the caller.
 */
export const readBody = async (
  request: IncomingMessage,
  limitBytes: number = maximumBodyBytes,
): Promise<Buffer | undefined> => {
  if (Number(request.headers['content-length'] ?? 0) > limitBytes) return undefined;
  const chunks: Buffer[] = [];
  let bytes = 0;
  const { promise, resolve, reject } = Promise.withResolvers<Buffer | undefined>();
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes <= limitBytes) chunks.push(chunk);
    else {
      chunks.length = 0;
      resolve(undefined);
    }
  });
  request.on('end', () => resolve(Buffer.concat(chunks)));
  request.on('error', reject);
  request.on('close', () => resolve(undefined));
  return promise;
};
