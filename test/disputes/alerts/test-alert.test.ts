import { afterAll, describe, expect, it } from 'vitest';
import { createTestAlertOperation } from '#disputes/alerts/api/create-test-alert/operation.ts';
import { updateAlertOperation } from '#disputes/alerts/api/update-alert/operation.ts';
import type { As } from '#test/support/operations.ts';
import { ask, expectDeclared, useOperations } from '#test/support/operations.ts';
import { useTable } from '#test/support/table.ts';
import { settings } from './samples.ts';
import { alertAt, fieldsOf, notificationsOf, rcodeOf, seedClaims, seedSite, take, useProviders } from './seed.ts';

useTable();
useOperations();
useProviders();

const body = {
  auth_code: '123456',
  arn: '24692161070000622606414',
  alert_type: 'DISPUTE',
  currency: 'USD',
  amount: '12.5',
  descriptor: 'X',
  transaction_timestamp: '2026-04-30T08:15:00Z',
  card: '411111******1111',
  issuername: 'First Bank',
  dispute_condition_code: 10.4,
};
const test = (as: As, change: Record<string, unknown> = {}) =>
  ask(createTestAlertOperation, { as, body: { ...body, ...change } });

const enrolledSite = async (change: Parameters<typeof seedSite>[0] = {}, provider = 'provider_a') => {
  const site = await seedSite(change);
  const descriptor = `TEST ${site.sid}`;
  await seedClaims(provider, 'EXACT', descriptor, site);
  return { site, descriptor, as: { mid: site.mid } };
};

describe('a test alert', () => {
  it.each(['provider_a', 'provider_b', 'rdr'])(
    'runs the workflow of the site that enrolled at %s',
    async (provider) => {
      const { site, descriptor, as } = await enrolledSite({}, provider);
      const answer = await test(as, { descriptor });
      expect(answer).toMatchObject({ status: 200, body: { status: 'ok', sid: site.sid, is_duplicate: false } });
      const { alert_id } = answer.body as { alert_id: number };
      expect(await alertAt(alert_id)).toMatchObject({
        status: 'OPEN',
        providerAlert: {
          test: true,
          provider: 'service_dummy',
          amount: '12.50',
          card: '411111xxxxxx1111',
          conditionCode: '10.4',
        },
      });
      const { delivery, mail } = await notificationsOf(alert_id);
      expect(fieldsOf(delivery?.body)).toMatchObject({
        provider: 'service_dummy',
        alert_type: 'DISPUTE',
        sid: String(site.sid),
      });
      expect(mail).toMatchObject({ state: 'PENDING' });
      const update = { alert_id, status: 'RESOLVED', reason_code: '103.001' };
      const headers = { rcode: rcodeOf(site.sid) };
      expect(await ask(updateAlertOperation, { as: 'nobody', body: update, headers })).toMatchObject({ status: 200 });
    },
  );

  it.each(['FRAUD', 'CANCEL', 'FRAUD_NOTICE', 'DISPUTE_NOTICE'])('may be a %s', async (alert_type) => {
    const { descriptor, as } = await enrolledSite();
    expect(await test(as, { descriptor, alert_type })).toMatchObject({ status: 200 });
  });

  it('may say no more than what it is about', async () => {
    const { descriptor, as } = await enrolledSite();
    const { alert_type, currency, amount } = body;
    const answer = await ask(createTestAlertOperation, { as, body: { alert_type, currency, amount, descriptor } });
    expect(answer).toMatchObject({ status: 200 });
  });

  it('is a duplicate of another test, and makes no real alert one', async () => {
    const { descriptor, as } = await enrolledSite();
    await test(as, { descriptor });
    expect(await test(as, { descriptor })).toMatchObject({ body: { is_duplicate: true } });
    const real = await take('provider_a', { alertId: `real ${descriptor}`, merchantDescriptor: descriptor });
    expect(real).toMatchObject({ matched: true, is_duplicate: false });
  });

  it("stays among the caller's sites; an administrator's go to any", async () => {
    const [{ descriptor }, other] = [await enrolledSite(), await enrolledSite()];
    const answer = await test(other.as, { descriptor });
    expect(answer).toMatchObject({ status: 409, body: { details: expect.stringContaining('no enrolled descriptor') } });
    expect(await test('admin', { descriptor })).toMatchObject({ status: 200 });
    const [one, two] = [await seedSite(), await seedSite()];
    await seedClaims('provider_b', 'PREFIX', 'SHARED', one, two);
    expect(await test({ mid: one.mid }, { descriptor: 'SHARED 1' })).toMatchObject({ body: { sid: one.sid } });
    expect(await test('admin', { descriptor: 'SHARED 1' })).toMatchObject({
      status: 409,
      body: { details: expect.stringContaining('several merchants') },
    });
  });

  it('goes to the site that is named, before any descriptor of it is enrolled', async () => {
    const site = await seedSite();
    const answer = await test({ mid: site.mid }, { sid: site.sid });
    expect(answer).toMatchObject({ status: 200, body: { sid: site.sid } });
    const { alert_id } = answer.body as { alert_id: number };
    expect(await alertAt(alert_id)).toMatchObject({ owner: { sid: site.sid, matchedDescriptor: '' } });
    expect((await notificationsOf(alert_id)).delivery).toMatchObject({ state: 'PENDING', sid: site.sid });
    expect(await test('admin', { sid: site.sid })).toMatchObject({ status: 200, body: { sid: site.sid } });
  });

  it('goes to no site of another merchant, and to none that does not exist', async () => {
    const [site, other] = [await seedSite(), await enrolledSite()];
    const theirs = await test(other.as, { sid: site.sid, descriptor: other.descriptor });
    expect(theirs).toMatchObject({ status: 404, body: { code: 'site_not_found' } });
    expect(await test(other.as, { sid: 99_999_999, descriptor: other.descriptor })).toEqual(theirs);
  });

  it('says which step of onboarding is missing', async () => {
    const noUrl = await enrolledSite({ alert: settings({ alertapiurl: null }) });
    const noSettings = await enrolledSite({ type: null, alert: null });
    expect(await test(noUrl.as, noUrl)).toMatchObject({
      status: 409,
      body: { msg: 'Onboarding is not complete', details: expect.stringContaining('has no alertapiurl') },
    });
    expect(await test(noSettings.as, noSettings)).toMatchObject({
      status: 409,
      body: { details: expect.stringContaining('has no alert settings') },
    });
  });

  it.each([
    [{ alert_type: 'DISPUTE_RDR' }, 'alert_type: must be one of DISPUTE, '],
    [{ amount: '12.505' }, 'amount: has more decimals'],
    [{ currency: 'XX' }, 'currency: '],
    [{ arn: '1' }, 'arn: must be 23 digits'],
    [{ card: '4111' }, 'card: must show at least'],
    [{ descriptor: '' }, 'descriptor: must not be empty'],
  ])('is refused with %j, and the field named', async (change, words) =>
    expect(await test('admin', change)).toMatchObject({
      status: 400,
      body: { details: expect.stringContaining(words) },
    }),
  );
});

afterAll(() => expectDeclared('alerts/create-test-alert'));
