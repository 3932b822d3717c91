import type { ServerResponse } from 'node:http';

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
