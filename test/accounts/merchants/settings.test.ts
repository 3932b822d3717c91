import { beforeAll, describe, expect, it } from 'vitest';
import { fromRcodeItem } from '#accounts/merchants/site/site-row.ts';
import { getSite, openSecrets } from '#accounts/merchants/site/site-store.ts';
import { sha256 } from '#core/kernel/crypto.ts';
import { saveMailAddress } from '#core/platform/mail/mail-address-store.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItem, updateItem } from '#core/platform/table/table.ts';
import { ask, beforeTransactions, expectDeclared, useOperations } from '#test/support/operations.ts';
import { newTenant, readSettings, setAlert, type Tenant } from './tenant.ts';

useOperations();

const at = '2026-05-02T10:00:00.000Z';
const noChats = { slack_webhook_host: null, teams_webhook_host: null };
const setPayment = ({ mid, rid, sid, as }: Tenant, body: object) =>
  ask('merchants/set-payment-settings', { as, params: { mid, rid, sid }, body });
const setThreeDs = ({ mid, rid, sid, as }: Tenant, body: object) =>
  ask('merchants/set-three-ds-settings', { as, params: { mid, rid, sid }, body });
const statusUpdatesOf = async ({ rcode }: Tenant) =>
  fromRcodeItem(await getItem(keys.rcode(sha256(rcode))), at)?.statusUpdates;

it.each([
  ['alerts', (tenant: Tenant) => setAlert(tenant, { alert_email: 'good@shop.example, Bad@shop.example' })],
  ['declined RDR alerts', (tenant: Tenant) => setAlert(tenant, { shieldrdr_review_email: 'bad@shop.example' })],
  ['payments', (tenant: Tenant) => setPayment(tenant, { notify_email: 'bad@shop.example' })],
  ['chargebacks', (tenant: Tenant) => setPayment(tenant, { cbreportemail: 'bad@shop.example,good@shop.example' })],
] as const)('a site shows to which of its addresses e-mails about %s do not arrive', async (_, set) => {
  const tenant = await newTenant();
  await saveMailAddress('bad@shop.example', { checkedAt: at, fault: { reason: 'refused', at } });
  await set(tenant);
  const { body } = await ask('merchants/site-details', { params: { sid: tenant.sid } });
  expect(body).toMatchObject({ mail_faults: [{ email: 'bad@shop.example', reason: 'refused', at }] });
});

