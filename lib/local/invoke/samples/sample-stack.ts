import type { DemoCredentials } from '../../demo/demo-tenant.ts';
import { UserError } from '../../user-error.ts';

/** The values of placeholders, by name: each is found or created when it is first needed. */
export type Values = Readonly<Record<string, (() => string | Promise<string>) | undefined>>;

/** A running stack with its demo tenant, as the samples of one event see it. */
export type SampleStack = {
  url: string;
  credentials: DemoCredentials;
  /** Another value of the same event. */
  read(name: string): Promise<string>;
  /** The value of `x-signature` with which a provider signs a body now. */
  sign(provider: string, body: string): Promise<string>;
  get(path: string): Promise<unknown>;
  /** JSON, a form, or a text as it is. Throws UserError unless the answer is 2xx; gives its JSON. */
  post(path: string, body: object | string, headers?: Readonly<Record<string, string>>): Promise<unknown>;
  /** With a Bearer token of the demo merchant's user. */
  postAsMerchant(path: string, body: object): Promise<unknown>;
  /** With the administrator's. */
  postAsAdmin(path: string, body: object): Promise<unknown>;
};

type Means = Pick<SampleStack, 'url' | 'credentials' | 'sign'> & {
  read(name: string): Promise<string | undefined>;
};

export const sampleStack = ({ url, credentials, sign, ...means }: Means): SampleStack => {
  const read = async (name: string): Promise<string> => String(await means.read(name));
  const post: SampleStack['post'] = (path, body, headers) =>
    request(url + path, { method: 'POST', ...toRequest(body, headers) });
  const postAs = (token: string) => async (path: string, body: object) =>
    post(path, body, { authorization: `Bearer ${await read(token)}` });
  const get = (path: string) => request(url + path, {});
  return {
    url,
    credentials,
    read,
    sign,
    get,
    post,
    postAsMerchant: postAs('token'),
    postAsAdmin: postAs('admin_token'),
  };
};

/** `fetch` itself names the type of a form. */
const toRequest = (body: object | string, headers: Readonly<Record<string, string>> = {}): RequestInit =>
  body instanceof URLSearchParams
    ? { headers, body }
    : {
        headers: { 'content-type': 'application/json', ...headers },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      };

const request = async (url: string, init: RequestInit): Promise<unknown> => {
  const response = await fetch(url, init);
  const text = await response.text();
  if (response.ok) return JSON.parse(text);
  throw new UserError(`The stack answered ${response.status} to ${new URL(url).pathname}: ${text}`);
};
