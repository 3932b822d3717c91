import { generateKeyPairSync, randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import * as v from 'valibot';
import type { Clock } from '../clock.ts';
import type { HttpReply } from '../gateway/gateway-responses.ts';
import { number, optionalNumber, type State, text } from '../state.ts';
import {
  isOnTheWay,
  type Network,
  type NetworkFault,
  type NetworkMemory,
  type NetworkName,
  type NetworkReply,
  type NetworkRequest,
  type Told,
} from './network.ts';
import { type ProviderAKeys, providerANetwork } from './provider-a.ts';
import { type ProviderBKeys, providerBNetwork } from './provider-b.ts';

type ToldAt = Told & { time: string };

/** The alert networks on this machine. */
export type Networks = {
  /** Answers a call of a network, with the delay that is configured; undefined: the connection must break off. */
  take(name: NetworkName, request: NetworkRequest): Promise<NetworkReply | undefined>;
  /** Lists what a network has received, oldest first. */
  listTold(name: NetworkName): ToldAt[];
  /** Has an alert, with its `alertId`, be fetched from it. */
  offer(name: NetworkName, alert: Readonly<Record<string, unknown>>): void;
  /** Makes it fail. */
  hurt(name: NetworkName, fault: NetworkFault): void;
  /** It no longer fails, and knows nothing. */
  clear(name: NetworkName): void;
  clearAll(): void;
  /** Returns what a deployment would have in the secret of its connection, for a network that is called at an address. */
  connection(name: NetworkName, baseUrl: string): string;
};

const schema = `
  CREATE TABLE IF NOT EXISTS network_told (
    id INTEGER PRIMARY KEY AUTOINCREMENT, network TEXT NOT NULL, told TEXT NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS network_cases (
    network TEXT NOT NULL, case_id TEXT NOT NULL, outcome TEXT NOT NULL, final INTEGER NOT NULL,
    PRIMARY KEY (network, case_id)) STRICT;
  CREATE TABLE IF NOT EXISTS network_alerts (
    id INTEGER PRIMARY KEY AUTOINCREMENT, network TEXT NOT NULL, case_id TEXT NOT NULL, alert TEXT NOT NULL,
    acknowledged INTEGER NOT NULL DEFAULT 0) STRICT;
  CREATE TABLE IF NOT EXISTS network_nonces (network TEXT NOT NULL, nonce TEXT NOT NULL,
    PRIMARY KEY (network, nonce)) STRICT;
  CREATE TABLE IF NOT EXISTS network_faults (
    network TEXT PRIMARY KEY, fault TEXT NOT NULL, times INTEGER) STRICT`;

const KeysA = v.object({ consumerKey: v.string(), privateKey: v.string() });
const KeysB = v.object({ username: v.string(), password: v.string(), secret: v.string() });

const newKeysA = (): ProviderAKeys => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return {
    consumerKey: `local-${randomBytes(8).toString('hex')}`,
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
};

const newKeysB = (): ProviderBKeys => {
  const random = () => randomBytes(24).toString('base64url');
  return { username: 'forewarn', password: random(), secret: random() };
};

/** Keys that a data folder keeps from when they are first wanted. */
const keepKeys = <S extends v.GenericSchema>(state: State, name: NetworkName, shape: S, make: () => unknown) => {
  const key = `network-keys:${name}`;
  return (): v.InferOutput<S> => {
    const known = state.get(key);
    if (known !== undefined) return v.parse(shape, JSON.parse(known));
    const made = v.parse(shape, make());
    state.set(key, JSON.stringify(made));
    return made;
  };
};

/** Opens the networks as they were left. */
export const openNetworks = (state: State, clock: Pick<Clock, 'now'>): Networks => {
  state.database.exec(schema);
  const keysA = keepKeys(state, 'provider_a', KeysA, newKeysA);
  const keysB = keepKeys(state, 'provider_b', KeysB, newKeysB);
  const networks: Readonly<Record<NetworkName, Network>> = {
    provider_a: providerANetwork(keysA),
    provider_b: providerBNetwork(keysB, () => clock.now()),
  };
  const sql = statements(state);
  const faultOf = (name: NetworkName): NetworkFault | undefined => {
    const row = sql.fault.get(name);
    if (!row) return undefined;
    const times = optionalNumber(row, 'times');
    if (times !== undefined) sql.useFault.run(name);
    if (times !== undefined && times <= 1) sql.mend.run(name);
    return JSON.parse(text(row, 'fault'));
  };
  return {
    take: async (name, request) => {
      const memory = makeMemory(sql, name, () => new Date(clock.now()).toISOString());
      const [reply, fault] = state.together(() => {
        const hurt = faultOf(name);
        return [networks[name].answer(request, memory, hurt), hurt];
      });
      if (fault && fault.delayMs > 0) await wait(fault.delayMs, undefined, { ref: false });
      if (fault?.lost && isOnTheWay(fault)) return undefined;
      return { ...reply, headers: { ...reply.headers, ...fault?.headers } };
    },
    listTold: (name) => sql.told.all(name).map((row) => JSON.parse(text(row, 'told'))),
    offer: (name, alert) => void sql.offer.run(name, String(alert['alertId']), JSON.stringify(alert)),
    hurt: (name, fault) => void sql.hurt.run(name, JSON.stringify(fault), fault.times ?? null),
    clear: (name) =>
      state.together(() => {
        for (const statement of sql.forget) statement.run(name);
      }),
    clearAll: () => state.database.exec(forgotten.map((what) => `DELETE FROM network_${what}`).join(';')),
    connection: (name, base_url) => JSON.stringify(toConnection(name, base_url, { keysA, keysB })),
  };
};

const toConnection = (
  name: NetworkName,
  base_url: string,
  { keysA, keysB }: { keysA: () => ProviderAKeys; keysB: () => ProviderBKeys },
): Record<string, string> => {
  if (name === 'provider_b') return { base_url, ...keysB() };
  const { consumerKey, privateKey } = keysA();
  return { base_url, consumer_key: consumerKey, private_key: privateKey };
};

const forgotten = ['told', 'cases', 'alerts', 'nonces', 'faults'] as const;

const statements = ({ database }: State) => ({
  tell: database.prepare('INSERT INTO network_told (network, told) VALUES (?, ?)'),
  told: database.prepare('SELECT told FROM network_told WHERE network = ? ORDER BY id'),
  standing: database.prepare('SELECT outcome, final FROM network_cases WHERE network = ? AND case_id = ?'),
  stand: database.prepare(
    'INSERT OR REPLACE INTO network_cases (network, case_id, outcome, final) VALUES (?, ?, ?, ?)',
  ),
  nonce: database.prepare('INSERT OR IGNORE INTO network_nonces (network, nonce) VALUES (?, ?)'),
  fault: database.prepare('SELECT fault, times FROM network_faults WHERE network = ?'),
  hurt: database.prepare('INSERT OR REPLACE INTO network_faults (network, fault, times) VALUES (?, ?, ?)'),
  useFault: database.prepare('UPDATE network_faults SET times = times - 1 WHERE network = ?'),
  mend: database.prepare('DELETE FROM network_faults WHERE network = ?'),
  offer: database.prepare('INSERT INTO network_alerts (network, case_id, alert) VALUES (?, ?, ?)'),
  pending: database.prepare(
    'SELECT alert FROM network_alerts WHERE network = ? AND acknowledged = 0 ORDER BY id LIMIT ?',
  ),
  acknowledge: database.prepare('UPDATE network_alerts SET acknowledged = 1 WHERE network = ? AND case_id = ?'),
  forget: forgotten.map((what) => database.prepare(`DELETE FROM network_${what} WHERE network = ?`)),
});

const makeMemory = (sql: ReturnType<typeof statements>, name: NetworkName, now: () => string): NetworkMemory => ({
  standing: (caseId) => {
    const row = sql.standing.get(name, caseId);
    return row && { outcome: text(row, 'outcome'), isFinal: number(row, 'final') === 1 };
  },
  stand: (caseId, { outcome, isFinal }) => void sql.stand.run(name, caseId, outcome, isFinal ? 1 : 0),
  tell: (told) => void sql.tell.run(name, JSON.stringify({ time: now(), ...told })),
  pendingAlerts: (size) => sql.pending.all(name, size).map((row) => JSON.parse(text(row, 'alert'))),
  acknowledge: (alertId) => sql.acknowledge.run(name, alertId).changes > 0,
  useNonce: (nonce) => sql.nonce.run(name, nonce).changes === 1,
});

/** The answer to an HTTP request that was made to a network, `body` as it was sent; undefined: to break off the connection. */
export const networkReply = async (
  networks: Networks,
  name: NetworkName,
  { request, body }: { request: IncomingMessage; body: string },
): Promise<HttpReply | undefined> => {
  const { method = 'GET', url = '/', headers } = request;
  const reply = await networks.take(name, {
    method,
    url: new URL(url, `http://${headers.host}`),
    headers: Object.fromEntries(Object.entries(headers).map(([key, value]) => [key, value && String(value)])),
    body,
  });
  return (
    reply && {
      status: reply.status,
      headers: { 'content-type': 'application/json', ...reply.headers },
      body: JSON.stringify(reply.body),
    }
  );
};
