import { describe, expect, it } from 'vitest';
import { keys } from '#core/platform/table/keys.ts';
import { getItem, getItems, updateItem } from '#core/platform/table/table.ts';
import { claimKeysFor, fromClaimsItem, networkClaimKeys } from '#disputes/enrollments/claims/claim-row.ts';
import { fromEnrollmentItem } from '#disputes/enrollments/enrollment-row.ts';
import { newTenant, setAlert, type Tenant } from '#test/accounts/merchants/tenant.ts';
import { ask, beforeTransactions, expectDeclared, useOperations } from '#test/support/operations.ts';

useOperations();

type Fields = Record<string, unknown>;
const create = (tenant: Tenant, items: readonly Fields[], fields: Fields = {}) =>
  ask('enrollments/create-enrollment', {
    as: tenant.as,
    body: { sid: tenant.sid, enrollment_items: items, ...fields },
  });
const created = async (tenant: Tenant, items: readonly Fields[]): Promise<number> => {
  const { status, body } = await create(tenant, items);
  expect(status).toBe(200);
  return (body as { enrollment_request_id: number }).enrollment_request_id;
};
const set = (id: number, body: Fields) => ask('enrollments/set-enrollment-item', { params: { id }, body });
const readRequest = async (id: number) => fromEnrollmentItem(await getItem(keys.enrollment(id)));
const readClaimants = async (provider: string, descriptor: string) =>
  (await getItems(claimKeysFor(provider, descriptor))).flatMap(fromClaimsItem);

const item = (descriptor: string, match_type = 'Exact', provider: string[] = ['provider_a']) => ({
  provider,
  descriptor,
  match_type,
});
let names = 0;
/** A descriptor that no other test uses. */
const fresh = () => {
  names += 1;
  return `SHOP ${names}*`;
};

