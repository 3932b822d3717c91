import type { SignInFixture } from '#test/flows/bad-sign-in.ts';
import type { BadCalls } from '#test/support/bad-calls.ts';

export const badCalls = ({ mid }: SignInFixture): BadCalls => ({
  params: { mid },
  body: { issuer: 'https://login.shop.example', client_id: 'c', client_secret: 's', domains: ['shop.example'] },
  wrong: [
    { params: { mid: 'x' }, names: 'mid' },
    { body: { issuer: 'http://login.shop.example' }, names: 'issuer' },
    { body: { issuer: 'https://169.254.169.254/latest' }, names: 'issuer' },
    { body: { domains: [] }, names: 'domains' },
    { body: { domains: ['not a domain'] }, names: 'domains.0' },
    { body: { verified_claim: '' }, names: 'verified_claim' },
    { body: { default_role: 'king' }, names: 'default_role' },
    { body: { issuer: 'https://other.shop.example', client_secret: undefined }, names: 'client_secret' },
  ],
  refused: { merchant_not_found: { as: 'otherTenant' } },
});
