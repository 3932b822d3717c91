import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { recordExchange } from '#test/contracts/breaches.ts';

/** The common part of processors' stand-ins: HTTP on loopback, and the failures of a network or a processor. */

export type FakeRequest = {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingMessage['headers'];
  body: string;
};
/** `isDeviant`: it differs from the vendor's contract on purpose, as some real servers do. */
export type FakeReply = { status: number; body: unknown; headers?: Record<string, string>; isDeviant?: boolean };

/**
 * `lost`: does what it is asked and closes the connection without an answer. `never`: closes it before doing anything.
 * `slow`: answers a little later. `cut`: does it, and its answer breaks off. A number: answers with that status and does
 * nothing; `done500`: does it and answers 500.
 */
export type Fault = 'lost' | 'never' | 'slow' | 'cut' | 'done500' | number;

export type FakeServer = AsyncDisposable & {
  url: string;
  /** Every request that arrived, whatever became of it. */
  requests: FakeRequest[];
  /** Makes the next requests to a path, with its query, fail: one, or two where a connection breaks off and is tried again. */
  fail(fault: Fault, path: RegExp, times?: number): void;
  /** Forgets the failures that are still to come. */
  mend(): void;
};

const read = async (incoming: IncomingMessage): Promise<FakeRequest> => {
  const url = new URL(incoming.url ?? '/', 'http://fake');
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks).toString();
  const { method = 'GET', headers } = incoming;
  return { method, path: url.pathname, query: url.searchParams, headers, body };
};

const write = (response: ServerResponse, { status, body, headers }: FakeReply) =>
  response
    .writeHead(status, { 'content-type': 'application/json', ...headers })
    .end(typeof body === 'string' ? body : JSON.stringify(body));

type Handlers = {
  /** The contract that its calls are compared with; undefined: a server of the merchant's own. */
  vendor?: string;
  answer(request: FakeRequest): FakeReply;
  /** Returns the name that distinguishes requests to one address, for faults that are meant for some of them. */
  nameCall?(request: FakeRequest): string;
  /** The processor's own words for a failure of this status. */
  failure(status: number): unknown;
};

const play = async (
  fault: Fault | undefined,
  request: FakeRequest,
  { answer, failure, vendor }: Handlers,
  response: ServerResponse,
): Promise<void> => {
  if (typeof fault === 'number') {
    const headers = fault >= 300 && fault < 400 ? { location: '/elsewhere' } : {};
    write(response, { status: fault, body: failure(fault), headers });
    return;
  }
  if (fault === 'never') {
    response.destroy();
    return;
  }
  const reply = answer(request);
  if (vendor !== undefined && reply.isDeviant !== true) recordExchange(vendor, request, reply);
  if (fault === 'lost') response.destroy();
  else if (fault === 'cut') {
    response.writeHead(reply.status, { 'content-type': 'application/json', 'content-length': '5000' });
    response.write('{"id": "');
    setImmediate(() => response.destroy());
  } else if (fault === 'done500') write(response, { status: 500, body: failure(500) });
  else {
    if (fault === 'slow') await wait(300);
    write(response, reply);
  }
};

/** Returns an address without a listener. */
export const deadUrl = async (): Promise<string> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
};

export const startFakeServer = async (handlers: Handlers): Promise<FakeServer> => {
  const requests: FakeRequest[] = [];
  const faults: { fault: Fault; path: RegExp; times: number }[] = [];
  const next = (request: FakeRequest): Fault | undefined => {
    const query = request.query.size > 0 ? `?${request.query}` : '';
    const name = [request.method, `${request.path}${query}`, handlers.nameCall?.(request)].filter(Boolean).join(' ');
    const found = faults.find(({ path, times }) => times > 0 && path.test(name));
    if (found) found.times -= 1;
    return found?.fault;
  };
  const server = createServer(async (incoming, response) => {
    try {
      const request = await read(incoming);
      requests.push(request);
      await play(next(request), request, handlers, response);
    } catch (error) {
      write(response, { status: 599, body: { fake: String(error) } });
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    fail: (fault, path, times = fault === 'lost' || fault === 'never' ? 2 : 1) => {
      faults.push({ fault, path, times });
    },
    mend: () => {
      faults.length = 0;
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};
