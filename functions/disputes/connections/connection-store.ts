import { randomBytes } from 'node:crypto';
import { fromMerchantItem } from '#accounts/merchants/merchant/merchant-row.ts';
import { webhookUrlRules } from '#accounts/merchants/settings/url-rules.ts';
import { fromSiteItem } from '#accounts/merchants/site/site-row.ts';
import { nowIso } from '#core/kernel/clock.ts';
import { type KeyRing, open, seal } from '#core/kernel/crypto.ts';
import { randomText } from '#core/kernel/ids.ts';
import { optional } from '#core/platform/operation/environment.ts';
import { Refusal } from '#core/platform/operation/errors.ts';
import { visibleOrRefuse } from '#core/platform/operation/merchant-access.ts';
import type { Caller } from '#core/platform/operation/operation.ts';
import { keyRing } from '#core/platform/secrets/secrets.ts';
import { changedMeanwhile } from '#core/platform/table/conflict-store.ts';
import { requireNew, requireVersion } from '#core/platform/table/item.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItem, getItems, tryTransact } from '#core/platform/table/table.ts';
import { isAtMerchant } from '#payments/processors/ports/processors.ts';
import {
  type Connection,
  type Connections,
  connectionOfId,
  keysContext,
  type WantedConnection,
  withConnections,
} from './connection.ts';
import { fromConnectionsItem, toConnectionsItem } from './connection-row.ts';
import { type DisputeLook, failingSince, fromDisputeLookItem, newLooks, newLookWrite } from './dispute-look-row.ts';

/** A merchant's connections, with what is needed to call its processors. */
export const readConnections = async (mid: number): Promise<Connections> =>
  fromConnectionsItem(await getItem(keys.connections(mid)));

/** The same for a caller, with the named sites. Throws merchant_not_found. */
const readFor = async (mid: number, caller: Caller, sids: readonly number[]) => {
  const unique = [...new Set(sids)];
  const [merchant, item, ...sites] = await getItems([
    keys.merchant(mid),
    keys.connections(mid),
    ...unique.map((sid) => keys.site(sid)),
  ]);
  visibleOrRefuse(merchant && { mid }, caller, 'merchant_not_found', 'mid: you have no such merchant.');
  const own = sites.flatMap((site) => (site ? [fromSiteItem(site)] : []));
  const known = new Set(own.filter((site) => site.mid === mid && site.type === 'alert').map(({ sid }) => sid));
  return {
    before: fromConnectionsItem(item),
    hasSite: (sid: number) => known.has(sid),
    isManaged: fromMerchantItem(merchant)?.profile['cbm'] === true,
  };
};

export const connectionsForCaller = async (mid: number, caller: Caller): Promise<Connections> =>
  (await readFor(mid, caller, [])).before;

/** Since when connections could not be asked in the daily look for their disputes, by their ids. */
export const failingConnections = async (
  mid: number,
  list: readonly Connection[],
): Promise<ReadonlyMap<string, string>> => {
  const looks = (await getItems(list.map(({ id }) => keys.disputeLook(mid, id)))).flatMap(
    (item) => fromDisputeLookItem(item) ?? [],
  );
  return new Map(looks.flatMap((look) => [[look.connection, failingSince(look)] as const]).filter(isFailing));
};

const isFailing = (one: readonly [string, string | undefined]): one is readonly [string, string] =>
  one[1] !== undefined;

/** Throws merchant_not_found, connection_not_found. */
export const connectionForCaller = async (mid: number, id: string, caller: Caller): Promise<Connection> => {
  const connection = connectionOfId(await connectionsForCaller(mid, caller), id);
  if (!connection) throw new Refusal('connection_not_found', 'id: the merchant has no such connection.');
  return connection;
};

const idCharacters = 12;

/** The number of random bytes of a generated secret. */
const secretBytes = 32;

/** New credentials of a merchant's own service get a secret if they have none, so that a new address never receives the earlier one. */
const withSecret = (wanted: WantedConnection): WantedConnection => {
  const { kind, credentials } = wanted;
  if (!isAtMerchant(kind) || !credentials || credentials['secret'] !== undefined) return wanted;
  const secret = `whsec_${randomBytes(secretBytes).toString('base64')}`;
  return { ...wanted, credentials: { ...credentials, secret } };
};

