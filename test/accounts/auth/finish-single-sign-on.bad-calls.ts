import type { SignInFixture } from '#test/flows/bad-sign-in.ts';
import type { BadCalls } from '#test/support/bad-calls.ts';
import { testIssuerOf } from '#test/support/single-sign-on.ts';

export const badCalls = ({ service }: SignInFixture): BadCalls => {
  const { save, choose } = testIssuerOf(service);
  return {
    headers: { origin: service.url },
    body: { state: 'never given', code: 'c' },
    wrongBody: { state: [''], code: ['c'.repeat(4097)] },
    refused: {
      cross_site: { headers: { origin: 'https://elsewhere.example' } },
      session_over: {},
      sso_not_found: {
        prepare: async () => {
          await save();
          const sent = await choose('Mia Manager');
          await save({ enabled: false });
          return sent;
        },
      },
      sso_refused: {
        prepare: async () => {
          await save();
          return choose('Nora Nogroup');
        },
      },
      sso_unavailable: {
        prepare: async () => {
          await save();
          const { headers, body } = await choose('Mia Manager');
          return { headers, body: { ...body, code: 'another' } };
        },
      },
    },
  };
};
