import { softPasskey } from '#lib/local/invoke/samples/soft-passkey.ts';
import type { SignInFixture } from '#test/flows/bad-sign-in.ts';
import type { BadCalls } from '#test/support/bad-calls.ts';
import { byHostName } from '#test/support/passkeys.ts';

export const badCalls = ({ service }: SignInFixture): BadCalls => {
  const credential = softPasskey(service.url).authenticate({ challenge: 'AAAA' });
  return {
    headers: { origin: service.url },
    body: { id: 'never given', credential },
    wrongBody: { id: ['c'.repeat(41)] },
    wrong: [
      { body: { credential: { ...credential, id: 'not base64!' } }, names: 'credential.id' },
      { body: { credential: { ...credential, type: 'password' } }, names: 'credential.type' },
    ],
    refused: {
      cross_site: { headers: { origin: 'https://elsewhere.example' } },
      session_over: {},
      passkey_wrong: {
        prepare: async () => {
          const { id } = await byHostName(service).begin('/api/v3/session/passkey/begin');
          return { body: { id } };
        },
      },
    },
  };
};
