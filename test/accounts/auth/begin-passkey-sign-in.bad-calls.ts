import type { SignInFixture } from '#test/flows/bad-sign-in.ts';
import type { BadCalls } from '#test/support/bad-calls.ts';

export const badCalls = ({ service }: SignInFixture): BadCalls => ({
  headers: { origin: service.url },
  wrongBody: { challenge: ['c'.repeat(41)] },
  refused: {
    cross_site: { headers: { origin: 'https://elsewhere.example' } },
    // The stack of these calls has an IP address.
    passkey_host_unsuitable: {},
    session_over: { body: { challenge: 'never given' } },
  },
});
