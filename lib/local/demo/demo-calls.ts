import * as v from 'valibot';

/** A fresh Bearer token of a user. */
export const signIn = async (url: string, user: { username: string; password: string }): Promise<string> => {
  const reply = v.object({ access_token: v.string() });
  return (await send(`${url}/api/v2/index.php/gettoken`, user, {}, reply)).access_token;
};

/** Calls an operation of the API with a Bearer token. Throws on any answer but 2xx. */
export const call = <S extends v.GenericSchema>(url: string, path: string, body: unknown, token: string, reply: S) =>
  send(`${url}/api/v3${path}`, body, { authorization: `Bearer ${token}` }, reply);

const send = async <S extends v.GenericSchema>(
  url: string,
  body: unknown,
  headers: Record<string, string>,
  reply: S,
): Promise<v.InferOutput<S>> => {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  if (response.ok) return v.parse(reply, JSON.parse(text));
  throw new Error(`${new URL(url).pathname} answered ${response.status} ${text}`);
};
