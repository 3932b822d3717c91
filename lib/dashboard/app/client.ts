import type { GenericSchema, InferInput, InferOutput } from 'valibot';
import type { Operation } from '#core/platform/operation/operation.ts';
import { accessToken, askPassword, user } from './session.ts';
import { post, type Sending, ServiceError } from './transport.ts';

/** The names in braces in a path. */
type Variables<Path> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | Variables<Rest> : never;

/** The input of a body; where its schema accepts anything, its output. */
export type Sent<O> = O extends { body: infer Body extends GenericSchema }
  ? unknown extends InferInput<Body>
    ? Partial<InferOutput<Body>>
    : InferInput<Body>
  : Record<string, never>;

type Params<O extends Operation> = [Variables<O['path']>] extends [never]
  ? { params?: never }
  : { params: Readonly<Record<Variables<O['path']>, string | number>> };

type Call<O extends Operation> = Params<O> & {
  body?: Sent<O>;
  signal?: AbortSignal;
  /** Makes a second press, or a retry after a lost answer, do nothing more. */
  idempotencyKey?: string;
};

export type ReplyOf<O extends Operation> = InferOutput<O['reply']>;
export type RowOf<O extends Operation> = ReplyOf<O> extends { list: readonly (infer Row)[] } ? Row : never;

/** The declaration of an operation for a screen, which the compiler checks. */
type Named<O extends Operation> = Pick<O, 'path'> & { method?: O['method'] & Sending['method'] } & (O extends {
    roles: infer R;
  }
    ? { roles: R }
    : { roles?: never });

export type Remote<O extends Operation> = ((call: Call<O>) => Promise<ReplyOf<O>>) & {
  /** True if the role of who is signed in may do this. */
  isAllowed: () => boolean;
};

/** An operation of the service, to be called by who is signed in. */
export const remote = <O extends Operation>(named: Named<O>): Remote<O> => {
  const { path, roles, method } = named as { path: string; roles?: readonly string[] } & Pick<Sending, 'method'>;
  const call = async ({ params, body, signal, idempotencyKey }: Call<O>): Promise<ReplyOf<O>> => {
    const address = path.replace(/\{(\w+)\}/g, (_, name: string) =>
      encodeURIComponent(String((params as Record<string, unknown> | undefined)?.[name])),
    );
    const headers = idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey };
    return (await sendAuthorised((token) => post(address, { method, body, signal, headers, token }))) as ReplyOf<O>;
  };
  return Object.assign(call, { isAllowed: () => isAllowed(roles) });
};

const isAllowed = (roles: readonly string[] | undefined): boolean => {
  const present = user.value;
  if (!present) return false;
  return roles === undefined || present.role === null || roles.includes(present.role);
};

/** Sends with a token; once more with another where that was over, and after the password where it must be fresh. */
const sendAuthorised = async (send: (token: string) => Promise<unknown>): Promise<unknown> => {
  try {
    return await send(await accessToken());
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    // A wrong password is no token that is over, and sent twice it would count twice.
    if (error.status === 401 && error.code !== 'credentials_wrong') return send(await accessToken({ renew: true }));
    if (error.code === 'fresh_sign_in_needed') return send(await askPassword('fresh'));
    throw error;
  }
};
