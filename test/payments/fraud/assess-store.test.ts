import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it, vi } from 'vitest';
import type { Site } from '#accounts/merchants/site/site.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItem, getItems, putItem, transact } from '#core/platform/table/table.ts';
import { toBinsItem } from '#payments/fraud/bins/bins-row.ts';
import { assess, fraudKeys, fraudWrites, isAssessed } from '#payments/fraud/check/assess-store.ts';
import { fromCheckItem } from '#payments/fraud/check/check-row.ts';
import type { FraudSubject } from '#payments/fraud/check/subject.ts';
import { emptyLists, type FraudList } from '#payments/fraud/lists/lists.ts';
import { toListsItem } from '#payments/fraud/lists/lists-row.ts';
import type { RemoteScorers, Scorer } from '#payments/fraud/scorers/scorer.ts';
import { includedTemplate, type RuleEffect, type Template } from '#payments/fraud/template/template.ts';
import { templateWrites } from '#payments/fraud/template/template-row.ts';
import { useOperations } from '#test/support/operations.ts';
import { anonymousSubject, aSubject, keptCard } from './samples.ts';
import { nobody, scorers, seedPaymentSite } from './seed.ts';

useOperations();

let lastTemplate = 2000;
const seedTemplate = async (change: Partial<Template>): Promise<number> => {
  lastTemplate += 1;
  const template = { ...includedTemplate(lastTemplate), ...change, ftid: lastTemplate, version: 1 };
  await transact({ rows: templateWrites(template, 0) });
  return lastTemplate;
};

const seedLists = (
  sid: number,
  block: Partial<FraudList>,
  allow: Partial<FraudList> = {},
  watch: Partial<FraudList> = {},
) =>
  putItem(
    toListsItem(sid, {
      block: { ...emptyLists.block, ...block },
      allow: { ...emptyLists.allow, ...allow },
      watch: { ...emptyLists.watch, ...watch },
      version: 1,
    }),
  );

let lastTxid = 1_077_051_069_000_000;
const payment = (sid: number, change: Partial<FraudSubject> = {}): FraudSubject => {
  lastTxid += 1;
  return aSubject({ sid, txid: lastTxid, ...change });
};

const assessed = async (site: Site, subject: FraudSubject, remote: RemoteScorers = nobody) => {
  const rows = await getItems(fraudKeys(subject));
  const assessment = await assess(subject, rows, site, remote);
  const writes = fraudWrites(subject, assessment, rows);
  if (writes.fraudCheck) await transact(writes);
  return { assessment, writes };
};

describe('a site without a template', () => {
  it('assesses nothing and writes nothing, unless its lists say something', async () => {
    const { site } = await seedPaymentSite({});
    const { assessment, writes } = await assessed(site, payment(site.sid));
    expect(assessment).toMatchObject({ score: 0, decision: 'ACCEPT', reasons: [], template: null, version: null });
    expect([isAssessed(assessment), writes]).toEqual([false, {}]);
    await seedLists(site.sid, { bins: ['424242'] });
    const listed = await assessed(site, payment(site.sid));
    expect(listed.assessment).toMatchObject({
      score: 100,
      decision: 'REJECT',
      reasons: ['blocked_bin'],
      failed: false,
    });
    expect([isAssessed(listed.assessment), listed.writes.velocities?.length]).toEqual([true, 4]);
  });
});

