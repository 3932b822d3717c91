import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { beforeAll, expect, it } from 'vitest';
import { authOperations } from '../../functions/auth/operations.ts';
import { createUser } from '../../functions/auth/user-store.ts';
import { entryOf, type Operation, sampleOf } from '../../functions/core/operation.ts';
import { createEnrollment, enrollmentOperations } from '../../functions/enrollments/operations.ts';
import { createSite, merchantOperations } from '../../functions/merchants/operations.ts';
import { fillSample } from '../../lib/local/sample-event.ts';
import { call, gatewayEvent } from '../support/gateway-event.ts';
import { ask, useOperations } from '../support/operations.ts';
import { useTable } from '../support/table.ts';
import { newTenant } from './tenant.ts';

useTable();
useOperations();

const operations: readonly Operation[] = [...authOperations, ...merchantOperations, ...enrollmentOperations];
const password = 'correct horse battery';
let names: Readonly<Record<string, string | number>>;

beforeAll(async () => {
  const { mid, rid, sid, as } = await newTenant();
  await createUser({ username: 'shop', password, scope: 'merchant', mid });
  const items = [{ provider: ['provider_a'], descriptor: 'DEMO SHOP', match_type: 'Exact' }];
  const { body } = await ask(createEnrollment, { as, body: { sid, enrollment_items: items } });
  const { enrollment_request_id: enrollment_id } = body as { enrollment_request_id: number };
  const users = { username: 'shop', password, admin_username: 'root' };
  names = { mid, rid, sid, enrollment_id, ...users, unique: 'ABCDEF123456' };
});

const newSite = async (): Promise<number> => {
  const { mid = 0, rid = 0 } = names;
  const { body } = await ask(createSite, { params: { mid, rid }, body: { name: 'A new site' } });
  return (body as { sid: number }).sid;
};

const values = {
  valueOf: async (name: string) => String(name === 'new_sid' ? await newSite() : names[name]),
  sign: async () => '',
};

it.each(operations)('the sample event of $area/$name is answered', async (operation) => {
  const sample = (await fillSample(readFileSync(sampleOf(operation), 'utf8'), values)) as APIGatewayProxyEvent;
  const { handler } = await import(pathToFileURL(entryOf(operation)).href);
  expect(await call(handler, { ...gatewayEvent(), ...sample })).toMatchObject({ status: 200 });
});
