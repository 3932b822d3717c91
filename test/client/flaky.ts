import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A service that gives each of the answers once, and then the last one again. */
export const flaky = async (answers: readonly ((reply: ServerResponse) => void)[]) => {
  const calls: IncomingMessage[] = [];
  const server = createServer((request, reply) => {
    calls.push(request);
    request.resume();
    request.on('end', () => (answers[calls.length - 1] ?? answers.at(-1))?.(reply));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    calls,
    url: `http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => void server.close(() => resolve())),
  };
};
export const answer =
  (status: number, body: object, headers = {}) =>
  (reply: ServerResponse): void =>
    void reply.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));

/** Faults after which a client sends a call again, and then an answer. */
export const passingFaults = [
  answer(429, { msg: 'Slowly', code: 'too_many_requests' }, { 'retry-after': '0' }),
  answer(409, { msg: 'In progress', code: 'idempotency_key_in_use' }, { 'retry-after': '0' }),
  (reply: ServerResponse): void => void reply.destroy(),
  answer(200, { status: 'ok' }),
];
