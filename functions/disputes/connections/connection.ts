import { Refusal } from '#core/platform/operation/errors.ts';
import { type CredentialRules, toCredentialsDto } from '#payments/processors/credentials/credentials.ts';
import type { ConnectionKind } from '#payments/processors/ports/processors.ts';
import { problemsOfKeys, readKeys } from './connection-credentials.ts';

/** A merchant's own account at a processor, where the charges of its alerts may be. */
export type Connection = {
  id: string;
  kind: ConnectionKind;
  label: string;
  /** The alert sites whose alerts it is asked about; null: all of the merchant's. */
  sids: readonly number[] | null;
  active: boolean;
  /** The credentials, encrypted; null for the sandbox, which has none. */
  sealed: string | null;
  /** The part of the credentials that may be shown: whose account it is, never enough to use it. */
  shown: Readonly<Record<string, string>>;
};

/** A merchant's connections in order, and its former ones, which are still asked about refunds begun there. */
export type Connections = { list: readonly Connection[]; retired: readonly Connection[]; version: number };

export const noConnections: Connections = { list: [], retired: [], version: 0 };

/** The name under which a connection's credentials are sealed; see `seal`. */
export const keysContext = (mid: number, id: string): string => `merchant:${mid}:connection:${id}`;

/** The name under which news of a connection is kept, if its processor cannot be asked for it. */
export const connectionScopeOf = ({ id }: Pick<Connection, 'id'>): string => `C${id}`;

/** The connections that are asked about a site's alerts, in the merchant's order. */
export const connectionsFor = ({ list }: Connections, sid: number): readonly Connection[] =>
  list.filter(({ active, sids }) => active && (sids === null || sids.includes(sid)));

/** A connection by its id, whether current or retired. */
export const connectionOfId = ({ list, retired }: Connections, id: string): Connection | undefined =>
  [...list, ...retired].find((one) => one.id === id);

/** A connection as sent. Without credentials, `id` names one whose stored credentials stay. */
export type WantedConnection = {
  id?: string | undefined;
  kind: ConnectionKind;
  label: string;
  credentials?: Readonly<Record<string, unknown>> | undefined;
  /** The account of the credentials, if a sign-in at the processor has named it. */
  account?: string | undefined;
  sids: readonly number[] | null;
  active: boolean;
};

export type ConnectionTools = CredentialRules & {
  allowSandbox: boolean;
  newId(): string;
  seal(id: string, text: string): string;
  /** Checks whether the merchant has such an alert site. */
  hasSite(sid: number): boolean;
};

/** The connections that were named, and where `keepsOthers` those that were not, in their places. */
const mergeConnections = (before: Connections, named: readonly Connection[], keepsOthers: boolean) => {
  if (!keepsOthers) return named;
  const byId = new Map(named.map((one) => [one.id, one]));
  const own = new Set(before.list.map(({ id }) => id));
  return [...before.list.map((one) => byId.get(one.id) ?? one), ...named.filter(({ id }) => !own.has(id))];
};

/** The number of a merchant's connections, for which its alerts wait. */
export const maxConnections = 20;

/**
 * A merchant's connections, replaced by others. One that is left out is retired, not forgotten. Throws request_invalid, naming
 * each wrong field.
 */
export const withConnections = (
  before: Connections,
  wanted: readonly WantedConnection[],
  tools: ConnectionTools,
  keepsOthers = false,
): Connections => {
  const known = new Map([...before.list, ...before.retired].map((one) => [one.id, one]));
  const problems: string[] = [];
  const named = wanted.flatMap((one, index) => {
    const chosen = choose(one, known, tools);
    const wrong = [...('problems' in chosen ? chosen.problems : []), ...siteProblems(one, tools)];
    problems.push(...wrong.map((problem) => `connections.${index}.${problem}`));
    return 'problems' in chosen ? [] : [chosen];
  });
  const repeated = named.findIndex(({ id }, index) => named.findIndex((one) => one.id === id) < index);
  if (repeated >= 0) problems.push(`connections.${repeated}.id: names one connection twice`);
  const list = mergeConnections(before, named, keepsOthers);
  if (list.length > maxConnections) problems.push(`connections: must be at most ${maxConnections} in all`);
  const again = list.findIndex((one, index) => list.findIndex((other) => isSameAccount(one, other)) < index);
  if (again >= 0) problems.push(`connections.${again}.sign_in: this account is connected already`);
  if (problems.length > 0) throw new Refusal('request_invalid', problems.join('; '));
  const kept = new Set(list.map(({ id }) => id));
  const retired = [...known.values()].filter(({ id }) => !kept.has(id));
  return { list, retired, version: before.version + 1 };
};

const isSameAccount = (one: Connection, other: Connection): boolean =>
  one === other ||
  (one.kind === other.kind && one.shown['account'] !== undefined && one.shown['account'] === other.shown['account']);

const siteProblems = ({ sids }: WantedConnection, { hasSite }: ConnectionTools): string[] =>
  (sids ?? []).flatMap((sid, index) => (hasSite(sid) ? [] : [`sids.${index}: you have no such alert site`]));

const choose = (
  { id, kind, label, credentials, account, sids, active }: WantedConnection,
  known: ReadonlyMap<string, Connection>,
  tools: ConnectionTools,
): Connection | { problems: readonly string[] } => {
  if (kind === 'sandbox' && !tools.allowSandbox) return { problems: ['kind: the sandbox is not offered here'] };
  const before = id === undefined ? undefined : known.get(id);
  if (id !== undefined && before?.kind !== kind) return { problems: [`id: you have no such connection to ${kind}`] };
  const settings = { kind, label, sids, active };
  if (!credentials && kind !== 'sandbox') {
    return before ? { ...before, ...settings } : { problems: ['credentials: is required'] };
  }
  const problems = problemsOfKeys(kind, credentials ?? {}, tools);
  if (problems.length > 0) return { problems: problems.map((problem) => `credentials.${problem}`) };
  const own = before?.id ?? tools.newId();
  const keys = readKeys(kind, credentials ?? {});
  const sealed = kind === 'sandbox' ? null : tools.seal(own, JSON.stringify(keys));
  return {
    ...settings,
    id: own,
    sealed,
    shown: { ...toCredentialsDto(kind, keys), ...(account !== undefined && { account }) },
  };
};

/** A connection on the wire: never with its credentials. */
export const toConnectionDto = ({ id, kind, label, sids, active, shown }: Connection) => ({
  id,
  kind,
  label,
  active,
  sids: sids && [...sids],
  credentials: { ...shown },
});
