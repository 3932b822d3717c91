import type { SignInFixture } from '#test/flows/bad-sign-in.ts';
import type { BadCalls } from '#test/support/bad-calls.ts';

export const badCalls = ({ mid }: SignInFixture): BadCalls => ({
  params: { mid },
  body: { issuer: 'https://login.shop.example', client_id: 'c', client_secret: 's', domains: ['shop.example'] },
  wrongParams: { mid: ['x'] },
  wrongBody: {
    issuer: ['http://login.shop.example', 'https://169.254.169.254/latest'],
    domains: [[]],
    verified_claim: [''],
    default_role: ['king'],
  },
  wrong: [
    { body: { domains: ['not a domain'] }, names: 'domains.0' },
    { body: { issuer: 'https://other.shop.example', client_secret: undefined }, names: 'client_secret' },
  ],
  refused: { merchant_not_found: { as: 'otherTenant' } },
});
