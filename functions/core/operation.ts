import type { GenericSchema, InferOutput } from 'valibot';
import type { SettingName } from './environment.ts';
import type { ErrorCode } from './errors.ts';
import type { Grants } from './grants.ts';

/**
 * Who may call an operation.
 * - `public`: anyone; the operation itself decides (gettoken).
 * - `bearer`: a token the gateway's authorizer accepted; a merchant's token sees its own `mid` only.
 * - `admin`: the same, and the token's scope must be `admin`.
 * - `site`: the site's `rcode` (header, body, query or hash), checked by the handler's store.
 * - `provider`: an alert provider's signature over the raw body, checked by the handler.
 * - `client`: a payer's page, with the token of its one authentication in the body, checked by the handler.
 */
export type Auth = 'public' | 'bearer' | 'admin' | 'site' | 'provider' | 'client';

/** What a merchant's user may do; a user without one is a manager. Operators have none, and may do everything. */
export const roles = ['analyst', 'developer', 'manager'] as const;
export type Role = (typeof roles)[number];

/** What a request's body may be sent as. */
export type BodyFormat = 'json' | 'form' | 'multipart';

/** How refusals are shaped: `{msg, details}`; `{status: "EXC", error_code, error_msg}`; or a page for people. */
export type ErrorShape = 'plain' | 'transaction' | 'page';

/** Everything the cloud, the documents, the local stack and the tests need to know about one endpoint. */
export type Operation<
  Params extends GenericSchema = GenericSchema,
  Body extends GenericSchema = GenericSchema,
  Reply extends GenericSchema = GenericSchema,
> = {
  /** The folder under `functions/` that holds its own. */
  area: string;
  /** Kebab-case; names the folder that holds declaration and handler, the sample event and the deployed function. */
  name: string;
  /** The heading it has in the API document, and the first part of its id there; default: its area. */
  tag?: string;
  /** One line for the document. */
  summary: string;
  description?: string;
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Those of other operations at its path: what a caller is told who comes with none of them. */
  otherMethods?: readonly Operation['method'][];
  /** As the gateway spells it, with `{names}`. Every variable at one place of the path tree has one name: `{id}`. */
  path: `/${string}`;
  /** Further paths that answer the same. */
  aliases?: readonly `/${string}`[];
  auth: Auth;
  /** Which roles of a merchant's users may call it; absent: all. */
  roles?: readonly Role[];
  /** Who calls with a session must have given the password within 15 minutes. */
  fresh?: true;
  /** Path variables; strings in, whatever the schema makes of them out. */
  params?: Params;
  /** Absent: no body is read. */
  body?: Body;
  /** Instead of `body`, for bodies that only their sender's library can read: what they are, by media type. */
  rawBody?: Readonly<Record<string, string>>;
  /** Security schemes of the API document by which senders prove themselves that have ways of their own. */
  signedBy?: readonly string[];
  /** What the body may be sent as; the first is what the document shows. Default: JSON only. */
  formats?: readonly BodyFormat[];
  reply: Reply;
  /** Answers under other statuses that are no refusals, by status: what a provider's shape wants so. */
  otherReplies?: Readonly<Record<number, GenericSchema>>;
  /** The media type of a reply that is text or bytes and sent as it is. Absent: the reply is sent as JSON. */
  replyType?: string;
  /** Others that it may have: of a folder of files. */
  otherReplyTypes?: readonly string[];
  /** Files that lie beside the function's code: their names there, and where they come from. */
  assets?: Readonly<Record<string, string>>;
  /** An app for browsers whose built files lie beside the function's code: its folder under `lib/`. */
  app?: string;
  /** A setting of the stage; where that does not allow it, there is neither route nor function. */
  onlyWhere?: 'allowSandbox' | 'allowDocs';
  /** Default `plain`. Those of transactions have a shape of their own, by the interface. */
  errorShape?: ErrorShape;
  /** The refusals it can answer besides those every operation can (see `commonErrors`). A test holds them true. */
  errors: readonly ErrorCode[];
  /** The AWS actions it really uses. A test holds them true. */
  grants: Grants;
  /** Environment it needs besides what its grants bring. */
  variables?: readonly SettingName[];
  /** Each call leaves an entry in the audit log: what sets up, opens or closes something. See core/audit-store.ts. */
  audit?: true;
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
  /** Who it is, for histories: a username, or `site`, or a provider's name. */
  subject: string;
  /** Of a merchant's user; absent: a manager. */
  role?: Role;
  /** Until when (ISO) the password of who calls with a session counts as fresh; absent: who calls has no session. */
  freshUntil?: string;
};

export type Request<O extends Operation> = {
  params: O extends { params: infer P extends GenericSchema } ? InferOutput<P> : Record<string, never>;
  body: O extends { body: infer B extends GenericSchema } ? InferOutput<B> : undefined;
  /** Header names in lower case. */
  headers: Readonly<Record<string, string | undefined>>;
  caller: Caller;
  requestId: string;
  /** The body's fields before its schema made of them what `body` is. */
  sent: Readonly<Record<string, unknown>>;
  /** The body as it was sent, for calls that sign their bytes. */
  rawBody: string;
  /** Where the call came from, as the gateway saw it. */
  sourceIp: string;
  /** Under which address the caller reached the service, without a last slash: links back to it begin with this. */
  baseUrl: string;
};

export type Reply<O extends Operation> = InferOutput<O['reply']>;

/** Declares one endpoint, once. */
export const defineOperation = <const O extends Operation>(operation: O): O => operation;

type Named = { area: string; name: string };

/** The one naming rule that finds the code of an operation or a worker: its folder. */
export const entryOf = ({ area, name }: Named): string => `functions/${area}/${name}/handler.ts`;

/** Its sample event mirrors it under `events/`. */
export const sampleOf = ({ area, name }: Named): string => `events/${area}/${name}.json`;
