import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { nowMilliseconds } from '#core/kernel/clock.ts';
import { NetworkFault, type NetworkName } from '#lib/local/networks/network.ts';
import { type Networks, networkReply, openNetworks } from '#lib/local/networks/networks.ts';
import { openState } from '#lib/local/state.ts';

/** Both alert networks, listening on this machine as the local stack has them. */
export type PlayedNetworks = Disposable &
  Omit<Networks, 'hurt' | 'connection'> & {
    /** The secret of a connection. */
    secret(name: NetworkName, change?: Record<string, unknown>): string;
    hurt(name: NetworkName, fault: v.InferInput<typeof NetworkFault>): void;
    /** Each call that arrived: its network, and its body as sent. */
    calls: { name: NetworkName; method: string; path: string; headers: Record<string, unknown>; body: string }[];
    /** Makes the next answers other than any network's. */
    answerWith(status: number, body: string, headers?: Record<string, string>): void;
  };

/** Plays both networks; by the clock of the functions. */
export const playNetworks = async (): Promise<PlayedNetworks> => {
  const folder = mkdtempSync(join(tmpdir(), 'forewarn-networks-'));
  const state = openState(folder);
  const networks = openNetworks(state, { now: nowMilliseconds });
  const calls: PlayedNetworks['calls'] = [];
  const strange: { status: number; body: string; headers: Record<string, string> }[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks).toString();
    const { method = '', url = '', headers } = request;
    const name = url.startsWith('/provider_a') ? 'provider_a' : 'provider_b';
    calls.push({ name, method, path: url, headers, body });
    const odd = strange.shift();
    const reply = odd ?? (await networkReply(networks, name, { request, body }));
    if (reply) response.writeHead(reply.status, reply.headers).end(reply.body);
    else response.destroy();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const { hurt, connection, ...rest } = networks;
  return {
    ...rest,
    calls,
    secret: (name, change = {}) =>
      JSON.stringify({ ...JSON.parse(connection(name, `http://127.0.0.1:${port}/${name}`)), ...change }),
    hurt: (name, fault) => hurt(name, v.parse(NetworkFault, fault)),
    answerWith: (status, body, headers = {}) => void strange.push({ status, body, headers }),
    [Symbol.dispose]: () => {
      server.closeAllConnections();
      server.close();
      state.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
