import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { setClock } from '#core/kernel/clock.ts';
import { claimsOverlap, normaliseDescriptor } from '#core/kernel/descriptor.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItem, getItems, putItem, queryItems } from '#core/platform/table/table.ts';
import { claimKeysFor, fromClaimsItem, toClaimsItem } from '#disputes/enrollments/claims/claim-row.ts';
import { findOverlaps } from '#disputes/enrollments/claims/overlap-store.ts';
import { claimsOfItem, type EnrollmentItem, newItems } from '#disputes/enrollments/enrollment.ts';
import { fromEnrollmentItem } from '#disputes/enrollments/enrollment-row.ts';
import { handler as advance } from '#disputes/enrollments/jobs/advance-enrollment/handler.ts';
import { newTenant, setAlert, type Tenant } from '#test/accounts/merchants/tenant.ts';
import { sqsEvent } from '#test/messaging/support.ts';
import { ask, expectDeclared, useOperations } from '#test/support/operations.ts';
import { itemsWritten, whileContended } from './item-writes.ts';

useOperations();

const start = Date.parse('2026-05-02T10:00:00.000Z');
const minute = 60_000;
let time = start;
beforeEach(() => {
  time = start;
  setClock(() => time);
});
afterEach(() => {
  setClock();
  delete process.env['ENROLLMENT_PROVIDER'];
});

type Fields = Record<string, unknown>;
const create = (tenant: Tenant, items: readonly Fields[], headers: Record<string, string> = {}, fields: Fields = {}) =>
  ask('enrollments/create-enrollment', {
    as: tenant.as,
    headers,
    body: { sid: tenant.sid, enrollment_items: items, ...fields },
  });
const readId = (answer: { body: unknown }) => (answer.body as { enrollment_request_id: number }).enrollment_request_id;
const item = (descriptor: string, match_type = 'Exact', provider: string[] = ['provider_a']) => ({
  provider,
  descriptor,
  match_type,
});
const readRequest = async (id: number) => fromEnrollmentItem(await getItem(keys.enrollment(id)));
const readStatuses = async (id: number) => (await readRequest(id))?.items.map(({ status }) => status);
const tick = async (id: number, after: number) => {
  time += after;
  expect(await advance(sqsEvent([{ enrollmentId: id }]))).toEqual({ batchItemFailures: [] });
};
let names = 0;
const fresh = () => {
  names += 1;
  return `TRADER ${String(names).padStart(4, '0')}`;
};

describe('an idempotency key', () => {
  const key = (name: string) => ({ 'idempotency-key': name });

  it('makes the same call answer the same, and do nothing', async () => {
    const tenant = await newTenant();
    const first = await create(tenant, [item('SHOP')], key('a'));
    expect(first.status).toBe(200);
    expect((await create(tenant, [item('SHOP')], key('a'))).body).toEqual(first.body);
    expect(readId(await create(tenant, [item('SHOP')], key('b')))).not.toBe(readId(first));
    expect(readId(await create(tenant, [item('SHOP')]))).not.toBe(readId(first));
  });

  it('is refused with another body', async () => {
    const tenant = await newTenant();
    await create(tenant, [item('SHOP')], key('a'));
    expect(await create(tenant, [item('SHOP 2')], key('a'))).toMatchObject({
      status: 409,
      body: { msg: 'The idempotency key was used with another body' },
    });
  });

  it("is its caller's own", async () => {
    const [one, other] = [await newTenant(), await newTenant()];
    const first = await create(one, [item('SHOP')], key('a'));
    expect(await create(other, [item('SHOP')], key('a'))).toMatchObject({ status: 200 });
    expect(readId(await create(other, [item('SHOP')], key('a')))).not.toBe(readId(first));
  });

  it('leaves one request when the same call is made many times at once', async () => {
    const tenant = await newTenant();
    const answers = await Promise.all(Array.from({ length: 6 }, () => create(tenant, [item('SHOP')], key('a'))));
    const [done, busy] = [200, 409].map((wanted) => answers.filter(({ status }) => status === wanted));
    expect([done?.length, (done?.length ?? 0) + (busy?.length ?? 0)]).toEqual([expect.any(Number), 6]);
    expect(new Set(done?.map(readId)).size).toBe(1);
    for (const { body } of busy ?? []) expect(body).toMatchObject({ code: 'idempotency_key_in_use' });
    expect(await create(tenant, [item('SHOP')], key('a'))).toMatchObject({ status: 200, body: done?.[0]?.body });
  });

  it('is forgotten after a day', async () => {
    const tenant = await newTenant();
    const first = await create(tenant, [item('SHOP')], key('a'));
    time += 24 * 60 * minute + 1000;
    const second = await create(tenant, [item('SHOP 2')], key('a'));
    expect(second.status).toBe(200);
    expect(readId(second)).not.toBe(readId(first));
  });

  it.each(['', 'two words', 'x'.repeat(256)])('%j is refused', async (name) =>
    expect(await create(await newTenant(), [item('SHOP')], key(name))).toMatchObject({
      status: 400,
      body: { details: expect.stringContaining('idempotency-key: ') },
    }),
  );
});