describe('a payment', () => {
  it('is assessed under its own number and kept with what it was decided on, and without what must not be kept', async () => {
    const { site } = await seedPaymentSite();
    const subject = payment(site.sid, { device: { ...aSubject().device, binCountry: 'DE' } });
    const { assessment } = await assessed(site, subject);
    expect(assessment).toMatchObject({
      fraudId: subject.txid,
      score: 20,
      decision: 'ACCEPT',
      reasons: ['bin_country_differs (+20)'],
      template: 1,
      version: 1,
      failed: false,
    });
    const item = await getItem(keys.fraudCheck(assessment.fraudId));
    expect(item && fromCheckItem(item)).toMatchObject({
      sid: site.sid,
      mid: site.mid,
      kind: 'payment',
      txid: subject.txid,
      amount: '10.00',
      currency: 'USD',
      card: { scheme: 'VISA', first6: '424242', last4: '4242' },
      facts: { bin_country: 'DE', country: 'US', is_first_transaction: true, 'velocity_count(card, 7d)': 1 },
    });
    expect(JSON.stringify(item)).not.toMatch(/anna|aaaaaaaa|203\.0|d-1|High Street/i);
    expect(item && Object.keys(fromCheckItem(item).facts)).not.toContain('shipping_country');
  });

  it('knows where its card was issued by the table of BINs, which is believed before the merchant', async () => {
    const { site } = await seedPaymentSite();
    await putItem(toBinsItem('400000', [{ from: '40000027', to: '40000027', country: 'DE' }]));
    const issued = async (bin: string, binCountry: string | null) => {
      const subject = payment(site.sid, { bin, device: { ...aSubject().device, binCountry } });
      return (await assessed(site, subject)).assessment.facts;
    };
    expect(await issued('40000027', 'US')).toMatchObject({ bin_country: 'DE', bin_country_differs: true });
    expect(await issued('40000099', 'US')).toMatchObject({ bin_country: 'US', bin_country_differs: false });
    expect(await issued('42424242', null)).toMatchObject({ bin_country: null, bin_country_differs: null });
  });

  it('sees those that were counted before it, each once', async () => {
    const { site } = await seedPaymentSite();
    const scores: number[] = [];
    for (let n = 0; n < 5; n += 1) scores.push((await assessed(site, payment(site.sid))).assessment.score);
    // From the fourth use of a card within an hour on.
    expect(scores).toEqual([0, 0, 0, 30, 30]);
    const other = await seedPaymentSite();
    expect((await assessed(other.site, payment(other.site.sid))).assessment.score).toBe(0);
    expect((await assessed(site, payment(site.sid, { kind: 'check' }))).assessment.score).toBe(0);
  });

  it('counts when many are assessed at the same time', async () => {
    const { site } = await seedPaymentSite();
    await Promise.all(Array.from({ length: 8 }, () => assessed(site, payment(site.sid))));
    const { assessment } = await assessed(site, payment(site.sid));
    expect(assessment.facts).toMatchObject({ 'velocity_count(card, 1h)': 9, 'velocity_sum(ip, 24h)': 90 });
  });

  it('counts once however often its transaction is repeated', async () => {
    const { site } = await seedPaymentSite();
    const subject = payment(site.sid);
    await assessed(site, subject);
    await expect(assessed(site, subject)).rejects.toThrow('A condition did not hold');
    expect((await assessed(site, payment(site.sid))).assessment.facts['velocity_count(card, 1h)']).toBe(2);
  });

  it('may be of a payer of whom nothing is known', async () => {
    const { site } = await seedPaymentSite();
    const subject = anonymousSubject({ sid: site.sid, txid: 7 });
    expect(fraudKeys(subject)).toEqual([keys.fraudLists(site.sid)]);
    expect((await assessed(site, subject)).assessment).toMatchObject({ decision: 'ACCEPT', score: 0 });
  });

  it('lets no old hours pile up', async () => {
    const { site } = await seedPaymentSite();
    const days = [1, 2, 3, 12, 13, 14];
    for (const day of days) {
      await assessed(site, payment(site.sid, { at: `2026-05-${String(day).padStart(2, '0')}T10:30:00.000Z` }));
    }
    const row = await getItem(keys.velocity(site.sid, `CARD#${keptCard().token}`));
    const hours = Object.keys(row ?? {}).filter((name) => /^\d{4}-.*\|p$/.test(name));
    expect(hours.sort()).toEqual(['2026-05-12T10|p', '2026-05-13T10|p', '2026-05-14T10|p']);
    expect(row).toMatchObject({ 'first|p': '2026-05-01T10:30:00.000Z' });
  });

  it('costs one read and one transaction in addition to the template’s', async () => {
    const { site } = await seedPaymentSite();
    const sent = vi.mocked(DynamoDBDocumentClient.prototype.send).mock.calls;
    const before = sent.length;
    await assessed(site, payment(site.sid));
    const names = sent.slice(before).map(([command]) => command.constructor.name);
    expect(names).toEqual(['BatchGetCommand', 'BatchGetCommand', 'TransactWriteCommand']);
  });
});