/**
 * `keepsOthers`: connections that are not named stay, also those of which the caller may not know because they named no version.
 * `version`: the one that the caller has read.
 */
type Setting = { keepsOthers?: boolean | undefined; version?: number | undefined };

/**
 * Sets a merchant's connections. `secrets`: by connection, those that were generated, which are shown once. Throws merchant_not_found,
 * request_invalid, changed_meanwhile.
 */
export const setConnections = async (
  mid: number,
  caller: Caller,
  sent: readonly WantedConnection[],
  { version, keepsOthers = version === undefined }: Setting = {},
): Promise<Connections & { before: Connections; secrets: ReadonlyMap<string, string> }> => {
  const wanted = sent.map(withSecret);
  const sids = wanted.flatMap((one) => one.sids ?? []);
  const [{ before, hasSite, isManaged }, ring] = await Promise.all([readFor(mid, caller, sids), keyRing('encryption')]);
  if (version !== undefined && version !== before.version) {
    throw new Refusal('changed_meanwhile', `version: is ${before.version} by now. Read the connections again.`);
  }
  if (version === undefined && sent.length === 0 && before.list.length > 0) {
    throw new Refusal(
      'request_invalid',
      'version: is required to remove connections. Send the one that you have read.',
    );
  }
  const tools = {
    allowSandbox: optional('ALLOW_SANDBOX') === 'true',
    ...webhookUrlRules(),
    newId: () => `cn_${randomText(idCharacters)}`,
    seal: (id: string, text: string) => seal(ring, keysContext(mid, id), text),
    hasSite,
  };
  const after = withConnections(before, wanted, tools, keepsOthers);
  await save(mid, before, after, isManaged ? newLooks(mid, before, after, nowIso()) : []);
  const made = wanted.map((one, index) => (one === sent[index] ? undefined : one.credentials?.['secret']));
  return { ...after, before, secrets: secretsById(made, wanted, { before, after }) };
};

/** Generated secrets by connection. `made`: by the place in what was sent; new connections are stored in that order. */
const secretsById = (
  made: readonly unknown[],
  wanted: readonly WantedConnection[],
  { before, after }: { before: Connections; after: Connections },
): ReadonlyMap<string, string> => {
  const known = new Set([...before.list, ...before.retired].map(({ id }) => id));
  const fresh = after.list.filter(({ id }) => !known.has(id));
  const secrets = new Map<string, string>();
  for (const [index, { id = fresh.shift()?.id }] of wanted.entries()) {
    const secret = made[index];
    if (id !== undefined && typeof secret === 'string') secrets.set(id, secret);
  }
  return secrets;
};

/** Adds to a connection's credentials, as they were read before. Throws changed_meanwhile. */
export const addKeys = async (
  mid: number,
  before: Connections,
  { id, sealed }: Connection,
  added: Readonly<Record<string, string>>,
  ring: KeyRing,
): Promise<void> => {
  if (Object.keys(added).length === 0) return;
  const context = keysContext(mid, id);
  const resealed = seal(ring, context, JSON.stringify({ ...JSON.parse(open(ring, context, sealed ?? '')), ...added }));
  const list = before.list.map((one) => (one.id === id ? { ...one, sealed: resealed } : one));
  await save(mid, before, { ...before, list, version: before.version + 1 }, []);
};

/** `looks`: the daily looks for disputes that begin now. */
const save = async (
  mid: number,
  before: Connections,
  after: Connections,
  looks: readonly DisputeLook[],
): Promise<void> => {
  const isAsRead = before.version === 0 ? requireNew : requireVersion(before.version, 'connections');
  const conflict = await tryTransact({
    connections: { Put: { Item: toConnectionsItem(mid, after), ...isAsRead } },
    looks: looks.map(newLookWrite),
  });
  if (!conflict) return;
  // A write repeated after a lost reply fails its own condition; no other write has the same sealed text.
  const { list, version } = fromConnectionsItem(conflict.itemOf('connections'));
  const sealedOf = (some: readonly Connection[]) => JSON.stringify(some.map(({ id, sealed }) => [id, sealed]));
  if (version === after.version && sealedOf(list) === sealedOf(after.list)) return;
  throw changedMeanwhile(conflict);
};