describe('POST …/descriptor_enrollment/create', () => {
  it('keeps the request with every item PENDING, and claims nothing yet', async () => {
    const tenant = await newTenant();
    const name = fresh();
    const answer = await create(tenant, [item(name, 'Starts with', ['provider_a', 'provider_b'])], {
      email_cc_list: 'a@shop.example, b@shop.example',
      unknown: 1,
    });
    expect(answer).toMatchObject({
      status: 200,
      body: { status: 'ok', msg: expect.any(String), enrollment_request_id: expect.any(Number) },
    });
    const { enrollment_request_id: id } = answer.body as { enrollment_request_id: number };
    expect(await readRequest(id)).toMatchObject({
      sid: tenant.sid,
      mid: tenant.mid,
      emailCcList: ['a@shop.example', 'b@shop.example'],
      items: [
        { provider: 'provider_a', descriptor: name, matchType: 'Starts with', status: 'PENDING' },
        { provider: 'provider_b', descriptor: name, matchType: 'Starts with', status: 'PENDING' },
      ],
    });
    expect(await readClaimants('provider_a', name)).toEqual([]);
  });

  it('takes an alert site and one without a type, and no other', async () => {
    const [alert, payment] = [await newTenant(), await newTenant()];
    await setAlert(alert, {});
    expect(await create(alert, [item('SHOP')])).toMatchObject({ status: 200 });
    const { mid, rid, sid } = payment;
    await ask('merchants/set-payment-settings', { params: { mid, rid, sid }, body: {} });
    expect(await create(payment, [item('SHOP')])).toMatchObject({
      status: 409,
      body: { msg: 'The site is not an alert site' },
    });
  });

  it("answers for another merchant's site as for one there is not", async () => {
    const [own, other] = [await newTenant(), await newTenant()];
    const theirs = await create({ ...own, sid: other.sid }, [item('SHOP')]);
    expect(theirs).toMatchObject({ status: 404, body: { msg: 'No such site' } });
    expect(theirs).toEqual(await create({ ...own, sid: 999_999 }, [item('SHOP')]));
  });

  it.each([
    [[], 'enrollment_items: must have at least one item'],
    ['SHOP', 'enrollment_items: must be a list'],
    [['SHOP'], 'enrollment_items.0: must be an object'],
    [[item('')], 'enrollment_items.0.descriptor: must not be empty'],
    [[item('x'.repeat(65))], 'enrollment_items.0.descriptor: must have at most 64 characters'],
    [[item('SHOP'), item('SHOP 2', 'Contains')], 'enrollment_items.1.match_type: must be one of Starts with, Exact'],
    [[item('SHOP', 'Exact', ['other'])], 'enrollment_items.0.provider'],
    [[item('SHOP', 'Exact', [])], 'enrollment_items.0.provider: must name at least one provider'],
    [
      [{ provider: ['rdr'], network_bin: '42322', network_caid: '1' }],
      'enrollment_items.0.network_bin: must be 6 to 8',
    ],
    [[{ provider: ['rdr'], network_arn: '123' }], 'enrollment_items.0.network_arn: must be 23 digits'],
    [[item('SHOP'), { provider: ['rdr'], descriptor: 'SHOP' }], 'enrollment_items.1.network_bin: is required for rdr'],
    [[{ provider: ['provider_b'], descriptor: 'SHOP' }], 'enrollment_items.0.match_type: is required'],
  ])('refuses the items %j', async (enrollment_items, details) => {
    const { sid, as } = await newTenant();
    const answer = await ask('enrollments/create-enrollment', { as, body: { sid, enrollment_items } });
    expect(answer).toMatchObject({ status: 400, body: { details: expect.stringContaining(details) } });
  });

  it('names each wrong item, whatever is wrong with it', async () => {
    const { sid, as } = await newTenant();
    const items = [{ provider: ['provider_a'], descriptor: 'SHOP' }, { provider: ['rdr'], network_arn: '1' }, 5, {}];
    const answer = await ask('enrollments/create-enrollment', { as, body: { sid, enrollment_items: items } });
    expect(answer).toMatchObject({
      status: 400,
      body: {
        details: expect.stringMatching(
          new RegExp(
            '^enrollment_items\\.0\\.match_type: is required for .*provider_a and provider_b; ' +
              'enrollment_items\\.1\\.network_arn: must be 23 digits; enrollment_items\\.2: must be an object; ' +
              'enrollment_items\\.3\\.provider: is required$',
          ),
        ),
      },
    });
  });

  it('refuses what the site has enrolled already', async () => {
    const tenant = await newTenant();
    const name = fresh();
    await set(await created(tenant, [item(name)]), { provider: 'provider_a', descriptor: name, status: 'ENROLLED' });
    expect(await create(tenant, [item(name)])).toMatchObject({ status: 409, body: { code: 'descriptor_enrolled' } });
  });

  it('refuses more than a hundred items, counted once for each provider, and prefixes that take too much', async () => {
    const many = Array.from({ length: 51 }, (_, n) => item(`MANY ${n}`, 'Exact', ['provider_a', 'provider_b']));
    expect(await create(await newTenant(), many)).toMatchObject({ status: 400 });
    expect(await create(await newTenant(), [item('TEA', 'Starts with')])).toMatchObject({
      status: 400,
      body: { details: expect.stringContaining('at least 4 characters') },
    });
  });

  it('refuses an idempotency key that was used with another body', async () => {
    const tenant = await newTenant();
    const send = (descriptor: string) =>
      ask('enrollments/create-enrollment', {
        as: tenant.as,
        headers: { 'idempotency-key': 'k' },
        body: { sid: tenant.sid, enrollment_items: [item(descriptor, 'Starts with')] },
      });
    expect([(await send('SHOP')).status, (await send('SHOP')).status, (await send('OTHER')).status]).toEqual([
      200, 200, 409,
    ]);
  });

  it('refuses a wrong address', async () => {
    const answer = await create(await newTenant(), [item('SHOP')], { email_cc_list: 'a@shop.example;b@shop.example' });
    expect(answer).toMatchObject({ status: 400, body: { details: expect.stringContaining('email_cc_list: ') } });
  });
});

