import { afterAll, beforeAll } from 'vitest';
import { type Scene, testBadCalls } from '#test/support/bad-calls.ts';
import { withFoundCalls } from '#test/support/found-bad-calls.ts';
import { makeOtherTenant } from '#test/support/other-tenant.ts';
import { startStack, type TestStack } from '#test/support/stack.ts';
import { badSignIn, makePeople } from './bad-sign-in.ts';

let service: TestStack;
let scene: Scene;

const areas = ['auth', 'dashboard', 'documents'];

beforeAll(async () => {
  service = await startStack();
  const own = await makeOtherTenant(service);
  const tokens = {
    admin: await service.tokenOf('admin'),
    merchant: await service.tokenOf('merchant'),
    otherTenant: own.token,
  };
  const { mid } = service.credentials.site;
  const people = makePeople(service, tokens.admin);
  const fixture = {
    ...{ service, mid, plain: await people.plain('plain', mid) },
    guarded: await people.withFactor('guarded', mid),
    guessed: await people.withFactor('guessed', mid),
    ready: await people.withFactor('ready', mid),
  };
  scene = { service, tokens, calls: await withFoundCalls(badSignIn(fixture), areas, fixture), own };
});
afterAll(() => service.stop());

testBadCalls(areas, () => scene);
