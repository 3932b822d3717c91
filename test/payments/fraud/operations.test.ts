import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { milliseconds, nowMilliseconds, setClock } from '#core/kernel/clock.ts';
import { toEntryItem } from '#core/platform/entries/entry-row.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItem, putItem } from '#core/platform/table/table.ts';
import { operations } from '#functions/operations.ts';
import { fraudTemplateDetailsOperation } from '#payments/fraud/api/fraud-template-details/operation.ts';
import { fraudcheckOperation } from '#payments/fraud/api/fraudcheck/operation.ts';
import { updateFraudTemplateOperation } from '#payments/fraud/api/update-fraud-template/operation.ts';
import { emptyLists } from '#payments/fraud/lists/lists.ts';
import { toListsItem } from '#payments/fraud/lists/lists-row.ts';
import { includedTemplate, maxTemplateRules } from '#payments/fraud/template/template.ts';
import { newTenant } from '#test/accounts/merchants/tenant.ts';
import { type As, ask, beforeTransactions, expectDeclared, useOperations } from '#test/support/operations.ts';
import { startMinfraud } from './minfraud-fake.ts';
import { check, orderBody, type PaymentSite, seedPaymentSite } from './seed.ts';

const account = '42:licence-key';
let fake: Awaited<ReturnType<typeof startMinfraud>>;
useOperations();
beforeAll(async () => {
  fake = await startMinfraud(account);
  Object.assign(process.env, {
    MINFRAUD_SECRET_ID: 'minfraud',
    MINFRAUD_URL: fake.url,
    ALLOW_LOOPBACK_HTTP: 'true',
  });
  mockClient(SecretsManagerClient)
    .on(GetSecretValueCommand)
    .callsFake(({ SecretId }: { SecretId: string }) => ({
      SecretString: JSON.stringify({
        current: 'k1',
        k1: SecretId === 'minfraud' ? account : `the ${SecretId} secret of this test`,
      }),
    }));
});
afterAll(() => fake.stop());
afterEach(() => setClock());

type Checked = { fraud_id: number; score: number; decision: string; reasons: string[]; template: number | null };
const checked = async (seeded: PaymentSite, change: Record<string, unknown> = {}): Promise<Checked> => {
  const answer = await check(seeded, change);
  expect(answer).toMatchObject({ status: 200, body: { status: 'OK' } });
  return answer.body as Checked;
};
const night = { all: [{ fact: 'amount', operator: 'greaterThan', value: 5, params: { currency: 'USD' } }] };
const added = async (body: Record<string, unknown>): Promise<number> => {
  const answer = await ask('datasources/add-fraud-template', { body: { name: 'A template', ...body } });
  expect(answer).toMatchObject({ status: 200, body: { version: 1 } });
  return (answer.body as { id: number }).id;
};
const readFraud = (fraud_id: number, as: As) => ask('fraud/fraud-details', { as, params: { fraud_id } });