describe('the type of a site', () => {
  it.each([
    ['payment', setPayment],
    ['3ds', setThreeDs],
    ['alert', setAlert],
  ] as const)('%s is fixed by the first settings and refuses the others', async (type, set) => {
    const tenant = await newTenant();
    expect(await set(tenant, {})).toMatchObject({ status: 200, body: { status: 'ok', sid: tenant.sid, type } });
    expect(await ask('merchants/site-details', { params: { sid: tenant.sid } })).toMatchObject({ body: { type } });
    for (const other of [setPayment, setThreeDs, setAlert].filter((one) => one !== set)) {
      const words = { msg: 'The type of a site is permanent', details: expect.stringContaining(type) };
      expect(await other(tenant, {})).toMatchObject({ status: 409, body: words });
    }
    expect(await set(tenant, {})).toMatchObject({ status: 200 });
  });

  it('is one when two operations race for it', async () => {
    for (let round = 0; round < 5; round += 1) {
      const tenant = await newTenant();
      const answers = await Promise.all([setPayment(tenant, {}), setAlert(tenant, {}), setThreeDs(tenant, {})]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
      const site = await getSite(tenant.sid);
      expect([site?.payment, site?.threeDs, site?.alert].filter((settings) => settings !== null)).toHaveLength(1);
    }
  });

  it('needs the three numbers to belong together', async () => {
    const [one, other] = [await newTenant(), await newTenant()];
    for (const path of [
      { ...one, sid: other.sid },
      { ...one, rid: other.rid },
      { ...one, mid: other.mid },
    ]) {
      for (const set of [setPayment, setThreeDs, setAlert]) {
        expect(await set({ ...path, as: 'admin' }, {})).toMatchObject({ status: 404, body: { msg: 'No such site' } });
      }
    }
  });

  it("is not another merchant's to set", async () => {
    const [one, other] = [await newTenant(), await newTenant()];
    for (const set of [setPayment, setThreeDs, setAlert]) {
      const theirs = await set({ ...other, as: one.as }, {});
      expect(theirs).toEqual(await set({ ...other, sid: 999_999, as: one.as }, {}));
      expect(theirs.status).toBe(404);
    }
    expect((await getSite(other.sid))?.type).toBeNull();
  });
});

describe('alert settings', () => {
  const body = {
    alertapiurl: 'https://hooks.shop.example/alerts',
    descriptorid: 'D-1',
    username: 'shop',
    default_dispute_action: 'REVIEW',
    max_refund_amount: 120.5,
    max_daily_refunds: 5,
    alert_triggeremail: 1,
    alert_email: 'a@shop.example,b@shop.example',
    shieldrdr_review_email: 'c@shop.example',
    statusupdate_url: 'https://hooks.shop.example:8443/status',
    status_update_statuses: 'all',
    enrollment_url: 'https://hooks.shop.example/enrollments',
    deadline_warning: true,
    deadline_hours: { FRAUD: 12, DISPUTE: 48, CANCEL: 72 },
  };

  it('are shown as they were set, but for the token', async () => {
    const tenant = await newTenant({ site: { currency: 'USD' } });
    expect(await setAlert(tenant, { ...body, token: 'ey.long.lived', unknown: 1 })).toMatchObject({ status: 200 });
    const shown = await readSettings(tenant);
    expect(shown).toEqual({ ...body, ...noChats, status_update_opt_in: true, token_set: true });
    const site = await getSite(tenant.sid);
    expect(JSON.stringify(site)).not.toContain('ey.long.lived');
    expect(site?.alert).not.toHaveProperty('unknown');
    expect(site && (await openSecrets(site, at)).token).toBe('ey.long.lived');
  });

  it("show of a chat's address no more than its host, and keep it sealed", async () => {
    const tenant = await newTenant();
    const slack = 'https://hooks.slack.com/services/T0/B0/aVerySecretPath';
    const teams = 'https://prod-1.example.logic.azure.com:443/workflows/w/run?sig=aSecretSignature';
    await setAlert(tenant, { slack_webhook_url: slack, teams_webhook_url: teams });
    expect(await readSettings(tenant)).toMatchObject({
      slack_webhook_host: 'hooks.slack.com',
      teams_webhook_host: 'prod-1.example.logic.azure.com',
    });
    const shown = await ask('merchants/site-details', { params: { sid: tenant.sid } });
    expect(JSON.stringify([shown, await getSite(tenant.sid)])).not.toMatch(/aVerySecretPath|aSecretSignature/);
    const site = await getSite(tenant.sid);
    expect(site && (await openSecrets(site, at)).chatUrls).toEqual({ slack, teams });
    await setAlert(tenant, { slack_webhook_url: null, username: 'shop' });
    const later = await getSite(tenant.sid);
    expect(later && (await openSecrets(later, at)).chatUrls).toEqual({ slack: null, teams });
  });

  it('stay where a later call does not name them, and go where it says null or nothing', async () => {
    const tenant = await newTenant();
    await setAlert(tenant, { ...body, token: 'abc' });
    await setAlert(tenant, { deadline_hours: { FRAUD: 6 }, username: '' });
    expect(await readSettings(tenant)).toEqual({
      ...body,
      ...noChats,
      username: '',
      status_update_opt_in: true,
      token_set: true,
      deadline_hours: { FRAUD: 6, DISPUTE: 48, CANCEL: 72 },
    });
    await setAlert(tenant, { alertapiurl: null, token: null, max_refund_amount: '', alert_email: '' });
    expect(await readSettings(tenant)).toMatchObject({
      alertapiurl: null,
      token_set: false,
      max_refund_amount: null,
      alert_email: '',
      enrollment_url: body.enrollment_url,
    });
  });

  it('begin with nothing switched on', async () => {
    const tenant = await newTenant();
    await setAlert(tenant, {});
    expect(await readSettings(tenant)).toEqual({
      alertapiurl: null,
      descriptorid: '',
      username: '',
      token_set: false,
      default_dispute_action: null,
      max_refund_amount: null,
      max_daily_refunds: null,
      alert_triggeremail: 0,
      alert_email: '',
      shieldrdr_review_email: '',
      statusupdate_url: null,
      status_update_opt_in: false,
      status_update_statuses: 'named',
      enrollment_url: null,
      ...noChats,
      deadline_warning: false,
      deadline_hours: { FRAUD: 72, DISPUTE: 72, CANCEL: 72 },
    });
  });

  it('keep up with status updates where an update of an alert looks', async () => {
    const tenant = await newTenant();
    await setAlert(tenant, {});
    expect(await statusUpdatesOf(tenant)).toBe(false);
    await setAlert(tenant, { statusupdate_url: body.statusupdate_url });
    expect(await statusUpdatesOf(tenant)).toBe(true);
    await setAlert(tenant, { status_update_opt_in: false });
    expect(await statusUpdatesOf(tenant)).toBe(false);
    await setAlert(tenant, { statusupdate_url: 'https://hooks.shop.example/other' });
    expect(await statusUpdatesOf(tenant), 'opted out before').toBe(false);
    await setAlert(tenant, { status_update_opt_in: true });
    expect(await statusUpdatesOf(tenant)).toBe(true);
    await setAlert(tenant, { statusupdate_url: null });
    expect(await statusUpdatesOf(tenant)).toBe(false);
  });

  it.each([
    ['USD', '10', 10],
    ['JPY', 500, 500],
    ['KWD', '1.234', 1.234],
  ])('take %s %s as an amount', async (currency, amount, shown) => {
    const tenant = await newTenant({ site: { currency } });
    expect(await setAlert(tenant, { max_refund_amount: amount })).toMatchObject({ status: 200 });
    expect(await readSettings(tenant)).toMatchObject({ max_refund_amount: shown });
  });

  it.each([
    ['USD', '1e3', 'must be a decimal'],
    ['USD', '0x10', 'must be a decimal'],
    ['USD', ' 10', 'must be a decimal'],
    ['USD', '1,000.00', 'must be a decimal'],
    ['USD', -1, 'must be a decimal'],
    ['USD', 10.001, 'has more decimals than USD has (2)'],
    ['JPY', 0.5, 'has more decimals than JPY has (0)'],
  ])('refuse %s %j as an amount', async (currency, amount, words) => {
    const tenant = await newTenant({ site: { currency } });
    const answer = await setAlert(tenant, { max_refund_amount: amount });
    expect(answer).toMatchObject({
      status: 400,
      body: { details: expect.stringContaining(`max_refund_amount: ${words}`) },
    });
    expect((await getSite(tenant.sid))?.type, 'nothing is written').toBeNull();
  });

  describe('refuse', () => {
    let tenant: Tenant;
    beforeAll(async () => {
      tenant = await newTenant();
    });

    it.each([
      [{ alertapiurl: 'http://hooks.shop.example' }, 'alertapiurl: must begin with https://'],
      [{ alertapiurl: 'http://127.0.0.1:3000/x' }, 'alertapiurl: must begin with https://'],
      [{ statusupdate_url: 'https://169.254.169.254/' }, 'statusupdate_url: must name a host on the public Internet'],
      [{ enrollment_url: 'https://hooks.shop.example:22/' }, 'enrollment_url: must use port 443 or 8443'],
      [{ slack_webhook_url: 'http://hooks.slack.com/123456' }, 'slack_webhook_url: must begin with https://'],
      [{ teams_webhook_url: 'https://10.0.0.1/123456' }, 'teams_webhook_url: must name a host on the public Internet'],
      [{ alertapiurl: 5 }, 'alertapiurl: must be text'],
      [{ descriptorid: 'SHOP 4111111111111111' }, 'descriptorid: must not hold a card number'],
      [{ username: '4111-1111-1111-1111' }, 'username: must not hold a card number'],
      [{ alert_email: 'a@shop.example, nobody' }, 'alert_email: must be e-mail addresses separated by commas'],
      [{ alert_email: 'a@shop.example\r\nBcc: b@shop.example' }, 'alert_email: must be e-mail addresses'],
      [{ alert_email: '"a b"@shop.example' }, 'alert_email: must be e-mail addresses'],
      [{ default_dispute_action: 'IGNORE' }, 'default_dispute_action: must be one of REFUND, CANCEL, REVIEW'],
      [{ max_refund_amount: true }, 'max_refund_amount: must be a number'],
      [{ alert_triggeremail: 2 }, 'alert_triggeremail: must be true or false'],
      [{ deadline_hours: { FRAUD: 0 } }, 'deadline_hours.FRAUD: must be at least 1'],
      [{ deadline_hours: { CANCEL: 721 } }, 'deadline_hours.CANCEL: must be at most 720'],
      [{ deadline_hours: { CANCEL: 1.5 } }, 'deadline_hours.CANCEL: must be a whole number'],
      [{ token: 'two words' }, 'token: must have'],
      [{ token: 123456 }, 'token: must have'],
      [{ token: 'a\r\nX-Injected: 1' }, 'token: '],
    ])('%j', async (body, details) => {
      const answer = await setAlert(tenant, body);
      expect(answer).toMatchObject({ status: 400, body: { details: expect.stringContaining(details) } });
      expect(JSON.stringify(answer.body), 'a refused secret').not.toMatch(/X-Injected|123456/);
    });
  });

  it('name every wrong URL and a wrong amount in one error', async () => {
    const wrong = { alertapiurl: 'x', enrollment_url: 'https://localhost./', max_refund_amount: '1,234' };
    const tenant = await newTenant();
    // The site decides how many decimals it may have, which is checked once all else is right.
    const decimals = { status: 400, body: { details: expect.stringMatching(/^max_refund_amount: has more decimals/) } };
    expect(await setAlert(tenant, { max_refund_amount: '1.234' })).toMatchObject(decimals);
    const answer = await setAlert(tenant, wrong);
    expect(answer).toMatchObject({
      status: 400,
      body: { details: expect.stringMatching(/^alertapiurl: .*; max_refund_amount: .*; enrollment_url: /) },
    });
  });

  it('lose nothing when two calls change different ones at once', async () => {
    const tenant = await newTenant();
    await setAlert(tenant, {});
    await Promise.all([
      setAlert(tenant, { username: 'one' }),
      setAlert(tenant, { descriptorid: 'two' }),
      setAlert(tenant, { deadline_warning: true }),
    ]);
    expect(await readSettings(tenant)).toMatchObject({ username: 'one', descriptorid: 'two', deadline_warning: true });
  });
});

describe('payment settings', () => {
  const body = {
    stop_send_email: 0,
    cbreportemail: 'a@shop.example',
    ftid: 4,
    skip_ccv: 1,
    bin_currency: 0,
    allow_rebilling: 1,
    proceedeveniffail: 0,
    margin_percentage: '2.75',
    first_transaction_alert: 1,
    notify_email: 'b@shop.example,c@shop.example',
    allow_refund: 1,
    allow_refund_time: 30,
    emaildomain: 'shop.example',
    shipping_n_tracking: 0,
  };

  it('are shown as they were set, and change field by field', async () => {
    const tenant = await newTenant();
    await setPayment(tenant, { ...body, unknown: 1 });
    expect(await readSettings(tenant)).toEqual(body);
    await setPayment(tenant, { skip_ccv: 0 });
    expect(await readSettings(tenant)).toEqual({ ...body, skip_ccv: 0 });
  });

  it('are refused with a wrong field', async () => {
    expect(await setPayment(await newTenant(), { ftid: 'x', notify_email: 'x' })).toMatchObject({
      status: 400,
      body: { details: expect.stringMatching(/ftid: .*; notify_email: /) },
    });
  });

  it('name a fraud template that there is', async () => {
    const tenant = await newTenant();
    expect(await setPayment(tenant, { ftid: 987_654 })).toMatchObject({
      status: 400,
      body: { details: 'ftid: must be an id of /api/v3/datasource/fraudtemplate' },
    });
    expect(await setPayment(tenant, { ftid: 0 })).toMatchObject({ status: 200 });
  });
});

describe('3DS settings', () => {
  const settings = { clientMode: 'modal', mcc: '5732', verbose: 1, acquirerBin: '411111' };
  const server = 'https://service.sandbox.3dsecure.io';
  const servicesettings = {
    skip3d2: 0,
    three_ds_provider: 'sandbox',
    wallet_merchant_id: 'w',
    thirdparty_base_url: server,
  };

  it('are shown as they were set, and their secrets only as set', async () => {
    const tenant = await newTenant();
    await setThreeDs(tenant, {
      settings: { ...settings, acquirerMerchantPwd: 'Secret-1' },
      servicesettings: { ...servicesettings, thirdparty_password: 'Secret-2', wallet_merchant_token: 'Secret-3' },
    });
    expect(await readSettings(tenant)).toEqual({
      settings: { ...settings, acquirerMerchantPwd: 'set' },
      servicesettings: { ...servicesettings, thirdparty_password: 'set', wallet_merchant_token: 'set' },
    });
    expect(JSON.stringify(await getSite(tenant.sid))).not.toContain('Secret-');
  });

  it('change field by field, and lose a secret that is set to nothing', async () => {
    const tenant = await newTenant();
    await setThreeDs(tenant, { settings: { ...settings, acquirerMerchantPwd: 'Secret-1' }, servicesettings });
    await setThreeDs(tenant, { settings: { mcc: '5733', acquirerMerchantPwd: '' } });
    expect(await readSettings(tenant)).toEqual({ settings: { ...settings, mcc: '5733' }, servicesettings });
  });

  it.each([
    'https://3ds.elsewhere.example',
    'elsewhere.example',
    'http://service.3dsecure.io',
    'http://127.0.0.1:9000',
  ])('refuse %s as the 3DS server, and keep what was saved before', async (thirdparty_base_url) => {
    const tenant = await newTenant();
    await setThreeDs(tenant, { settings, servicesettings });
    expect(await setThreeDs(tenant, { servicesettings: { thirdparty_base_url } })).toMatchObject({
      status: 400,
      body: { details: expect.stringContaining('thirdparty_base_url: must be https://service.3dsecure.io') },
    });
    expect(await readSettings(tenant)).toEqual({ settings, servicesettings });
  });

  it('name each value that no 3DS server would take, and accept the same in any of its spellings', async () => {
    const wrong = {
      ...{ mcc: 'abc', authenticationInd: 'zz', merchantCountryCode: 'Atlantis', purchaseCurrency: 'doubloons' },
      ...{ transType: '77', challengeInd: '99', acquirerBin: 'x', messageCategory: '03', scheme4AcquirerMid: 'a b' },
    };
    const service = { three_ds_provider: 'nobody', threedsprotocolversion: '9.9', skip3d2: 7 };
    const tenant = await newTenant();
    const refused = await setThreeDs(tenant, { settings: wrong, servicesettings: service });
    expect(refused.status).toBe(400);
    const details = String((refused.body as { details: string }).details);
    for (const name of Object.keys(wrong)) expect(details).toContain(`settings.${name}: must be `);
    for (const name of Object.keys(service)) expect(details).toContain(`servicesettings.${name}: must be `);
    const right = { merchantCountryCode: '36', purchaseCurrency: 'eur', messageCategory: 'NPA', mcc: '' };
    expect(await setThreeDs(tenant, { settings: right })).toMatchObject({ status: 200 });
  });

  it('never repeat a secret that they refuse', async () => {
    const answer = await setThreeDs(await newTenant(), { settings: { acquirerMerchantPwd: 123456 } });
    expect(answer).toMatchObject({ status: 400, body: { details: 'settings.acquirerMerchantPwd: must be text' } });
  });

  it('are refused with a wrong field', async () => {
    expect(await setThreeDs(await newTenant(), { settings: { verbose: 'x' }, servicesettings: 5 })).toMatchObject({
      status: 400,
      body: { details: expect.stringMatching(/settings.verbose: .*; servicesettings: must be an object/) },
    });
  });
});

it.each([setPayment, setThreeDs, setAlert])(
  'gives up if other callers change the site before every attempt',
  async (set) => {
    const tenant = await newTenant();
    beforeTransactions(() =>
      updateItem({
        Key: keys.site(tenant.sid),
        UpdateExpression: 'ADD #site.#version :one',
        ExpressionAttributeNames: { '#site': 'site', '#version': 'version' },
        ExpressionAttributeValues: { ':one': 1 },
      }),
    );
    const answer = await set(tenant, {});
    beforeTransactions();
    expect(answer).toMatchObject({ status: 409, body: { msg: 'Another caller changed this at the same time' } });
    expect((await getSite(tenant.sid))?.type).toBeNull();
  },
);

it.each([
  'merchants/site-details',
  'merchants/set-payment-settings',
  'merchants/set-three-ds-settings',
  'merchants/set-alert-settings',
])('%s declares what it does', expectDeclared);
