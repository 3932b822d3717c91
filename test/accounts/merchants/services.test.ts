import { beforeEach, expect, it } from 'vitest';
import { servicesOf } from '#accounts/merchants/merchant/merchant.ts';
import { ask, expectDeclared, useOperations } from '#test/support/operations.ts';

useOperations();

let mid: number;
beforeEach(async () => {
  const made = await ask('merchants/create-merchant', {
    body: { name: 'Tern & Vale', alerts: true, oi_merchant_id: `T${mid}` },
  });
  ({ mid } = made.body as { mid: number });
});
const switchOn = async (body: object, as: 'admin' | { mid: number } = 'admin') =>
  (await ask('merchants/set-services', { as, params: { mid }, body })).body as Record<string, unknown>;
const read = async () => (await ask('merchants/merchant-details', { params: { mid } })).body as Record<string, unknown>;

it('switches the named services and leaves everything else', async () => {
  const before = await read();
  expect(await switchOn({ alerts: false, threeDS: true })).toEqual({
    ...{ status: 'ok', mid, alerts: false, cbm: false, payments: false, threeDS: true, order_insights: false },
  });
  expect(await read()).toEqual({ ...before, alerts: false, threeDS: true });
  expect(await switchOn({ threeDS: true })).toMatchObject({ threeDS: true });
  const changes = async () => {
    const { body } = await ask('auth/list-audit', { body: { mid } });
    return (body as { list: { operation: string; changes: object[] }[] }).list.flatMap((one) =>
      one.operation === 'merchants/set-services' ? [one.changes] : [],
    );
  };
  expect((await changes()).toSorted((one, other) => other.length - one.length)).toEqual([
    [
      { field: 'alerts', before: true, after: false },
      { field: 'threeDS', before: false, after: true },
    ],
    [],
  ]);
});

it('refuses one of two people who switch the same service, and keeps what two switch of different ones', async () => {
  const both = await Promise.all([switchOn({ cbm: true }), switchOn({ cbm: true })]);
  expect(both.map(({ code }) => code).sort()).toEqual(['changed_meanwhile', undefined]);
  await Promise.all([switchOn({ payments: true }), switchOn({ order_insights: true })]);
  expectDeclared('merchants/set-services');
  expect(servicesOf({ profile: (await read()) as Record<string, boolean> })).toMatchObject({
    ...{ alerts: true, cbm: true, payments: true, order_insights: true },
  });
});

it('is for operators alone, and knows no other merchant', async () => {
  expect(await switchOn({ cbm: true }, { mid })).toMatchObject({ code: 'scope_missing' });
  const absent = await ask('merchants/set-services', { params: { mid: 999_999 }, body: { cbm: true } });
  expect(absent).toMatchObject({ status: 404, body: { code: 'merchant_not_found' } });
  expect(await switchOn({})).toMatchObject({ code: 'request_invalid' });
});