describe('POST /api/v1/index.php/{id}/fraudcheck', () => {
  it('assesses an order and charges nothing', async () => {
    const seeded = await seedPaymentSite({ ftid: 1 });
    expect(fraudcheckOperation.path).toBe('/api/v1/index.php/{id}/fraudcheck');
    expect(await checked(seeded, { device_info: JSON.stringify({ bin_country: 'DE' }) })).toEqual({
      status: 'OK',
      fraud_id: expect.any(Number),
      score: 20,
      decision: 'ACCEPT',
      reasons: ['bin_country_differs (+20)'],
      template: 1,
      version: 1,
    });
  });

  it('takes a form, and an order without a card', async () => {
    const seeded = await seedPaymentSite({ ftid: 1 });
    const { item_name, item_amount_unit, device_info, card_no, card_ccv, ...fields } = orderBody(seeded);
    const body = new URLSearchParams({
      ...fields,
      'item_name[]': item_name[0] ?? '',
      'item_amount_unit[]': item_amount_unit[0] ?? '',
      device_info: JSON.stringify(device_info),
    });
    const answer = await ask(fraudcheckOperation, { as: 'nobody', params: { id: seeded.site.sid }, body });
    expect(answer).toMatchObject({ status: 200, body: { status: 'OK', score: 0 } });
    const { fraud_id } = answer.body as Checked;
    expect(await readFraud(fraud_id, 'admin')).toMatchObject({
      body: { card: null, kind: 'check', facts: { 'velocity_count(ip, 1h)': 1 } },
    });
    expect([card_no, card_ccv]).toEqual(['4242424242424242', '987']);
  });

  it('takes the scheme of the number, and a CVV that JSON has as a number without its zeros', async () => {
    const answer = await check(await seedPaymentSite({ ftid: 1 }), { card_type: 'visa', card_ccv: 12 });
    expect(answer).toMatchObject({ status: 200, body: { decision: 'ACCEPT' } });
  });

  it('counts as a check: the fourth of a card within an hour is noticed', async () => {
    const seeded = await seedPaymentSite({ ftid: 1 });
    const scores: number[] = [];
    for (let n = 0; n < 4; n += 1) scores.push((await checked(seeded)).score);
    expect(scores).toEqual([0, 0, 0, 30]);
  });

  it('answers a wrong hash, another site’s and a site that does not exist alike', async () => {
    const [seeded, other] = [await seedPaymentSite(), await seedPaymentSite()];
    const answers = [
      await check(seeded, { hash: '0'.repeat(32) }),
      // A large body is screened first, by a call of its own.
      await check(seeded, { hash: '0'.repeat(32), item_description: ['x'.repeat(20_000)] }),
      await check(seeded, { hash: orderBody(other).hash }),
      await check(seeded, { item_amount_unit: ['10.01'] }),
      await ask(fraudcheckOperation, { as: 'nobody', params: { id: 987_654 }, body: orderBody(seeded) }),
    ];
    for (const { status, body } of answers) {
      const error_msg = expect.stringContaining('md5 of sid');
      expect({ status, body }).toEqual({
        status: 401,
        body: { status: 'EXC', error_code: 'hash_wrong', error_msg, doc: '/errors/hash_wrong' },
      });
    }
  });

  it('needs a payment site', async () => {
    const seeded = await seedPaymentSite(null);
    expect(await check(seeded)).toMatchObject({ status: 409, body: { error_code: 'site_not_for_payments' } });
  });

  it.each([
    ['a wrong check digit', { card_no: '4242424242424241' }, 'card_no: has a wrong check digit'],
    ['a scheme that is not the number’s', { card_type: 'AMEX' }, 'card_type: is AMEX, but the number is of VISA'],
    ['a name without a price', { item_name: ['A book', 'A pen'] }, 'item_name: must have as many entries as'],
    ['a state that is none of its country', { state: 'Oregon' }, 'state: must be two letters for US'],
    [
      'a state to ship to that is none of its country',
      { shipping_country: 'AU', shipping_state: 'Victoria' },
      'shipping_state: must be two or three letters for AU',
    ],
    ['a CVV that is too short', { card_ccv: '12' }, 'card_ccv: must have 3 digits'],
    ['an old timestamp', { timestamp: '1500000000' }, 'timestamp: is more than 15 minutes away'],
    ['an amount of too many decimals', { item_amount_unit: ['1.001'] }, 'item_amount_unit.0: has more decimals'],
    ['no items', { item_name: undefined }, 'item_name: is required'],
    ['device_info that is none', { device_info: '[1]' }, 'device_info: must be a JSON object'],
  ])('refuses %s, and does not repeat it', async (_, change, words) => {
    const answer = await check(await seedPaymentSite(), change);
    expect(answer).toMatchObject({ status: 400, body: { status: 'EXC', error_code: 'request_invalid' } });
    expect((answer.body as { error_msg: string }).error_msg).toContain(words);
    expect(JSON.stringify(answer.body)).not.toContain('42424242');
  });

  it('puts no card number, CVV, address or hash into a row or a log line', async () => {
    const seeded = await seedPaymentSite({ ftid: 1 });
    const sent = vi.mocked(DynamoDBDocumentClient.prototype.send).mock.calls;
    const logged = vi.mocked(process.stdout.write).mock.calls;
    const [before, lines] = [sent.length, logged.length];
    await checked(seeded);
    const seen = [
      ...sent.slice(before).map(([command]) => JSON.stringify(command.input)),
      ...logged.slice(lines).map(([line]) => String(line)),
    ].join('\n');
    expect(seen).toContain('FRAUD_CHECK');
    expect(seen).not.toMatch(/4242424242|"987"|anna@|203\.0\.113/i);
    expect(seen).not.toContain(orderBody(seeded).hash);
    expect(seen).not.toContain(seeded.rcode);
  });

  it('draws another number where another process has drawn the same', async () => {
    const seeded = await seedPaymentSite({ ftid: 1 });
    let taken: number | undefined;
    beforeTransactions(async ({ TransactItems = [] }) => {
      const check = TransactItems[0]?.Put?.Item;
      if (taken !== undefined || !check) return;
      taken = (check['check'] as { fraudId: number }).fraudId;
      await putItem({ ...check, check: 'another' });
    });
    const { fraud_id } = await checked(seeded);
    expect(fraud_id).toBe(Number(taken) + 1);
    expect(await getItem(keys.fraudCheck(Number(taken)))).toMatchObject({ check: 'another' });
    expect(await checked(seeded).then(({ fraud_id: id }) => readFraud(id, 'admin'))).toMatchObject({
      body: { facts: { 'velocity_count(card, 1h)': 2 } },
    });
  });
});

