import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server on this machine. `close` also ends connections that are open. */
export type Listening = { url: string; close: () => Promise<void> };

/** Has a server listen on a free port of the loopback address. */
export const listenOnLoopback = async (server: Server): Promise<Listening> => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A server that listens on TCP has an address of this kind.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
};