describe('an overlap with what another merchant has enrolled', () => {
  const enrolled = async (tenant: Tenant, fields: Fields) => {
    const id = readId(await create(tenant, [fields]));
    const { match_type: _, provider, ...name } = fields;
    const body = { ...name, provider: [provider].flat()[0], status: 'ENROLLED' };
    expect(await ask('enrollments/set-enrollment-item', { params: { id }, body })).toMatchObject({ status: 200 });
  };

  it('waits for the administrator without a word, whose approval names the owner and has to be meant', async () => {
    const [theirs, mine] = [await newTenant(), await newTenant()];
    const name = fresh();
    await enrolled(theirs, item(`${name} OF BERLIN`));
    const both = ['provider_a', 'provider_b'];
    const answer = await create(mine, [item('NOBODYS'), item(name.toLowerCase(), 'Starts with', both)]);
    expect(answer.body).toMatchObject({
      status: 'ok',
      msg: 'The enrollment request was created',
    });
    const id = readId(answer);
    expect(await readStatuses(id)).toEqual(['PENDING', 'WAITING FOR ACTION', 'PENDING']);
    const approval = { provider: 'provider_a', descriptor: name, status: 'ENROLLED' };
    const approve = (more: object) =>
      ask('enrollments/set-enrollment-item', { params: { id }, body: { ...approval, ...more } });
    expect(await approve({})).toMatchObject({
      status: 409,
      body: { code: 'enrollment_overlap', details: expect.stringContaining(`Merchant ${theirs.mid} `) },
    });
    expect(await approve({ overlap: true })).toMatchObject({ status: 200 });
    expect(await readStatuses(id)).toEqual(['PENDING', 'ENROLLED', 'PENDING']);
  });

  it('that comes up while the sandbox enrolls waits for the administrator too', async () => {
    process.env['ENROLLMENT_PROVIDER'] = 'sandbox';
    const [theirs, mine] = [await newTenant(), await newTenant()];
    const name = fresh();
    const id = readId(await create(mine, [item(name)]));
    await enrolled(theirs, item(name));
    await tick(id, minute);
    await tick(id, 5 * minute);
    expect(await readStatuses(id)).toEqual(['WAITING FOR ACTION']);
  });

  it("is none with one's own, with what is only requested, or at another provider", async () => {
    const [theirs, mine] = [await newTenant(), await newTenant()];
    const name = fresh();
    await create(theirs, [item(name)]);
    await enrolled(mine, item(name));
    await enrolled(theirs, item(name, 'Exact', ['provider_b']));
    const id = readId(await create(mine, [item(`${name} TWO`), item(name, 'Starts with')]));
    expect(await readStatuses(id)).toEqual(['PENDING', 'PENDING']);
  });

  it('with what the site has enrolled itself is refused, word for word', async () => {
    const mine = await newTenant();
    const name = fresh();
    await enrolled(mine, item(name));
    expect(await create(mine, [item(`${name} TWO`), item(name.toLowerCase())])).toMatchObject({
      status: 409,
      body: { code: 'descriptor_enrolled', details: 'enrollment_items.1 (provider_a)' },
    });
  });

  it('is found at rdr by BIN with CAID and by ARN', async () => {
    const [theirs, mine] = [await newTenant(), await newTenant()];
    const caid = `C${theirs.sid}`;
    await enrolled(theirs, { provider: ['rdr'], network_bin: '423223', network_caid: caid });
    const answer = await create(mine, [{ provider: ['rdr'], network_bin: '423223', network_caid: caid.toLowerCase() }]);
    expect(await readStatuses(readId(answer))).toEqual(['WAITING FOR ACTION']);
  });

  it('is found exactly where one descriptor could be claimed by both', async () => {
    const word = fc.stringMatching(/^[AB ]{1,5}$/).filter((text) => normaliseDescriptor(text) !== '');
    const entry = fc.record({ text: word, match_type: fc.constantFrom('Exact' as const, 'Starts with' as const) });
    let run = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(entry, { minLength: 1, maxLength: 4 }), entry, async (theirs, mine) => {
        run += 1;
        // Texts of each run begin alike, and differently from all others'.
        const asItem = ({ text, match_type }: typeof mine): EnrollmentItem | undefined =>
          newItems([{ provider: ['provider_a'], descriptor: `${run}:${text}`, match_type }], '')[0];
        const claims = theirs.flatMap((one) => {
          const made = asItem(one);
          return made ? claimsOfItem(made) : [];
        });
        for (const claim of claims) {
          const claimant = {
            sid: 1,
            mid: 1,
            rid: 1,
            enrollmentId: 1,
            itemNumber: 0,
            descriptor: claim.text,
            matchType: null,
            enrolledAt: '',
          };
          await putItem(toClaimsItem({ ...claim, provider: 'provider_a', claimants: [claimant], version: 1 }));
        }
        const wanted = asItem(mine);
        if (!wanted) throw new Error('no item');
        const expected = claimsOfItem(wanted).some((one) => claims.some((other) => claimsOverlap(one, other)));
        expect((await findOverlaps(2, [wanted])).length).toBe(expected ? 1 : 0);
        expect(await findOverlaps(1, [wanted])).toEqual([]);
      }),
      { numRuns: 40 },
    );
  });
});