describe('a template that asks minFraud', () => {
  it('takes its score over the network', async () => {
    const seeded = await seedPaymentSite({ ftid: await added({ scorer: 'minfraud' }) });
    fake.scores(62.4);
    expect(await checked(seeded)).toMatchObject({ score: 62, decision: '3DS', reasons: ['minfraud_risk_score (+62)'] });
    expect(fake.state.got.at(-1)).toMatchObject({ credit_card: { issuer_id_number: '424242', last_digits: '4242' } });
  });

  it.each([
    [1, { decision: 'ACCEPT' }, false],
    [0, { decision: 'REJECT' }, true],
  ])('is down: proceedeveniffail %s', async (proceedeveniffail, expected, failed) => {
    const seeded = await seedPaymentSite({ ftid: await added({ scorer: 'minfraud' }), proceedeveniffail });
    fake.answers({ status: 503, body: '' });
    const { fraud_id, ...body } = await checked(seeded);
    expect(body).toMatchObject({ ...expected, score: 0, reasons: ['scorer_unavailable'] });
    expect(await readFraud(fraud_id, 'admin')).toMatchObject({ body: { failed } });
  });
});

describe('POST /api/v3/fraud/{fraud_id}/details', () => {
  it('shows a check and what it was decided on', async () => {
    const seeded = await seedPaymentSite({ ftid: 1 });
    const { fraud_id } = await checked(seeded);
    const { status, body } = await readFraud(fraud_id, { mid: seeded.site.mid });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      fraud_id,
      sid: seeded.site.sid,
      kind: 'check',
      txid: null,
      amount: '10.00',
      currency: 'USD',
      card: '424242******4242',
      template: 1,
      version: 1,
      facts: { country: 'US', is_first_transaction: true },
    });
  });

  it('is one of the merchant’s own', async () => {
    const seeded = await seedPaymentSite();
    const { fraud_id } = await checked(seeded);
    const others = await readFraud(fraud_id, { mid: seeded.site.mid + 1 });
    expect(others).toMatchObject({ status: 404 });
    expect((await readFraud(12_345, { mid: seeded.site.mid })).body).toEqual(others.body);
    expect(await readFraud(fraud_id, 'nobody')).toMatchObject({ status: 401 });
  });
});

