import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { getSite, openSecrets } from '#accounts/merchants/site/site-store.ts';
import type { Item } from '#core/platform/table/table.ts';
import { newTenant, type Tenant } from '#test/accounts/merchants/tenant.ts';
import { itemsWritten } from '#test/disputes/enrollments/item-writes.ts';
import { type As, ask, beforeTransactions, expectDeclared, useOperations } from '#test/support/operations.ts';

useOperations();
process.env['OPERATIONS_MAIL'] = 'operations@forewarn.example';

type Fields = Record<string, unknown>;
let names = 0;
const fresh = () => {
  names += 1;
  return `Retailer ${names}`;
};
const enroll = ({ mid, as }: { mid: number; as: As }, fields: Fields = {}) =>
  ask('onboarding/enroll-retailer-site', { as, body: { mid, retailer_name: fresh(), site_name: 'Shop', ...fields } });
const taken = {
  status: 401,
  body: { status: 'EXC', code: 401, error_msg: { msg: 'retailer_name already exists' } },
};
const listSites = async ({ mid, as }: Tenant) =>
  ((await ask('merchants/list-sites', { as, body: { mid } })).body as { totalResult: number }).totalResult;

describe('POST /api/v3/merchant/retailer-site-enrollment', () => {
  it('makes a retailer and an alert site with its settings', async () => {
    const tenant = await newTenant();
    const retailer_name = fresh();
    const answer = await enroll(tenant, {
      retailer_name,
      contact_email: 'owner@shop.example',
      country: 'de',
      site_url: 'https://shop.example',
      mcc: '5732',
      remarks: 'new',
      alert_notification_url: 'https://hooks.shop.example/alerts',
      token: 'a-webhook-token',
      alert_status_update_url: 'https://hooks.shop.example/status',
      email_for_alert_notification: 'a@shop.example, b@shop.example',
    });
    expect(answer.status).toBe(200);
    const { status, rid, sid, msg, ...rest } = answer.body as Fields & { rid: number; sid: number };
    expect([status, typeof msg, rest]).toEqual(['ok', 'string', {}]);
    expect(await ask('merchants/retailer-details', { as: tenant.as, params: { rid } })).toMatchObject({
      status: 200,
      body: {
        mid: tenant.mid,
        name: retailer_name,
        contact_email: 'owner@shop.example',
        country: 'DE',
        remarks: 'new',
      },
    });
    expect(await ask('merchants/site-details', { as: tenant.as, params: { sid } })).toMatchObject({
      status: 200,
      body: {
        mid: tenant.mid,
        rid,
        name: 'Shop',
        url: 'https://shop.example',
        mcc: '5732',
        type: 'alert',
        settings: {
          alertapiurl: 'https://hooks.shop.example/alerts',
          token_set: true,
          alert_triggeremail: 1,
          alert_email: 'a@shop.example,b@shop.example',
          statusupdate_url: 'https://hooks.shop.example/status',
          status_update_opt_in: true,
        },
      },
    });
    const site = await getSite(sid);
    expect(site && (await openSecrets(site, '2026-01-01T00:00:00.000Z')).token).toBe('a-webhook-token');
  });

  it('tells operations by e-mail, in the same transaction and without secrets', async () => {
    const tenant = await newTenant();
    const written: Item[] = await itemsWritten('MAIL', () => enroll(tenant, { token: 'a-webhook-token', country: '' }));
    const mails = written.filter(({ kind }) => kind === 'retailer_enrolled');
    expect(mails).toEqual([
      expect.objectContaining({
        kind: 'retailer_enrolled',
        to: ['operations@forewarn.example'],
        state: 'PENDING',
        letter: expect.objectContaining({ subject: expect.stringContaining('New retailer: Retailer ') }),
      }),
    ]);
    expect(JSON.stringify(written)).not.toContain('a-webhook-token');
  });

  it('names in the e-mail to operations what was sent, and leaves the rest empty', async () => {
    const rowsOf = async (fields: Fields): Promise<Record<string, string>> => {
      const mails = await itemsWritten('MAIL', async () => enroll(await newTenant(), fields));
      const { letter } = mails.find(({ kind }) => kind === 'retailer_enrolled') as { letter: { rows: string[][] } };
      return Object.fromEntries(letter.rows);
    };
    expect(
      await rowsOf({
        contact_email: 'owner@shop.example',
        country: 'DE',
        site_url: 'https://shop.example',
        mcc: '5732',
        remarks: 'A new shop',
        alert_notification_url: 'https://hooks.shop.example/alerts',
        alert_status_update_url: 'https://hooks.shop.example/status',
        email_for_alert_notification: 'a@shop.example, b@shop.example',
      }),
    ).toMatchObject({
      'Web address': 'https://shop.example',
      Country: 'DE',
      MCC: '5732',
      Contact: 'owner@shop.example',
      'Alerts go to': 'https://hooks.shop.example/alerts',
      'Status updates go to': 'https://hooks.shop.example/status',
      'E-mails go to': 'a@shop.example, b@shop.example',
      Remarks: 'A new shop',
    });
    const { Merchant, Retailer, Site, ...rest } = await rowsOf({});
    expect([Merchant, Retailer, Site]).not.toContain('');
    expect(new Set(Object.values(rest))).toEqual(new Set(['']));
  });

  it('sends no e-mails about alerts to a site without addresses for them', async () => {
    const tenant = await newTenant();
    const { sid } = (await enroll(tenant)).body as { sid: number };
    expect(await ask('merchants/site-details', { as: tenant.as, params: { sid } })).toMatchObject({
      body: { settings: { alert_triggeremail: 0, alert_email: '' } },
    });
  });

  it('succeeds when its transaction is sent again because the answer was lost', async () => {
    const tenant = await newTenant();
    const retailer_name = fresh();
    beforeTransactions(async (transaction) => {
      beforeTransactions();
      await DynamoDBDocumentClient.from(new DynamoDBClient({})).send(new TransactWriteCommand(transaction));
    });
    expect((await enroll(tenant, { retailer_name })).status).toBe(200);
    expect(await listSites(tenant)).toBe(2);
    expect(await enroll(tenant, { retailer_name })).toMatchObject(taken);
  });

  it('refuses a name that the merchant has, however it is spelled, in its own shape', async () => {
    const [tenant, other] = [await newTenant(), await newTenant()];
    const retailer_name = fresh();
    expect((await enroll(tenant, { retailer_name })).status).toBe(200);
    expect(await enroll(tenant, { retailer_name })).toMatchObject(taken);
    expect((await enroll(tenant, { retailer_name })).body).toEqual(taken.body);
    expect(
      await enroll(tenant, { retailer_name: ` ${retailer_name.toUpperCase().replace(' ', '  ')} ` }),
    ).toMatchObject(taken);
    expect((await enroll(other, { retailer_name })).status).toBe(200);
  });

  it('refuses the name of a retailer that was made by itself', async () => {
    const tenant = await newTenant();
    expect(await enroll(tenant, { retailer_name: 'a retailer' })).toMatchObject(taken);
    const name = fresh();
    expect((await enroll(tenant, { retailer_name: name })).status).toBe(200);
    // The other operation takes a name as often as it is given.
    expect((await ask('merchants/create-retailer', { params: { mid: tenant.mid }, body: { name } })).status).toBe(200);
  });

  it('makes one of many at once with the same name, and nothing of the others', async () => {
    const tenant = await newTenant();
    const retailer_name = fresh();
    const answers = await Promise.all(Array.from({ length: 8 }, () => enroll(tenant, { retailer_name })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(7);
    expect(await listSites(tenant)).toBe(2);
  });

  it('leaves nothing when it fails halfway', async () => {
    const tenant = await newTenant();
    const retailer_name = fresh();
    beforeTransactions(async (transaction) => {
      if ((transaction.TransactItems ?? []).length > 3) throw new Error('the line went dead');
    });
    expect((await enroll(tenant, { retailer_name })).status).toBe(500);
    beforeTransactions();
    expect(await listSites(tenant)).toBe(1);
    expect((await enroll(tenant, { retailer_name })).status).toBe(200);
  });

  it("answers for another's merchant as for one there is not", async () => {
    const [own, other] = [await newTenant(), await newTenant()];
    const theirs = await enroll({ mid: other.mid, as: own.as });
    expect(theirs).toMatchObject({ status: 404, body: { msg: 'No such merchant' } });
    expect(theirs).toEqual(await enroll({ mid: 999_999, as: own.as }));
    expect((await enroll({ mid: other.mid, as: 'admin' })).status).toBe(200);
    expect((await enroll({ mid: other.mid, as: 'nobody' })).status).toBe(401);
  });

  it.each([
    [{ retailer_name: '' }, 'retailer_name: must not be empty'],
    [{ site_name: 'Shop 4111111111111111' }, 'site_name: must not hold a card number'],
    [{ remarks: '4111111111111111' }, 'remarks: must not hold a card number'],
    [{ site_name: undefined }, 'site_name: is required'],
    [{ country: 'XX' }, 'country: must be a country code'],
    [{ mcc: '12' }, 'mcc: must be 4 digits'],
    [{ contact_email: 'x' }, 'contact_email: must be an e-mail address'],
    [{ site_url: 'ftp://x' }, 'site_url: must be a web address'],
    [{ alert_notification_url: 'http://shop.example' }, 'alert_notification_url: '],
    [{ alert_status_update_url: 'https://127.0.0.1/x' }, 'alert_status_update_url: '],
    [{ email_for_alert_notification: 'a@shop.example;b' }, 'email_for_alert_notification: '],
    [{ token: 'two words' }, 'token: '],
  ])('refuses %j', async (fields, details) =>
    expect(await enroll(await newTenant(), fields)).toMatchObject({
      status: 400,
      body: { details: expect.stringContaining(details) },
    }),
  );
});

it.each(['onboarding/enroll-retailer-site'])('%s declares what it does', expectDeclared);