describe('lists', () => {
  it('decide before a template, a rule or a scorer is asked', async () => {
    const { site } = await seedPaymentSite({ ftid: await seedTemplate({ scorer: 'minfraud' }) });
    await seedLists(site.sid, { countries: ['DE'] }, { emails: ['anna@shop.example'] });
    expect((await assessed(site, payment(site.sid))).assessment).toMatchObject({
      decision: 'ACCEPT',
      score: 0,
      reasons: ['allowed_email'],
      template: null,
    });
    const address = { ...aSubject().payer.address, line1: '', city: '', state: '', postcode: '', country: 'DE' };
    const german = payment(site.sid, { payer: { ...aSubject().payer, address } });
    expect((await assessed(site, german)).assessment).toMatchObject({
      decision: 'REJECT',
      score: 100,
      reasons: ['blocked_country'],
    });
  });
});

describe('whom a site watches', () => {
  const rule = (of: string, effect: RuleEffect) => ({
    name: `Watched ${of}`,
    conditions: { all: [{ fact: 'watched', operator: 'equal', value: true, params: { of } }] },
    effect,
  });
  const rules = [
    rule('email', { decision: 'REVIEW' }),
    rule('card', { score: 15 }),
    rule('ip', { decision: 'REJECT' }),
  ];

  it('is for the rules to say, and is kept as yes or no alone', async () => {
    const { site } = await seedPaymentSite({ ftid: await seedTemplate({ rules }) });
    const cards = [{ token: keptCard().token, card: '424242******4242' }];
    await seedLists(site.sid, {}, {}, { emails: ['anna@shop.example'], cards, ips: ['10.0.0.1'] });
    const { assessment } = await assessed(site, payment(site.sid));
    expect(assessment).toMatchObject({
      decision: 'REVIEW',
      score: 15,
      reasons: ['Watched email (REVIEW)', 'Watched card (+15)'],
      template: lastTemplate,
    });
    const item = await getItem(keys.fraudCheck(assessment.fraudId));
    expect(item && fromCheckItem(item).facts).toMatchObject({
      'watched(email)': true,
      'watched(card)': true,
      'watched(ip)': false,
    });
    expect(JSON.stringify(item)).not.toMatch(/anna|aaaaaaaa|203\.0|10\.0\.0/i);
  });

  it('is null where the site keeps no such list, and costs a payment nothing', async () => {
    const { site } = await seedPaymentSite({ ftid: await seedTemplate({ rules }) });
    const { assessment } = await assessed(site, payment(site.sid));
    expect(assessment).toMatchObject({ decision: 'ACCEPT', score: 0, reasons: [] });
    const item = await getItem(keys.fraudCheck(assessment.fraudId));
    expect(item && Object.keys(fromCheckItem(item).facts).filter((name) => name.startsWith('watched'))).toEqual([]);
  });

  it('decides nothing without a template', async () => {
    const { site } = await seedPaymentSite({});
    await seedLists(site.sid, {}, {}, { emails: ['anna@shop.example'] });
    const { assessment, writes } = await assessed(site, payment(site.sid));
    expect([isAssessed(assessment), assessment.decision, writes]).toEqual([false, 'ACCEPT', {}]);
  });
});

