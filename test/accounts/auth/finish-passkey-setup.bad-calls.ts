import { softPasskey } from '#lib/local/invoke/samples/soft-passkey.ts';
import type { SignInFixture } from '#test/flows/bad-sign-in.ts';
import type { BadCalls } from '#test/support/bad-calls.ts';
import { byHostName } from '#test/support/passkeys.ts';

export const badCalls = ({ service }: SignInFixture): BadCalls => {
  const credential = softPasskey(service.url).register({ challenge: 'AAAA', rp: { id: 'localhost' } });
  return {
    body: { id: 'never given', name: 'Laptop', credential },
    wrongBody: { name: [''] },
    wrong: [{ body: { credential: { ...credential, rawId: '?' } }, names: 'credential.rawId' }],
    refused: {
      session_over: {},
      passkey_wrong: {
        prepare: async () => {
          const token = await service.tokenOf('merchant');
          const { id } = await byHostName(service).begin('/api/v3/session/passkey/setup', {}, token);
          return { body: { id } };
        },
      },
    },
  };
};