describe('POST /api/v3/site/{sid}/fraud-lists', () => {
  const set = ({ site }: PaymentSite, body: Record<string, unknown>, as: As = { mid: site.mid }) =>
    ask('fraud/set-fraud-lists', { as, params: { sid: site.sid }, body });

  it('refuses whom it blocks from then on, and shows cards as tokens with a mask', async () => {
    const seeded = await seedPaymentSite({});
    expect(await checked(seeded)).toMatchObject({ decision: 'ACCEPT', template: null, reasons: [] });
    const answer = await set(seeded, { block: { cards: ['4242 4242 4242 4242'], countries: ['kp'] } });
    expect(answer).toMatchObject({
      status: 200,
      body: {
        block: {
          cards: [{ token: expect.stringMatching(/^[0-9a-f]{40}$/), card: '424242******4242' }],
          countries: ['KP'],
        },
        allow: { cards: [] },
        version: 1,
      },
    });
    expect(JSON.stringify(await getItem(keys.fraudLists(seeded.site.sid)))).not.toContain('424242424');
    expect(await checked(seeded)).toMatchObject({ decision: 'REJECT', score: 100, reasons: ['blocked_card'] });
    expect((await set(seeded, {})).body).toEqual(answer.body);
    expect(await set(seeded, { block: { cards: [] } })).toMatchObject({
      body: { block: { countries: ['KP'] }, version: 2 },
    });
    expect(await checked(seeded)).toMatchObject({ decision: 'ACCEPT' });
  });

  it('has whom it watches looked at by the rules of its template', async () => {
    const conditions = { all: [{ fact: 'watched', operator: 'equal', value: true, params: { of: 'card' } }] };
    const rules = [{ name: 'Watched', conditions, effect: { decision: 'REVIEW' } }];
    const seeded = await seedPaymentSite({ ftid: await added({ scorer: 'none', rules }) });
    expect(await checked(seeded)).toMatchObject({ decision: 'ACCEPT' });
    expect(await set(seeded, { watch: { cards: ['4242 4242 4242 4242'] } })).toMatchObject({
      status: 200,
      body: { watch: { cards: [{ card: '424242******4242' }], emails: [] }, block: { cards: [] }, version: 1 },
    });
    expect(JSON.stringify(await getItem(keys.fraudLists(seeded.site.sid)))).not.toContain('424242424');
    expect(await checked(seeded)).toMatchObject({ decision: 'REVIEW', reasons: ['Watched (REVIEW)'] });
  });

  it('lets no more checks through than a rule allows when many are made at the same time', async () => {
    const often = { fact: 'velocity_count', operator: 'greaterThan', value: 3, params: { of: 'card', window: '1h' } };
    const rules = [{ name: 'Often', conditions: { all: [often] }, effect: { decision: 'REJECT' } }];
    const seeded = await seedPaymentSite({ ftid: await added({ scorer: 'none', rules }) });
    const all = await Promise.all(Array.from({ length: 10 }, () => checked(seeded)));
    const accepted = all.filter(({ decision }) => decision === 'ACCEPT').length;
    expect(accepted).toBeGreaterThan(0);
    expect(accepted).toBeLessThanOrEqual(3);
    for (const { decision, reasons } of all.filter((one) => one.decision === 'REVIEW')) {
      expect([decision, reasons[0]]).toEqual(['REVIEW', 'velocity_contended (REVIEW)']);
    }
  });

  it('loses nothing when two are set at the same time', async () => {
    const seeded = await seedPaymentSite({});
    const answers = await Promise.all([
      ...[1, 2, 3].map((n) =>
        set(seeded, {
          block: { [['ips', 'bins', 'emails'][n - 1] ?? '']: [['10.0.0.1', '400000', 'a@b.example'][n - 1]] },
        }),
      ),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await set(seeded, {})).toMatchObject({
      body: { block: { ips: ['10.0.0.1'], bins: ['400000'], emails: ['a@b.example'] }, version: 3 },
    });
  });

  it('gives up on a site whose lists never stand still', async () => {
    const seeded = await seedPaymentSite({});
    const send = vi.mocked(DynamoDBDocumentClient.prototype.send);
    const real = send.getMockImplementation();
    if (!real) throw new Error('Nobody watches the table');
    let version = 0;
    // Another writer is faster each time.
    send.mockImplementation(async function (this: DynamoDBDocumentClient, command) {
      if (command instanceof PutCommand) {
        version += 1;
        const item = toListsItem(seeded.site.sid, { ...emptyLists, version });
        await Reflect.apply(real, this, [new PutCommand({ TableName: command.input.TableName, Item: item })]);
      }
      return Reflect.apply(real, this, [command]);
    });
    const answer = await set(seeded, { block: { ips: ['10.0.0.1'] } });
    send.mockImplementation(real);
    expect(answer).toMatchObject({ status: 409, body: { msg: 'Another caller changed this at the same time' } });
  });

  it('are shown without being touched, and changed only as they were seen where that is said', async () => {
    const seeded = await seedPaymentSite({});
    const as = { mid: seeded.site.mid, role: 'analyst' } as const;
    const shown = () => ask('fraud/fraud-lists', { as, params: { sid: seeded.site.sid } });
    expect(await shown()).toMatchObject({ status: 200, body: { block: { bins: [] }, version: 0 } });
    const set1 = await set(seeded, { block: { bins: ['424242'] }, version: 0 });
    expect(await shown()).toMatchObject({ status: 200, body: set1.body });
    expect(await set(seeded, { block: { bins: [] }, version: 0 })).toMatchObject({ status: 409 });
    expect(await shown()).toMatchObject({ body: { block: { bins: ['424242'] }, version: 1 } });
    expect(await ask('fraud/fraud-lists', { as: { mid: 1 }, params: { sid: seeded.site.sid } })).toMatchObject({
      status: 404,
    });
    expect(
      await ask('fraud/fraud-lists', { as: { ...as, role: 'developer' }, params: { sid: seeded.site.sid } }),
    ).toMatchObject({
      status: 403,
    });
  });

  it('belong to a payment site of the caller’s', async () => {
    const seeded = await seedPaymentSite({});
    const others = await set(seeded, {}, { mid: 1 });
    expect(others).toMatchObject({ status: 404 });
    expect((await ask('fraud/set-fraud-lists', { params: { sid: 987_654 }, body: {} })).body).toEqual(others.body);
    const alertSite = await seedPaymentSite(null);
    expect(await set(alertSite, {})).toMatchObject({ status: 409 });
    expect(await set(seeded, { block: { bins: ['4242'] } })).toMatchObject({
      status: 400,
      body: { details: 'block.bins.0: must be the first six or eight digits of a card that is taken' },
    });
  });
});

describe('fraud templates', () => {
  it('states what each rule does in other currencies, and keeps that when other fields change', async () => {
    const effect = { decision: 'REJECT' };
    const plain = { all: [{ fact: 'country', operator: 'equal', value: 'NG' }] };
    const rules = [
      { name: 'Dollars', conditions: night, effect },
      { name: 'Only dollars', conditions: night, effect, other_currencies: 'ignore' },
      { name: 'Any', conditions: plain, effect },
    ];
    const id = await added({ rules });
    await ask(updateFraudTemplateOperation, { params: { id }, body: { thresholds: { review: 20 } } });
    const { body } = await ask(fraudTemplateDetailsOperation, { params: { id } });
    const shown = (body as { rules: { other_currencies: string | null }[] }).rules;
    expect(shown.map(({ other_currencies }) => other_currencies)).toEqual(['REVIEW', 'ignore', null]);
    const stray = [{ name: 'Any', conditions: plain, effect, other_currencies: 'REJECT' }];
    expect(await ask('datasources/add-fraud-template', { body: { name: 'Stray', rules: stray } })).toMatchObject({
      status: 400,
      body: { details: expect.stringContaining('rules.0.other_currencies: must be left out') },
    });
  });

  it('are where their list is', () => {
    expect(updateFraudTemplateOperation.path).toBe('/api/v3/datasource/fraudtemplate/{id}/update');
    expect(fraudTemplateDetailsOperation.path).toBe('/api/v3/datasource/fraudtemplate/{id}/details');
  });

  const update = (id: number, body: Record<string, unknown>, as: As = 'admin') =>
    ask(updateFraudTemplateOperation, { as, params: { id }, body });
  const details = async (id: number) => {
    const { status, body } = await ask(fraudTemplateDetailsOperation, { as: { mid: 1 }, params: { id } });
    expect(status).toBe(200);
    return body as { version: number; versions: { version: number; scorer: string }[] };
  };

  it('are added with what they hold, and can be named by a site at once', async () => {
    const ftid = await added({ scorer: 'none', rules: [{ name: 'Large', conditions: night, effect: { score: 90 } }] });
    const { mid, rid, sid } = await newTenant();
    expect(await ask('merchants/set-payment-settings', { params: { mid, rid, sid }, body: { ftid } })).toMatchObject({
      status: 200,
    });
    const seeded = await seedPaymentSite({ ftid });
    expect(await checked(seeded)).toMatchObject({
      score: 90,
      decision: 'REJECT',
      reasons: ['Large (+90)'],
      template: ftid,
    });
  });

  it.each([
    [
      'conditions that are none',
      { rules: [{ name: 'x', conditions: { all: [] }, effect: { score: 1 } }] },
      'rules.0.conditions.all',
    ],
    [
      'an effect of both kinds',
      { rules: [{ name: 'x', conditions: night, effect: { score: 1, decision: 'REVIEW' } }] },
      'rules.0.effect',
    ],
    [
      'a decision to accept',
      { rules: [{ name: 'x', conditions: night, effect: { decision: 'ACCEPT' } }] },
      'rules.0.effect',
    ],
    [
      'too many rules',
      {
        rules: Array.from({ length: maxTemplateRules + 1 }, () => ({
          name: 'x',
          conditions: night,
          effect: { score: 1 },
        })),
      },
      'rules: must have at most',
    ],
    ['thresholds out of order', { thresholds: { review: 60, three_ds: 50 } }, 'thresholds: review'],
    [
      'a fallback of a scorer that always answers',
      { scorer: 'local', fallbacks: ['sift'] },
      'fallbacks: local needs none',
    ],
    ['a fallback of none', { scorer: 'none', fallbacks: ['sift'] }, 'fallbacks: none needs none'],
    [
      'a scorer that is asked twice',
      { scorer: 'sift', fallbacks: ['minfraud', 'sift'] },
      'fallbacks: must name each scorer once',
    ],
    [
      'a fallback after one that always answers',
      { scorer: 'sift', fallbacks: ['local', 'minfraud'] },
      'fallbacks: local always answers',
    ],
    ['another scorer', { scorer: 'oracle' }, 'scorer: must be one of none, local, minfraud, sift'],
  ])('are refused with %s', async (_, body, words) => {
    const answers = [
      await ask('datasources/add-fraud-template', { body: { name: 'x', ...body } }),
      await update(1, body),
    ];
    for (const answer of answers) {
      expect(answer).toMatchObject({ status: 400, body: { details: expect.stringContaining(words) } });
    }
  });

  it('keep every version, those they came with included; the next check goes by the newest', async () => {
    const seeded = await seedPaymentSite({ ftid: 4 });
    expect(await details(4)).toMatchObject({ version: 1, versions: [{ version: 1, scorer: 'local' }] });
    expect(await update(4, { version: 1, scorer: 'none' })).toMatchObject({ status: 200, body: { id: 4, version: 2 } });
    expect(await update(4, { scorer: 'none' })).toMatchObject({ status: 200, body: { version: 2 } });
    expect(await update(4, { version: 1, scorer: 'local' })).toMatchObject({
      status: 409,
      body: { details: 'version: the template is at version 2.' },
    });
    expect((await details(4)).versions.map(({ version, scorer }) => [version, scorer])).toEqual([
      [2, 'none'],
      [1, 'local'],
    ]);
    expect(await checked(seeded)).toMatchObject({ template: 4, version: 2 });
  });

  it('that were only named before hold what the first one does', async () => {
    await putItem(toEntryItem('fraudtemplate', { id: 900_001, name: 'Only a name', description: '' }));
    const { scorer, thresholds } = includedTemplate(1);
    expect(await details(900_001)).toMatchObject({ version: 1, scorer, thresholds });
    expect(await update(900_001, { thresholds: { reject: null } })).toMatchObject({ body: { version: 2 } });
  });

  it('lose no change when many are made at the same time', async () => {
    const ftid = await added({});
    const names = ['a', 'b', 'c', 'd'];
    const answers = await Promise.all([
      update(ftid, { scorer: 'none' }),
      update(ftid, { thresholds: { review: 11 } }),
      update(ftid, { thresholds: { reject: 99 } }),
      update(ftid, { rules: names.map((name) => ({ name, conditions: night, effect: { score: 1 } })) }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const { versions, ...shown } = await details(ftid);
    expect(shown).toMatchObject({ version: 5, scorer: 'none', thresholds: { review: 11, three_ds: 50, reject: 99 } });
    expect(shown).toHaveProperty('rules.length', 4);
    expect(versions.map(({ version }) => version)).toEqual([5, 4, 3, 2, 1]);
  });

  it('stop where another writer is always faster', async () => {
    const ftid = await added({});
    let version = 1;
    beforeTransactions(async () => {
      version += 1;
      const template = { ...includedTemplate(ftid), version };
      await putItem({ ...keys.fraudTemplate(ftid), version, template });
    });
    expect(await update(ftid, { scorer: 'none' })).toMatchObject({ status: 409, body: { details: 'Send it again.' } });
  });

  it('are changed by administrators only, and visible to all', async () => {
    expect(await update(1, {}, { mid: 1 })).toMatchObject({ status: 403 });
    expect(await update(987_654, {})).toMatchObject({ status: 404 });
    expect(await ask(fraudTemplateDetailsOperation, { params: { id: 987_654 } })).toMatchObject({ status: 404 });
  });
});

it('counts by the clock', async () => {
  const seeded = await seedPaymentSite({ ftid: 1 });
  for (let n = 0; n < 4; n += 1) await checked(seeded);
  const later = nowMilliseconds() + 3 * milliseconds.hour;
  setClock(() => later);
  expect(await checked(seeded)).toMatchObject({ score: 0 });
});

it.each(operations.filter(({ area }) => area === 'fraud'))('$name declares what it does', expectDeclared);