describe('a template', () => {
  const night = { all: [{ fact: 'hour', operator: 'equal', value: 10 }] };

  it('adds its rules to the score and takes the strictest decision', async () => {
    const rules = [
      { name: 'Ten o’clock', conditions: night, effect: { score: 35 } },
      {
        name: 'First',
        conditions: { all: [{ fact: 'is_first_transaction', operator: 'equal', value: true }] },
        effect: { decision: '3DS' as const },
      },
      { name: 'Never', conditions: { not: night }, effect: { decision: 'REJECT' as const } },
    ];
    const { site } = await seedPaymentSite({ ftid: await seedTemplate({ rules }) });
    expect((await assessed(site, payment(site.sid))).assessment).toMatchObject({
      score: 35,
      decision: '3DS',
      reasons: ['First (3DS)', 'Ten o’clock (+35)'],
      template: lastTemplate,
      version: 1,
    });
    expect((await assessed(site, payment(site.sid))).assessment).toMatchObject({ score: 35, decision: 'REVIEW' });
  });

  it('without a scorer leaves it to its rules', async () => {
    const { site } = await seedPaymentSite({ ftid: 5 });
    const { assessment } = await assessed(
      site,
      payment(site.sid, { device: { ...aSubject().device, binCountry: 'DE' } }),
    );
    expect(assessment).toMatchObject({ score: 0, decision: 'ACCEPT', reasons: [], template: 5 });
  });

  it('passes a scorer’s score on to its rules', async () => {
    const conditions = { all: [{ fact: 'scorer_score', operator: 'greaterThan', value: 40 }] };
    const rules = [{ name: 'Risky', conditions, effect: { decision: 'REJECT' as const } }];
    const { site } = await seedPaymentSite({ ftid: await seedTemplate({ scorer: 'minfraud', rules }) });
    const scored = (points: number) => scorers(async () => ({ points, reasons: [{ name: 'minfraud', points }] }));
    const decided = async (points: number) => (await assessed(site, payment(site.sid), scored(points))).assessment;
    expect(await decided(40)).toMatchObject({ score: 40, decision: 'REVIEW', reasons: ['minfraud (+40)'] });
    expect(await decided(41)).toMatchObject({ decision: 'REJECT', reasons: ['Risky (REJECT)', 'minfraud (+41)'] });
  });
});

describe('a scorer that does not answer', () => {
  const down = scorers(() => Promise.reject(new Error('down')));
  const subject = (sid: number) => payment(sid, { device: { ...aSubject().device, binCountry: 'DE' } });

  it('leaves it to what is known here, where the site goes on without it', async () => {
    const { site } = await seedPaymentSite({ ftid: await seedTemplate({ scorer: 'minfraud' }), proceedeveniffail: 1 });
    expect((await assessed(site, subject(site.sid), down)).assessment).toMatchObject({
      decision: 'ACCEPT',
      score: 20,
      reasons: ['scorer_unavailable', 'bin_country_differs (+20)'],
      failed: false,
    });
  });

  const answering =
    (points: number): Scorer =>
    async () => ({ points, reasons: [{ name: 'sift', points }] });
  const refusing: Scorer = () => Promise.reject(new Error('down'));

  it('is followed by the others that the template names, in their order', async () => {
    const order: string[] = [];
    const told =
      (name: string, scorer: Scorer): Scorer =>
      (...given) => {
        order.push(name);
        return scorer(...given);
      };
    const ftid = await seedTemplate({ scorer: 'minfraud', fallbacks: ['sift', 'local'] });
    const { site } = await seedPaymentSite({ ftid });
    const half = scorers(told('minfraud', refusing), told('sift', answering(35)));
    expect((await assessed(site, subject(site.sid), half)).assessment).toMatchObject({
      ...{ decision: 'REVIEW', score: 35, reasons: ['sift (+35)'], failed: false },
    });
    expect(order).toEqual(['minfraud', 'sift']);
    expect((await assessed(site, subject(site.sid), down)).assessment).toMatchObject({
      ...{ decision: 'ACCEPT', reasons: ['bin_country_differs (+20)'], failed: false },
    });
  });

  it.each([
    ['local', 'ACCEPT', false],
    ['review', 'REVIEW', false],
    ['reject', 'REJECT', true],
  ] as const)('means what the template says, whatever the site does: %s', async (noAnswer, decision, failed) => {
    const ftid = await seedTemplate({ scorer: 'sift', fallbacks: ['minfraud'], noAnswer });
    const { site } = await seedPaymentSite({ ftid, proceedeveniffail: noAnswer === 'reject' ? 1 : 0 });
    expect((await assessed(site, subject(site.sid), down)).assessment).toMatchObject({
      ...{ decision, failed, score: 20 },
      reasons: ['scorer_unavailable', 'bin_country_differs (+20)'],
    });
  });

  it.each([{ proceedeveniffail: 0 }, {}])('refuses the payment where it does not: %o', async (settings) => {
    const { site } = await seedPaymentSite({ ftid: await seedTemplate({ scorer: 'minfraud' }), ...settings });
    expect((await assessed(site, subject(site.sid), down)).assessment).toMatchObject({
      decision: 'REJECT',
      reasons: expect.arrayContaining(['scorer_unavailable']),
      failed: true,
    });
  });
});
