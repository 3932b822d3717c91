import type { GenericSchema, InferOutput } from 'valibot';
import type { AuditValues } from '../audit/audit-values.ts';
import type { SettingName } from './environment.ts';
import type { ErrorCode } from './errors.ts';
import type { Grants } from './grants.ts';
import { type NamesOfKey, toNames } from './key.ts';

/**
 * The caller that an operation admits.
 * - `public`: anyone; the operation itself decides (gettoken).
 * - `bearer`: a token the gateway's authorizer accepted; a merchant's token sees its own `mid` only.
 * - `admin`: the same, and the token's scope must be `admin`.
 * - `site`: the site's `rcode` (header, body, query or hash), checked by the handler's store.
 * - `provider`: an alert provider's signature over the raw body, checked by the handler.
 * - `client`: a payer's page, with the token of its one authentication in the body, checked by the handler.
 */
export type Auth = 'public' | 'bearer' | 'admin' | 'site' | 'provider' | 'client';

/** The rights of a merchant's user; a user without a role is a manager. Operators have no role, and may do everything. */
export const roles = ['analyst', 'developer', 'manager'] as const;
export type Role = (typeof roles)[number];

/** The permissions of API keys. Those with a kind of `diverts` after the colon allow what diverts that. */
export const permissions = [
  'alerts:read',
  'alerts:answer',
  'refunds',
  'payments:read',
  'payments',
  'orders:read',
  'orders',
  'chargebacks:read',
  'chargebacks',
  'reports:read',
  'audit:read',
  'settings:read',
  'settings',
  'settings:money',
  'settings:data',
  'settings:secrets',
] as const;
export type Permission = (typeof permissions)[number];

/** The formats that a request's body may have. */
export type BodyFormat = 'json' | 'form' | 'multipart';

/** The shape of refusals: `{msg, details}`; `{status: "EXC", error_code, error_msg}`; or a page for people. */
export type ErrorShape = 'plain' | 'transaction' | 'page';

/**
 * Offers an operation to agents. An action has two steps: the agent reads its consequences and gets a token, and confirms with the token.
 * `name`: default, the operation's own in snake case. `hint`: more for agents than the description says. `about`: the operation, `area/name`, that
 * shows the state before the action; it has the same path variables.
 */
export type Tool =
  | { kind: 'read'; name?: string; hint?: string }
  | { kind: 'act'; name?: string; consequences: string; about: string };

/** Everything the cloud, the documents, the local stack and the tests need to know about one endpoint. */
export type Operation<
  Params extends GenericSchema = GenericSchema,
  Body extends GenericSchema = GenericSchema,
  Reply extends GenericSchema = GenericSchema,
> = {
  /** The folder of its area, `functions/<shelf>/<area>/`, which has it under `api/`. */
  area: string;
  /** Kebab-case; names the folder that holds declaration and handler, the sample event and the deployed function. */
  name: string;
  /** Its heading in the API document, and the first part of its id there; default: its area. */
  tag?: string;
  /** One line for the document. */
  summary: string;
  description?: string;
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** The methods of other operations at its path, named to a caller who uses none of them. */
  otherMethods?: readonly Operation['method'][];
  /** As the gateway spells it, with `{names}`. Every variable at one place of the path tree has one name: `{id}`. */
  path: `/${string}`;
  /** Further paths that answer the same. */
  aliases?: readonly `/${string}`[];
  auth: Auth;
  /** Which roles of a merchant's users may call it; absent: all. */
  roles?: readonly Role[];
  /** The permission that an API key needs to call it; `person`: no key may. Every operation with `auth: 'bearer'` has one. */
  permission?: Permission | 'person';
  /**
   * The way in which an API key that is limited to sites may call it; absent: not at all. `named`: the call must name one of the key's
   * sites as `sid`, and the operation does not leave that site. `found`: the operation reads its subject with `visibleOrRefuse` or
   * `canAccessSite`, which know the key's sites.
   */
  siteKeys?: 'named' | 'found';
  /** The caller must have given the password within the last 15 minutes: for the session, or for a token from gettoken. */
  fresh?: true;
  /**
   * Set where an attacker in a user's session could divert money, data or a secret. Such an operation is `fresh` and audited, and the
   * managers of its merchant are notified of each call by e-mail: see core/platform/audit/audit-store.ts.
   */
  diverts?: 'money' | 'data' | 'secret';
  /** The bodies with which it does, where most calls divert nothing; absent: all. Only these are fresh and audited. Pure. */
  divertsIf?: (body: unknown) => boolean;
  /** Path variables; strings in, whatever the schema makes of them out. */
  params?: Params;
  /** Absent: no body is read. */
  body?: Body;
  /** Instead of `body`, for bodies that only their sender's library can read: their descriptions, by media type. */
  rawBody?: Readonly<Record<string, string>>;
  /** Security schemes in the API document for senders that authenticate in their own way. */
  signedBy?: readonly string[];
  /** Offers it to agents over MCP: see accounts/agents/. Not part of deployed bundles, apart from that of the MCP server. */
  tool?: Tool;
  /** The accepted formats of the body; the first is what the document shows. Default: JSON only. */
  formats?: readonly BodyFormat[];
  reply: Reply;
  /** Answers with other statuses that are not refusals, by status, where a provider's protocol requires them. */
  otherReplies?: Readonly<Record<number, GenericSchema>>;
  /** The media type of a reply that is text or bytes and sent as it is. Absent: the reply is sent as JSON. */
  replyType?: string;
  /** Other media types it may have, when it serves a folder of files. */
  otherReplyTypes?: readonly string[];
  /** Files deployed with the function's code: their names there, and their sources. */
  assets?: Readonly<Record<string, string>>;
  /** An app for browsers whose built files are deployed with the function's code: its folder under `lib/`. */
  app?: string;
  /** A setting of the stage; unless it allows the operation, there is neither route nor function. */
  onlyWhere?: 'allowSandbox' | 'allowDocs';
  /** Default `plain`. Transactions have their own shape, set by the interface. */
  errorShape?: ErrorShape;
  /** The refusals it can answer in addition to every operation's (see `commonErrors`). A test checks them. */
  errors: readonly ErrorCode[];
  /** The AWS actions it uses. A test checks them. */
  grants: Grants;
  /** Environment variables it needs in addition to those from its grants. */
  variables?: readonly SettingName[];
  /** Each call leaves an entry in the audit log; for calls that set up, open or close something. See core/platform/audit/audit-store.ts. */
  audit?: true;
  /** The fields whose values that entry shows; absent: none. No secret, no free text, nothing of a person. */
  auditValues?: AuditValues;
  /** Of `site` calls: takes the header `x-signature`, a signature of the whole body, in place of the md5 `hash`. */
  signable?: true;
  /**
   * Takes the header `idempotency-key`: see core/platform/idempotency/idempotency-store.ts. For calls that move money or create something.
   */
  idempotent?: true;
  /** Default 256. */
  memoryMegabytes?: number;
  /** Default 28, as the gateway waits for 29. */
  timeoutSeconds?: number;
};

