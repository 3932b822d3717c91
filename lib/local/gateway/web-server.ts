import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { codeIn, errorText, UserError } from '../user-error.ts';

export type Listener = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** One answered request, for observers. */
export type Served = { method: string; path: string; status: number; milliseconds: number };

type Observer = { onServed: (served: Served) => void; onFault: (sentence: string) => void };

export type WebServer = {
  url: string;
  port: number;
  /** Sets the listener that answers from now on; before, every request gets a 503. */
  answerWith(listener: Listener): void;
  /** Takes no more requests; a second call waits for the first. */
  close(): Promise<void>;
};

/** Takes a port, or any free one for 0. `bindAddress`: 0.0.0.0 is every address of the machine. Throws UserError if that cannot be. */
export const startWebServer = async (
  port: number,
  { onServed, onFault }: Observer,
  bindAddress = '127.0.0.1',
): Promise<WebServer> => {
  let listener: Listener = async (_request, response) => void response.writeHead(503, { 'retry-after': '1' }).end();
  const server = createServer((request, response) => {
    const begun = performance.now();
    response.on('finish', () => onServed(toServed(request, response, performance.now() - begun)));
    listener(request, response).catch((error: unknown) => {
      // Only a fault of the local stack itself comes here; a caller that has gone away needs no answer.
      onFault(`${request.method} ${request.url} failed: ${errorText(error)}`);
      if (!response.headersSent) response.writeHead(500, { 'content-type': 'text/plain' });
      response.end(String(error));
    });
  });
  // Callers end idle connections. If the server did, a request that a busy process reads late would meet a closed connection.
  server.keepAliveTimeout = 0;
  server.on('clientError', (_error, socket) => {
    if (socket.writable) socket.end('HTTP/1.1 400 Bad Request\r\nconnection: close\r\ncontent-length: 0\r\n\r\n');
  });
  server.listen(port, bindAddress);
  await once(server, 'listening').catch((error: unknown) => {
    throw listenError(port, error, bindAddress);
  });
  const address = server.address();
  const taken = typeof address === 'object' && address ? address.port : port;
  let closing: Promise<void> | undefined;
  return {
    url: `http://127.0.0.1:${taken}`,
    port: taken,
    answerWith: (next) => {
      listener = next;
    },
    close: () => {
      closing ??= close(server);
      return closing;
    },
  };
};

const close = async (server: Server): Promise<void> => {
  const closed = once(server, 'close');
  server.close();
  server.closeIdleConnections();
  // Open requests get a moment to finish.
  const timer = setTimeout(() => server.closeAllConnections(), 1000);
  await closed;
  clearTimeout(timer);
};

const toServed = (request: IncomingMessage, response: ServerResponse, milliseconds: number): Served => ({
  method: request.method ?? '',
  // Without its query: that may carry a secret.
  path: (request.url ?? '').split('?')[0] ?? '',
  status: response.statusCode,
  milliseconds,
});

const listenError = (port: number, error: unknown, bindAddress: string): unknown => {
  if (codeIn(error) === 'EADDRNOTAVAIL')
    return new UserError(`This machine has no address ${bindAddress}; set BIND_ADDRESS to another one.`);
  if (codeIn(error) === 'EADDRINUSE') return new UserError(`Port ${port} is in use; set PORT to another one.`);
  if (codeIn(error) === 'EACCES') return new UserError(`Port ${port} may not be used by you; set PORT to another one.`);
  return error;
};
