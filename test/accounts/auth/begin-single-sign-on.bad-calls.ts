import type { SignInFixture } from '#test/flows/bad-sign-in.ts';
import type { BadCalls } from '#test/support/bad-calls.ts';
import { testIssuerOf } from '#test/support/single-sign-on.ts';

export const badCalls = ({ service, mid }: SignInFixture): BadCalls => ({
  headers: { origin: service.url },
  body: { mid },
  wrongBody: { mid: ['x'], fresh: ['perhaps'] },
  refused: {
    cross_site: { headers: { origin: 'https://elsewhere.example' } },
    sso_not_found: { body: { mid: 999_999 } },
    sso_unavailable: {
      prepare: async () => {
        await testIssuerOf(service).save({ issuer: `${service.url}/_local/no-issuer` });
        return {};
      },
    },
  },
});
