import { softPasskey } from '#lib/local/invoke/samples/soft-passkey.ts';
import type { CallReply, TestStack } from './stack.ts';

type Options = { challenge: string };

/** Calls the stack by a host name, for which browsers make passkeys, as a page of it. */
export const byHostName = (service: TestStack) => {
  const origin = `http://localhost:${new URL(service.url).port}`;
  const post = async (path: string, body: object, token?: string): Promise<Pick<CallReply, 'status' | 'body'>> => {
    const headers = {
      ...{ 'content-type': 'application/json', origin },
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    };
    const response = await fetch(`${origin}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };
  const begin = async (path: string, body: object = {}, token?: string) => {
    const reply = await post(path, body, token);
    if (reply.status !== 200) throw new Error(`${path}: ${JSON.stringify(reply.body)}`);
    return reply.body as { id: string; options: Options };
  };
  /** Gives a user a passkey of a new device. */
  const addPasskey = async (token: string) => {
    const device = softPasskey(origin);
    const { id, options } = await begin('/api/v3/session/passkey/setup', {}, token);
    const added = { id, name: 'Laptop', credential: device.register(options) };
    const { body } = await post('/api/v3/session/passkey/add', added, token);
    return { device, codes: body['recovery_codes'] as string[] | null };
  };
  return { origin, post, begin, addPasskey };
};
