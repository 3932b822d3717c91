import { afterAll, beforeAll, expect } from 'vitest';
import { siteSettings } from '#test/payments/threeds/samples.ts';
import { type Scene, testBadCalls } from '#test/support/bad-calls.ts';
import { withFoundCalls } from '#test/support/found-bad-calls.ts';
import { makeOtherTenant } from '#test/support/other-tenant.ts';
import { startStack, type TestStack } from '#test/support/stack.ts';
import { badThreeDs } from './bad-three-ds.ts';

/** Public files, and the sandbox's issuers, whose pages belong to no merchant. */
const ownerless = [
  ...['frame-page', 'frame-script', 'return-script', 'method-return', 'challenge-return', 'sdk-file'],
  ...['sandbox-script', 'sandbox-method', 'sandbox-challenge', 'sandbox-answer'],
  ...['sandbox-shop', 'sandbox-shop-script', 'sandbox-shop-sign'],
].map((name) => `threeds/${name}`);

let service: TestStack;
let scene: Scene;

const newSite = async ({ mid, rid }: { mid: number; rid: number }, settings: object) => {
  const token = await service.tokenOf('admin');
  const { body } = await service.call(`/api/v3/site/mid/${mid}/rid/${rid}/create`, { token, body: { name: 'A site' } });
  const path = `/api/v3/site/mid/${mid}/rid/${rid}/sid/${body['sid']}/3ds`;
  expect((await service.call(path, { token, body: { settings } })).status).toBe(200);
  return { sid: Number(body['sid']), rcode: String(body['rcode']) };
};

beforeAll(async () => {
  service = await startStack();
  const otherTenant = await makeOtherTenant(service);
  const { site, payment_site: paymentSite, three_ds_site } = service.credentials;
  const tokens = {
    admin: await service.tokenOf('admin'),
    merchant: await service.tokenOf('merchant'),
    otherTenant: otherTenant.token,
  };
  const fixture = {
    ...{ service, site: three_ds_site, paymentSite },
    bareSite: await newSite(site, {}),
    othersSite: await newSite(otherTenant, siteSettings),
  };
  const calls = await withFoundCalls(await badThreeDs(fixture), ['threeds'], fixture);
  scene = { service, tokens, calls, own: otherTenant };
});
afterAll(() => service.stop());

testBadCalls(['threeds'], () => scene, ownerless);