describe('the sandbox provider', () => {
  beforeEach(() => {
    process.env['ENROLLMENT_PROVIDER'] = 'sandbox';
  });

  it('takes an item to the provider after a minute and enrolls it five minutes later', async () => {
    const tenant = await newTenant();
    const name = fresh();
    const id = readId(await create(tenant, [item(name)]));
    expect(await readStatuses(id)).toEqual(['PENDING']);
    await tick(id, 50_000);
    expect(await readStatuses(id)).toEqual(['PENDING']);
    await tick(id, 10_000);
    expect(await readStatuses(id)).toEqual(['WAITING FOR PROVIDER']);
    await tick(id, 4 * minute);
    expect(await readStatuses(id)).toEqual(['WAITING FOR PROVIDER']);
    await tick(id, minute);
    expect(await readStatuses(id)).toEqual(['ENROLLED']);
    const found = (await getItems(claimKeysFor('provider_a', name))).flatMap(fromClaimsItem);
    expect(found.map(({ sid }) => sid)).toEqual([tenant.sid]);
    expect((await readRequest(id))?.items[0]?.next).toBeNull();
  });

  it('fails items marked FAIL, and waits for a person for items marked ACTION', async () => {
    const id = readId(
      await create(await newTenant(), [
        item('WILL FAIL'),
        item('NEEDS ACTION'),
        { provider: ['rdr'], network_bin: '423223', network_caid: 'fail' },
      ]),
    );
    for (const after of [minute, 0, 5 * minute, 0]) await tick(id, after);
    expect(await readStatuses(id)).toEqual(['FAILED', 'WAITING FOR ACTION', 'FAILED']);
    await tick(id, 60 * minute);
    expect(await readStatuses(id)).toEqual(['FAILED', 'WAITING FOR ACTION', 'FAILED']);
  });

  it('does a step once, however many messages there are', async () => {
    const tenant = await newTenant();
    await setAlert(tenant, { enrollment_url: 'https://hooks.shop.example/e' });
    const id = readId(await create(tenant, [item(fresh())]));
    time += minute;
    await Promise.all([1, 2, 3, 4].map(() => advance(sqsEvent([{ enrollmentId: id }]))));
    expect(await readStatuses(id)).toEqual(['WAITING FOR PROVIDER']);
    const { items } = await queryItems({
      IndexName: 'list4',
      KeyConditionExpression: 'list4Pk = :list',
      ExpressionAttributeValues: { ':list': `DELIVERY#S${tenant.sid}` },
    });
    expect(items).toHaveLength(1);
  });

  it('keeps an enrollment in the due index until nothing is left to do', async () => {
    const id = readId(await create(await newTenant(), [item(fresh())]));
    const dueOf = async () => (await getItem(keys.enrollment(id)))?.['dueSk'];
    expect(await dueOf()).toBe(`${new Date(start + minute).toISOString()}#ENROLLMENT#${id}`);
    await tick(id, minute);
    await tick(id, 5 * minute);
    expect(await dueOf()).toBeUndefined();
  });

  it('leaves an item alone once an administrator has set it', async () => {
    const name = fresh();
    const id = readId(await create(await newTenant(), [item(name)]));
    await ask('enrollments/set-enrollment-item', {
      params: { id },
      body: { provider: 'provider_a', descriptor: name, status: 'WAITING FOR PROVIDER' },
    });
    await tick(id, 60 * minute);
    expect(await readStatuses(id)).toEqual(['WAITING FOR PROVIDER']);
  });

  it('moves many items on, of several providers', async () => {
    const id = readId(
      await create(
        await newTenant(),
        Array.from({ length: 40 }, () => item(fresh(), 'Exact', ['provider_a', 'provider_b'])),
      ),
    );
    await tick(id, minute);
    await tick(id, 5 * minute);
    expect(new Set(await readStatuses(id))).toEqual(new Set(['ENROLLED']));
  });
});

