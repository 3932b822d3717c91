import { endpoint } from '#core/platform/http/http.ts';
import { requestOptions } from '../../passkeys/passkey.ts';
import { givePasskeyChallenge } from '../../passkeys/passkey-store.ts';
import { refuseCrossSite } from '../../sessions/cross-site.ts';
import { userOfChallenge } from '../../sessions/factor-store.ts';
import { beginPasskeySignInOperation } from './operation.ts';

export const handler = endpoint(
  beginPasskeySignInOperation,
  async ({ body: { challenge: signIn }, baseUrl }) => {
    const user = signIn === undefined ? null : await userOfChallenge(signIn);
    const asked = { purpose: 'sign-in', username: user?.username ?? null, signIn: signIn ?? null } as const;
    const challenge = await givePasskeyChallenge(asked, baseUrl);
    const options = requestOptions(challenge, user?.passkeys ?? []);
    return { id: challenge.id, expires_at: challenge.expiresAt, options };
  },
  { authenticate: async (sent) => refuseCrossSite(sent) },
);
