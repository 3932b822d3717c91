import { afterAll, describe, expect, it } from 'vitest';
import type { As } from '#test/support/operations.ts';
import { ask, expectDeclared, useOperations } from '#test/support/operations.ts';
import { settings } from './samples.ts';
import { alertAt, deliveriesAt, formFields, makeRcode, noticesAt, seedClaims, seedSite, take } from './seed.ts';

useOperations();

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
  ask('alerts/create-test-alert', { as, body: { ...body, ...change } });

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
      const { delivery, mail } = await noticesAt(alert_id);
      expect(formFields(delivery?.body)).toMatchObject({
        provider: 'service_dummy',
        alert_type: 'DISPUTE',
        sid: String(site.sid),
      });
      expect(mail).toMatchObject({ state: 'PENDING' });
      const update = { alert_id, status: 'RESOLVED', reason_code: '103.001' };
      const headers = { rcode: makeRcode(site.sid) };
      expect(await ask('alerts/update-alert', { as: 'nobody', body: update, headers })).toMatchObject({ status: 200 });
    },
  );

  it.each(['FRAUD', 'CANCEL', 'FRAUD_NOTICE', 'DISPUTE_NOTICE'])('may be a %s', async (alert_type) => {
    const { descriptor, as } = await enrolledSite();
    expect(await test(as, { descriptor, alert_type })).toMatchObject({ status: 200 });
  });

  it('may say no more than what it is about', async () => {
    const { descriptor, as } = await enrolledSite();
    const { alert_type, currency, amount } = body;
    const answer = await ask('alerts/create-test-alert', { as, body: { alert_type, currency, amount, descriptor } });
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
    expect((await noticesAt(alert_id)).delivery).toMatchObject({ state: 'PENDING', sid: site.sid });
    expect(await test('admin', { sid: site.sid })).toMatchObject({ status: 200, body: { sid: site.sid } });
  });

  it('goes to no site of another merchant, and to none that does not exist', async () => {
    const [site, other] = [await seedSite(), await enrolledSite()];
    const theirs = await test(other.as, { sid: site.sid, descriptor: other.descriptor });
    expect(theirs).toMatchObject({ status: 404, body: { code: 'site_not_found' } });
    expect(await test(other.as, { sid: 99_999_999, descriptor: other.descriptor })).toEqual(theirs);
  });

  it.each([
    ['e-mail', { alert_email: ['ops@merchant.example'], alert_triggeremail: true }, 'PENDING'],
    ['the dashboard', { alert_email: [], alert_triggeremail: false }, undefined],
  ])('reaches a site that has no URL, by %s', async (_, change, state) => {
    const { site, descriptor, as } = await enrolledSite({ alert: settings({ alertapiurl: null, ...change }) });
    const answer = await test(as, { descriptor });
    expect(answer).toMatchObject({ status: 200, body: { sid: site.sid } });
    const { alert_id } = answer.body as { alert_id: number };
    expect((await noticesAt(alert_id)).mail?.state).toBe(state);
    expect(await alertAt(alert_id)).toMatchObject({ status: 'OPEN', owner: { sid: site.sid } });
  });

  describe('of RDR', () => {
    const decide = async (change: Record<string, unknown> = {}) => {
      const { site, descriptor, as } = await enrolledSite();
      const answer = await test(as, { descriptor, alert_type: 'DISPUTE_RDR', ...change });
      expect(answer).toMatchObject({ status: 200 });
      const { alert_id } = answer.body as { alert_id: number };
      const withdraw = (more: Record<string, unknown> = {}, by: As = as) =>
        test(by, { descriptor, alert_type: 'DISPUTE_RDR', ...change, alert_id, ...more });
      return {
        site,
        descriptor,
        as,
        alert_id,
        withdraw,
        sent: formFields((await noticesAt(alert_id)).delivery?.body),
      };
    };

    it('is accepted by the network, with all fields of RDR', async () => {
      const { alert_id, sent } = await decide();
      expect(await alertAt(alert_id)).toMatchObject({ status: 'RESOLVED', deadlineAt: null });
      expect(sent).toMatchObject({
        ...{ provider: 'service_dummy', alert_type: 'DISPUTE_RDR', alert_action: 'RESOLVED', rdr_reason_code: '' },
        ...{ bin: expect.stringMatching(/^\d{6}$/), caid: expect.stringMatching(/./), dispute_amount: '12.50' },
      });
    });

    it.each([
      [{ decision: 'DECLINED' }, /./, '423223'],
      [{ rdr_reason_code: 'D4', bin: '411112' }, /^D4$/, '411112'],
      [{ decision: 'DECLINED', rdr_reason_code: 'D7', caid: 'SHOP-7' }, /^D7$/, '423223'],
    ])('is declined with %j', async (change, reason, bin) => {
      const { alert_id, sent } = await decide(change);
      expect(await alertAt(alert_id)).toMatchObject({ status: 'DECLINED' });
      expect(sent).toMatchObject({ alert_action: 'DECLINED', rdr_reason_code: expect.stringMatching(reason), bin });
    });

    it('is withdrawn later, once', async () => {
      const { alert_id, withdraw } = await decide();
      expect(await withdraw()).toMatchObject({ status: 200, body: { alert_id } });
      expect(await alertAt(alert_id)).toMatchObject({ status: 'RDR_DELETE', withdrawnAt: expect.any(String) });
      const { version } = await alertAt(alert_id);
      expect(await withdraw()).toMatchObject({ status: 200, body: { alert_id } });
      expect(await alertAt(alert_id)).toMatchObject({ version });
      const updates = (await deliveriesAt(alert_id)).filter(({ kind }) => kind === 'status_update');
      expect(updates.map(({ body: sent }) => formFields(sent)['status'])).toEqual(['RDR_DELETE']);
    });

    it('withdraws only a test alert of RDR, and of the same merchant', async () => {
      const { as, descriptor, withdraw } = await decide();
      const other = await enrolledSite();
      expect(await withdraw({}, other.as)).toMatchObject({ status: 404, body: { code: 'alert_not_found' } });
      const { body: made } = await test(as, { descriptor });
      const { alert_id } = await take('provider_a', { alertId: `for ${descriptor}`, merchantDescriptor: descriptor });
      for (const id of [(made as { alert_id: number }).alert_id, alert_id]) {
        expect(await withdraw({ alert_id: id })).toMatchObject({
          status: 400,
          body: { details: 'alert_id: must be a test alert of type DISPUTE_RDR' },
        });
      }
    });
  });

  it('says which step of onboarding is missing', async () => {
    const noSettings = await enrolledSite({ type: null, alert: null });
    expect(await test(noSettings.as, noSettings)).toMatchObject({
      status: 409,
      body: { details: expect.stringContaining('has no alert settings') },
    });
  });

  it.each([
    [{ alert_type: 'RDR' }, 'alert_type: must be one of DISPUTE, '],
    [{ alert_type: 'DISPUTE_RDR', decision: 'MAYBE' }, 'decision: must be ACCEPTED or DECLINED'],
    [{ decision: 'DECLINED' }, 'decision: only DISPUTE_RDR has it'],
    [{ alert_type: 'DISPUTE_RDR', bin: '42' }, 'bin: must be 6 to 11 digits'],
    [{ alert_type: 'DISPUTE_RDR', decision: 'ACCEPTED', rdr_reason_code: 'D4' }, 'rdr_reason_code: only a declined'],
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
