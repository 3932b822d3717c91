import * as v from 'valibot';
import type { SampleStack, Values } from './sample-stack.ts';
import { softPasskey } from './soft-passkey.ts';

const Session = v.object({ access_token: v.string() });
const Begun = v.object({
  id: v.string(),
  options: v.looseObject({
    challenge: v.string(),
    rp: v.optional(v.object({ id: v.string() })),
    rpId: v.optional(v.string()),
  }),
});

const Signed = v.object({ clientDataJSON: v.string(), authenticatorData: v.string(), signature: v.string() });

const password = 'correct horse battery';

/**
 * The placeholders for passkeys. Browsers create none for IP addresses, so the stack is called by its host name.
 * - `{{passkey_username}}`: a new user of the demo merchant, `{{passkey_id}}`: a passkey of theirs
 * - `{{passkey_device}}`: the credential of a device
 * - `{{passkey_setup_id}}`, `{{passkey_setup_data}}`, `{{passkey_attestation}}`: a setup that was begun, and the device's answer
 * - `{{passkey_sign_in_id}}`, `{{passkey_client_data}}`, `{{passkey_authenticator_data}}`, `{{passkey_signature}}`: the same for a sign-in
 */
export const passkeyValues = (stack: SampleStack): Values => ({ ...deviceValues(stack), ...passkeyUserValues(stack) });

/** Calls the stack by its host name, as a page of it. */
const caller = (url: string) => {
  const origin = `http://localhost:${new URL(url).port}`;
  const post = async (path: string, body: object, token?: string): Promise<unknown> => {
    const headers = {
      ...{ 'content-type': 'application/json', origin },
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    };
    const response = await fetch(`${origin}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    return response.json();
  };
  return { origin, post };
};

const passkeyUserValues = ({ url, read, post }: SampleStack): Values => ({
  passkey_username: async () => {
    const username = await read('new_username');
    await post('/api/v3/users/password', { token: await read('password_link_token'), password });
    return username;
  },
  passkey_token: async () => {
    const sent = { username: await read('passkey_username'), password };
    return v.parse(Session, await caller(url).post('/api/v3/session/create', sent)).access_token;
  },
});

const deviceValues = ({ url, read }: SampleStack): Values => {
  const { origin, post } = caller(url);
  const device = softPasskey(origin);
  const begunOf = async (name: string) => v.parse(Begun, JSON.parse(await read(name)));
  const makeAttestation = async () => device.register((await begunOf('passkey_setup')).options).response;
  const readSignature = async () => v.parse(Signed, JSON.parse(await read('passkey_signed')));
  return {
    passkey_device: () => device.id,
    passkey_setup: async () =>
      JSON.stringify(await post('/api/v3/session/passkey/setup', {}, await read('passkey_token'))),
    passkey_setup_id: async () => (await begunOf('passkey_setup')).id,
    passkey_setup_data: async () => (await makeAttestation()).clientDataJSON,
    passkey_attestation: async () => (await makeAttestation()).attestationObject,
    passkey_id: async () => {
      const { id, options } = await begunOf('passkey_setup');
      const added = { id, name: 'Laptop', credential: device.register(options) };
      await post('/api/v3/session/passkey/add', added, await read('passkey_token'));
      return device.id;
    },
    passkey_sign_in: async () => {
      await read('passkey_id');
      return JSON.stringify(await post('/api/v3/session/passkey/begin', {}));
    },
    passkey_sign_in_id: async () => (await begunOf('passkey_sign_in')).id,
    passkey_signed: async () =>
      JSON.stringify(device.authenticate((await begunOf('passkey_sign_in')).options).response),
    passkey_client_data: async () => (await readSignature()).clientDataJSON,
    passkey_authenticator_data: async () => (await readSignature()).authenticatorData,
    passkey_signature: async () => (await readSignature()).signature,
  };
};