describe('POST …/descriptor_enrollment/{id}/item', () => {
  it('makes an enrolled item claim its descriptor, and one no longer enrolled claim nothing', async () => {
    const tenant = await newTenant();
    const name = fresh();
    const id = await created(tenant, [item(name), item(name.toLowerCase(), 'Starts with')]);
    expect(await set(id, { provider: 'provider_a', descriptor: ` ${name} `, status: 'ENROLLED' })).toMatchObject({
      status: 200,
      body: { status: 'ok' },
    });
    const { sid, mid, rid } = tenant;
    const found = await readClaimants('provider_a', `${name}HOSTING`);
    expect(found).toEqual([
      {
        sid,
        mid,
        rid,
        enrollmentId: id,
        itemNumber: 1,
        descriptor: name.toLowerCase(),
        matchType: 'Starts with',
        enrolledAt: expect.stringMatching(/Z$/),
        rule: 'PREFIX',
        length: name.length,
      },
    ]);
    expect((await readClaimants('provider_a', name)).map(({ rule }) => rule).sort()).toEqual(['EXACT', 'PREFIX']);
    expect(await readClaimants('provider_b', name)).toEqual([]);
    await set(id, { provider: 'provider_a', descriptor: name, status: 'UNENROLLED' });
    expect(await readClaimants('provider_a', name)).toEqual([]);
    expect((await readRequest(id))?.items.map(({ status }) => status)).toEqual(['UNENROLLED', 'UNENROLLED']);
  });

  it('finds an rdr item by what the network knows it by, and claims all of that', async () => {
    const tenant = await newTenant();
    const arn = `${tenant.sid}`.padStart(23, '0');
    const id = await created(tenant, [
      { provider: ['rdr'], network_bin: '423223', network_caid: `c${tenant.sid}`, descriptor: 'ONLY RDR' },
      { provider: 'rdr', network_arn: arn },
    ]);
    await set(id, { provider: 'rdr', network_bin: '423223', network_caid: `c${tenant.sid}`, status: 'ENROLLED' });
    await set(id, { provider: 'rdr', network_arn: arn, status: 'ENROLLED' });
    const find = async (traits: Parameters<typeof networkClaimKeys>[1]) =>
      (await getItems(networkClaimKeys('rdr', traits)))
        .flatMap(fromClaimsItem)
        .map(({ rule, itemNumber }) => [rule, itemNumber]);
    expect(await find({ bin: '423223', caid: `C${tenant.sid}`, descriptor: 'only  rdr' })).toEqual([
      ['BIN_CAID', 0],
      ['EXACT', 0],
    ]);
    expect(await find({ arn })).toEqual([['ARN', 1]]);
  });

  it('refuses what overlaps with another merchant’s, unless that is meant', async () => {
    const name = fresh();
    const approval = { provider: 'provider_a', descriptor: name, status: 'ENROLLED' };
    const [theirs, mine] = [await newTenant(), await newTenant()];
    const ids = [await created(theirs, [item(name)]), await created(mine, [item(name)])];
    expect(await set(ids[0] ?? 0, approval)).toMatchObject({ status: 200 });
    expect(await set(ids[1] ?? 0, approval)).toMatchObject({ status: 409, body: { code: 'enrollment_overlap' } });
    expect(await set(ids[1] ?? 0, { ...approval, overlap: true })).toMatchObject({ status: 200 });
  });

  it('keeps every claimant when several are enrolled at once', async () => {
    const name = fresh();
    const tenants = await Promise.all([1, 2, 3, 4].map(() => newTenant()));
    const ids = await Promise.all(tenants.map((tenant) => created(tenant, [item(name)])));
    const enroll = (id: number) =>
      set(id, { provider: 'provider_a', descriptor: name, status: 'ENROLLED', overlap: true });
    const answers = await Promise.all(ids.map(enroll));
    // A caller who lost the race five times over gets a conflict, and may ask again.
    for (const [index, { status }] of answers.entries()) if (status === 409) await enroll(ids[index] ?? 0);
    const found = await readClaimants('provider_a', name);
    expect(found.map(({ sid }) => sid).sort()).toEqual(tenants.map(({ sid }) => sid).sort());
  });

  it('enrolls more items than one transaction holds', async () => {
    const tenant = await newTenant();
    const name = fresh();
    const id = await created(
      tenant,
      Array.from({ length: 70 }, (_, index) => ({
        provider: ['rdr'],
        descriptor: `${name} ${index}`,
        network_bin: '423223',
        network_caid: `m${tenant.sid}`,
      })),
    );
    const traits = { bin: '423223', caid: `m${tenant.sid}` };
    const body = { provider: 'rdr', network_bin: traits.bin, network_caid: traits.caid };
    expect(await set(id, { ...body, status: 'ENROLLED' })).toMatchObject({ status: 200 });
    expect((await readRequest(id))?.items.every(({ status }) => status === 'ENROLLED')).toBe(true);
    expect((await getItems(networkClaimKeys('rdr', traits))).flatMap(fromClaimsItem)).toHaveLength(70);
  });

  it('does nothing when the item has the status already', async () => {
    const id = await created(await newTenant(), [item(fresh())]);
    const before = await readRequest(id);
    const descriptor = before?.items[0]?.descriptor;
    expect(await set(id, { provider: 'provider_a', descriptor, status: 'PENDING' })).toMatchObject({ status: 200 });
    expect(await readRequest(id)).toEqual(before);
  });

  it('notifies a site that has an endpoint for it, in the same transaction', async () => {
    const tenant = await newTenant();
    await setAlert(tenant, { enrollment_url: 'https://hooks.shop.example/enrollments' });
    const name = fresh();
    const id = await created(tenant, [item(name, 'Exact', ['provider_a', 'provider_b'])]);
    const written: Fields[] = [];
    beforeTransactions(async (command) => {
      for (const { Put } of command.TransactItems ?? [])
        if (Put?.Item?.['entity'] === 'DELIVERY') written.push(Put.Item);
    });
    await set(id, { provider: 'provider_a', descriptor: name, status: 'ENROLLED' });
    beforeTransactions();
    expect(written).toHaveLength(1);
    const delivery = await getItem(keys.delivery(String(written[0]?.['id'])));
    const { sid, mid, rid } = tenant;
    expect(delivery).toMatchObject({ kind: 'enrollment_update', state: 'PENDING', sid, mid, rid, alertId: null });
    expect(JSON.parse(String(delivery?.['body']))).toEqual({
      action: 'enrollment_request_status_update',
      request_id: id,
      request_date: expect.stringMatching(/Z$/),
      merchant_name: 'A merchant',
      site_name: 'A site',
      products: 'provider_a,provider_b',
      enrollment_request_status: 'PARTIALLY ENROLLED',
      enrollment_request_items: {
        provider_a: [
          { descriptor: name, status: 'ENROLLED', last_activity: expect.stringMatching(/Z$/), match_type: 'Exact' },
        ],
        provider_b: [
          { descriptor: name, status: 'PENDING', last_activity: expect.stringMatching(/Z$/), match_type: 'Exact' },
        ],
      },
      updated_at: expect.stringMatching(/Z$/),
    });
  });

  it('is for an administrator', async () => {
    const tenant = await newTenant();
    const id = await created(tenant, [item(fresh())]);
    const body = { provider: 'provider_a', descriptor: 'x', status: 'ENROLLED' };
    expect(await ask('enrollments/set-enrollment-item', { as: tenant.as, params: { id }, body })).toMatchObject({
      status: 403,
    });
  });

  it('finds no request or item there is not', async () => {
    const id = await created(await newTenant(), [item(fresh())]);
    const nothing = { status: 404, body: { msg: 'No such enrollment request or item' } };
    const body = { provider: 'provider_a', descriptor: 'NOBODY', status: 'ENROLLED' };
    expect(await set(id, body)).toMatchObject(nothing);
    expect(await set(999_999, body)).toMatchObject(nothing);
  });

  it.each([
    [{ provider: 'provider_a', status: 'ENROLLED' }, 'descriptor: is required'],
    [{ provider: 'rdr', network_bin: '423223', status: 'ENROLLED' }, 'descriptor: is required, or network_bin with'],
    [{ provider: 'provider_a', descriptor: 'x', status: 'PARTIALLY ENROLLED' }, 'status: must be one of PENDING'],
  ])('refuses %j', async (body, details) =>
    expect(await set(1, body)).toMatchObject({ status: 400, body: { details: expect.stringContaining(details) } }),
  );

  it('returns 409 when another writer is always faster', async () => {
    const name = fresh();
    const id = await created(await newTenant(), [item(name)]);
    beforeTransactions(() =>
      updateItem({
        Key: keys.enrollment(id),
        UpdateExpression: 'ADD #enrollment.#version :one',
        ExpressionAttributeNames: { '#enrollment': 'enrollment', '#version': 'version' },
        ExpressionAttributeValues: { ':one': 1 },
      }),
    );
    const answer = await set(id, { provider: 'provider_a', descriptor: name, status: 'ENROLLED' });
    beforeTransactions();
    expect(answer).toMatchObject({ status: 409 });
    expect(await readClaimants('provider_a', name)).toEqual([]);
  });
});

it.each(['enrollments/create-enrollment', 'enrollments/set-enrollment-item'])(
  '%s declares what it does',
  expectDeclared,
);
