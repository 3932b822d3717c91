import type { SignInFixture } from '#test/flows/bad-sign-in.ts';
import type { BadCalls } from '#test/support/bad-calls.ts';

export const badCalls = async ({ service }: SignInFixture): Promise<BadCalls> => {
  const body = { name: 'Logged', permissions: ['alerts:read'] };
  const made = await service.call('/api/v3/api-keys/create', { token: await service.tokenOf('merchant'), body });
  return {
    body: { id: Number(made.body['id']) },
    wrongBody: { id: ['x'], day: ['2026-02-30'], result: ['slow'], size: [501], cursor: ['x'] },
    refused: { api_key_not_found: { as: 'otherTenant' } },
  };
};