it('moves nothing on by itself where enrollment is done by hand', async () => {
  const id = readId(await create(await newTenant(), [item(fresh())]));
  await tick(id, 60 * minute);
  expect(await readStatuses(id)).toEqual(['PENDING']);
});

it('tells those on the list of a change by e-mail', async () => {
  const tenant = await newTenant();
  const name = fresh();
  const id = readId(await create(tenant, [item(name)], {}, { email_cc_list: 'a@shop.example,b@shop.example' }));

  const mails = await itemsWritten('MAIL', () =>
    ask('enrollments/set-enrollment-item', {
      params: { id },
      body: { provider: 'provider_a', descriptor: name, status: 'FAILED' },
    }),
  );
  expect(mails).toEqual([
    expect.objectContaining({
      kind: 'enrollment_update',
      to: ['a@shop.example', 'b@shop.example'],
      alertId: null,
      letter: expect.objectContaining({
        subject: `Enrollment request ${id}: FAILED`,
        rows: expect.arrayContaining([['provider_a', `${name}: FAILED`]]),
      }),
    }),
  ]);
});

describe('enrollments/unenroll-item', () => {
  it('ends what an item claims', async () => {
    const tenant = await newTenant();
    const name = fresh();
    const id = readId(await create(tenant, [item(name), item(fresh())]));
    const body = { provider: 'provider_a', descriptor: name };
    await ask('enrollments/set-enrollment-item', { params: { id }, body: { ...body, status: 'ENROLLED' } });
    expect(await ask('enrollments/unenroll-item', { as: tenant.as, params: { id }, body })).toMatchObject({
      status: 200,
      body: { status: 'ok' },
    });
    expect(await readStatuses(id)).toEqual(['UNENROLLED', 'PENDING']);
    expect((await getItems(claimKeysFor('provider_a', name))).flatMap(fromClaimsItem)).toEqual([]);
  });

  it("answers for another merchant's request as for one there is not", async () => {
    const [own, other] = [await newTenant(), await newTenant()];
    const id = readId(await create(other, [item('SHOP')]));
    const body = { provider: 'provider_a', descriptor: 'SHOP' };
    const theirs = await ask('enrollments/unenroll-item', { as: own.as, params: { id }, body });
    expect(theirs.status).toBe(404);
    expect(theirs).toEqual(await ask('enrollments/unenroll-item', { as: own.as, params: { id: 999_999 }, body }));
    expect(await readStatuses(id)).toEqual(['PENDING']);
  });

  it('returns 409 when another writer is always faster', async () => {
    const tenant = await newTenant();
    const id = readId(await create(tenant, [item('SHOP')]));
    const body = { provider: 'provider_a', descriptor: 'SHOP' };
    const answer = await whileContended(id, () =>
      ask('enrollments/unenroll-item', { as: tenant.as, params: { id }, body }),
    );
    expect(answer).toMatchObject({ status: 409 });
    expect(
      await ask('enrollments/unenroll-item', { as: tenant.as, params: { id }, body: { provider: 'provider_a' } }),
    ).toMatchObject({
      status: 400,
    });
  });
});

describe('POST /api/v3/service_alerts/enrollment/status/{id}', () => {
  it('has exactly the keys that each product has', async () => {
    const tenant = await newTenant();
    const id = readId(
      await create(tenant, [
        item('SHOP', 'Starts with', ['provider_b']),
        { provider: ['rdr'], network_bin: '423223', network_caid: '12', mcc: '5732', rdr_ruleset: 'default' },
      ]),
    );
    const at = new Date(start).toISOString();
    expect((await ask('enrollments/enrollment-status', { as: tenant.as, params: { id } })).body).toEqual({
      enrollment_request_id: id,
      request_date: at,
      merchant_name: 'A merchant',
      site_name: 'A site',
      products: 'provider_b,rdr',
      enrollment_request_status: 'PENDING',
      enrollment_request_items: {
        provider_b: [{ descriptor: 'SHOP', status: 'PENDING', last_activity: at, match_type: 'Starts with' }],
        rdr: [
          {
            descriptor: '',
            status: 'PENDING',
            last_activity: at,
            mcc: '5732',
            network_bin: '423223',
            network_caid: '12',
            network_arn: null,
            rdr_ruleset: 'default',
          },
        ],
      },
    });
  });

  it("answers for another merchant's request as for one there is not", async () => {
    const [own, other] = [await newTenant(), await newTenant()];
    const id = readId(await create(other, [item('SHOP')]));
    const theirs = await ask('enrollments/enrollment-status', { as: own.as, params: { id } });
    expect(theirs.status).toBe(404);
    expect(theirs).toEqual(await ask('enrollments/enrollment-status', { as: own.as, params: { id: 999_999 } }));
  });
});

it.each(['enrollments/unenroll-item', 'enrollments/enrollment-status'])('%s declares what it does', expectDeclared);