export type Caller = {
  /** `admin`, or `merchant`: bound to `mid`. For `public`, `site`, `provider` and `client` calls: `none`. */
  scope: 'admin' | 'merchant' | 'none';
  /** The only merchant the caller may see; absent for an admin. */
  mid?: number;
  /** The caller's name in histories: a username, or `site`, or a provider's name. */
  subject: string;
  /** Of a merchant's user; absent: a manager. */
  role?: Role;
  /** Until when (ISO) the caller's password counts as fresh; absent for callers without a token. */
  freshUntil?: string;
  /** When (ISO) the caller's session began; absent for callers without a token. */
  signedInAt?: string;
  /** A program, whose token belongs to no session; it cannot be asked for a password. */
  isProgram?: true;
  /** Of a caller with an API key. */
  key?: CallerKey;
};

/** `sites`: the only sites that the key may see; null: all of its merchant. */
export type CallerKey = { permissions: readonly Permission[]; sites: readonly number[] | null };

export type Request<O extends Operation> = {
  params: O extends { params: infer P extends GenericSchema } ? InferOutput<P> : Record<string, never>;
  body: O extends { body: infer B extends GenericSchema } ? InferOutput<B> : undefined;
  /** Header names in lower case. */
  headers: Readonly<Record<string, string | undefined>>;
  caller: Caller;
  requestId: string;
  /** The body's fields before its schema turned them into `body`. */
  sent: Readonly<Record<string, unknown>>;
  /** The body as it was sent, for calls that sign their bytes. */
  rawBody: string;
  /** Where the call came from, as the gateway saw it. */
  sourceIp: string;
  /** The address at which the caller reached the service, without a trailing slash: links back to it begin with this. */
  baseUrl: string;
};

export type Reply<O extends Operation> = InferOutput<O['reply']>;

type Declared = Omit<Operation, 'area' | 'name'>;

/** Declares one endpoint, once. `key`: `area/name`. */
export const defineOperation = <const O extends Declared>(key: string, operation: O): O & NamesOfKey =>
  withGrants({
    ...toNames(key),
    ...operation,
    ...(operation.diverts && { ...(!operation.divertsIf && { fresh: true }), audit: true }),
  });

const withGrants = <const O extends Declared>(operation: O): O =>
  operation.idempotent ? { ...operation, grants: withGrantsOfKeys(operation.grants) } : operation;

/** The grants for storing the replies of an idempotent operation: its rows, and the key ring that seals them. */
const withGrantsOfKeys = ({ table = [], secrets = [], ...others }: Grants): Grants => ({
  ...others,
  table: [...new Set([...table, 'PutItem', 'UpdateItem'] as const)],
  secrets: [...new Set([...secrets, 'encryption'] as const)],
});

/** Where the sample event of an operation or a worker is. */
export const samplePath = ({ area, name }: { area: string; name: string }): string => `events/${area}/${name}.json`;
