import { SESv2Client, SendEmailCommand } from '@aws-sdk/client-sesv2';
import { PDFDocument, PDFPage } from '@cantoo/pdf-lib';
import { mockClient } from 'aws-sdk-client-mock';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { reportsMessage } from '#accounts/auth/users/monthly-report-due.ts';
import { newUser } from '#accounts/auth/users/user.ts';
import { toUserItem } from '#accounts/auth/users/user-row.ts';
import { changeUser, findUser } from '#accounts/auth/users/user-store.ts';
import { setClock } from '#core/kernel/clock.ts';
import { sha256 } from '#core/kernel/crypto.ts';
import { placeAssets, readAssetBytes } from '#core/platform/http/asset-store.ts';
import type { Mail } from '#core/platform/mail/mail.ts';
import { fromMailItem } from '#core/platform/mail/mail-row.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItem, putItem } from '#core/platform/table/table.ts';
import { createAlert } from '#disputes/alerts/alert.ts';
import { toAlertItem } from '#disputes/alerts/alert-row.ts';
import { letterFontFiles } from '#disputes/chargebacks/letter/letter-font-files.ts';
import { slotMessages } from '#jobs/due-routing.ts';
import { type MonthFacts, monthDue, reportBlocks, reportLetter, reportSpan } from '#jobs/monthly-report.ts';
import { makeReportPdf } from '#jobs/monthly-report-pdf.ts';
import { handler } from '#jobs/send-mail/handler.ts';
import { tallyAlerts } from '#jobs/tally-store.ts';
import { aProviderAlert, aSite } from '#test/disputes/alerts/samples.ts';
import { fresh, seedSite } from '#test/disputes/alerts/seed.ts';
import { fakeQueues, sqsEvent } from '#test/messaging/support.ts';
import { ask, useOperations } from '#test/support/operations.ts';

useOperations();
placeAssets(letterFontFiles);
process.env['MAIL_FROM'] = 'alerts@forewarn.example';
const ses = mockClient(SESv2Client);
const queues = fakeQueues();
let now = '';
beforeEach(() => {
  now = '2026-05-02T10:00:00.000Z';
  setClock(() => Date.parse(now));
  ses.reset();
  ses.on(SendEmailCommand).resolves({ MessageId: 'm' });
  queues.sent.length = 0;
});
afterEach(() => {
  setClock();
  vi.restoreAllMocks();
});

const run = async (...messages: object[]): Promise<number> =>
  (await handler(sqsEvent(messages))).batchItemFailures.length;
const sweep = reportsMessage(null);

/** The e-mails that await sending, of a merchant, by those whose rows were written. */
const begun = async (username: string, month: string): Promise<Mail | undefined> => {
  const item = await getItem(keys.mail(`eml_report_${sha256(`${username} ${month}`).slice(0, 32)}`));
  return item && fromMailItem(item);
};

/** A merchant whose analyst has chosen the report, with alerts that were answered by refunds or left to expire. */
const withReport = async (email?: string) => {
  const { mid, sid } = await seedSite({});
  const username = `merchant-${mid}`;
  const name = { username, scope: 'merchant', mid, role: 'analyst', name: 'Ann' } as const;
  await putItem(toUserItem(newUser({ ...name, email: email ?? `ann@${mid}.example` }, now)));
  const choose = (monthly_report: boolean) =>
    ask('auth/set-own-settings', { as: { mid, role: 'analyst' }, body: { monthly_report } });
  expect(await choose(true)).toMatchObject({ status: 200, body: { monthly_report: true } });
  const receive = async (at: string, amount: string, currency = 'USD', change: object = {}) => {
    const owner = { site: aSite({ mid, sid }), matchedDescriptor: 'SHOP' };
    const alert = createAlert(fresh(), aProviderAlert({ type: 'DISPUTE', amount, currency }), at, owner);
    const update = { status: 'RESOLVED', reason_code: '100.001' } as const;
    await putItem(toAlertItem({ ...alert, status: 'RESOLVED', update, updatedAt: at, version: 2, ...change }));
    await tallyAlerts([alert.alertId]);
  };
  return { mid, username, choose, receive };
};

describe('the day of monthly reports', () => {
  it.each([
    ['2026-05-31T23:59:59.999Z', undefined],
    ['2026-06-01T00:00:00.000Z', undefined],
    ['2026-06-01T12:00:00.000Z', '2026-05'],
    ['2026-06-03T12:00:00.000Z', '2026-05'],
    ['2026-06-04T00:00:00.000Z', undefined],
    ['2027-01-01T12:00:00.000Z', '2026-12'],
  ])('at %s is that of the month %s', (at, month) => {
    expect(monthDue(at)).toBe(month);
  });

  it.each([
    ['2026-03', 0, { from: '2026-03-01', to: '2026-03-31' }],
    ['2026-03', 1, { from: '2026-02-01', to: '2026-02-28' }],
    ['2026-01', 1, { from: '2025-12-01', to: '2025-12-31' }],
    ['2028-02', 0, { from: '2028-02-01', to: '2028-02-29' }],
  ])('ends the month %s, %i before: %o', (month, back, span) => {
    expect(reportSpan(month, back)).toEqual(span);
  });

  it('is found by every sweep', () => {
    expect(slotMessages).toContainEqual({ queue: 'mail', body: sweep });
  });
});

describe('a monthly report', () => {
  it('is sent once to each user who chose it, as a PDF, however often sweeps begin it', async () => {
    const { username, mid, receive } = await withReport();
    await receive('2026-05-10T10:00:00.000Z', '1250.00');
    await receive('2026-05-31T23:59:59.000Z', '50.00');
    await receive('2026-06-01T00:00:00.000Z', '7.00');
    await receive('2026-04-30T10:00:00.000Z', '100.00');
    now = '2026-05-31T12:00:00.000Z';
    expect(await run(sweep)).toBe(0);
    expect(await begun(username, '2026-05')).toBeUndefined();
    now = '2026-06-01T12:00:00.000Z';
    expect(await run(sweep, sweep)).toBe(0);
    const mail = await begun(username, '2026-05');
    expect(mail).toMatchObject({ to: [`ann@${mid}.example`], state: 'PENDING' });
    const drawn = vi.spyOn(PDFPage.prototype, 'drawText');
    expect(await run({ mailId: mail?.id }, { mailId: mail?.id })).toBeLessThanOrEqual(1);
    now = '2026-06-02T12:00:00.000Z';
    expect(await run(sweep, { mailId: mail?.id })).toBe(0);
    const calls = ses.commandCalls(SendEmailCommand).map(({ args }) => args[0].input);
    const own = calls.filter(({ Destination }) => Destination?.ToAddresses?.[0] === `ann@${mid}.example`);
    expect(own).toHaveLength(1);
    const { Subject, Attachments } = own[0]?.Content?.Simple ?? {};
    expect(Subject?.Data).toBe('Your report of May 2026: 1,300.00 USD avoided');
    expect(Attachments).toMatchObject([
      { FileName: 'report-2026-05.pdf', ContentType: 'application/pdf', ContentTransferEncoding: 'BASE64' },
    ]);
    const pdf = await PDFDocument.load(Attachments?.[0]?.RawContent ?? new Uint8Array());
    expect(pdf.getPageCount()).toBe(1);
    const text = drawn.mock.calls.map(([one]) => one).join('\n');
    expect(text).toMatch(/May 2026\nApril 2026\nChargebacks avoided by refunds in time\n1,300\.00 USD\n100\.00 USD/);
    expect(text).not.toContain('7.00 USD');
  });

  it('has nothing of another merchant', async () => {
    const [first, second] = [await withReport(), await withReport()];
    await first.receive('2026-05-10T10:00:00.000Z', '11.00');
    await second.receive('2026-05-10T10:00:00.000Z', '22.00');
    now = '2026-06-01T12:00:00.000Z';
    await run(sweep);
    await run({ mailId: (await begun(first.username, '2026-05'))?.id });
    const texts = ses
      .commandCalls(SendEmailCommand)
      .map(({ args }) => JSON.stringify(args[0].input.Content?.Simple?.Body));
    expect(texts).toEqual([expect.stringContaining('11.00 USD')]);
    expect(texts[0]).not.toContain('22.00');
  });

  it('is begun by a later sweep where the first was lost, and not for users who left or have no address', async () => {
    const [left, mute, stopped, late] = [
      await withReport(),
      await withReport(''),
      await withReport(),
      await withReport(),
    ];
    const user = await findUser(left.username);
    if (!user) throw new Error('There is no user');
    await changeUser(user, { ...user, disabled: true });
    await stopped.choose(false);
    now = '2026-06-03T00:00:00.000Z';
    expect(await run(sweep)).toBe(0);
    expect(
      await Promise.all(
        [left, mute, stopped, late].map(async ({ username }) => Boolean(await begun(username, '2026-05'))),
      ),
    ).toEqual([false, false, false, true]);
  });

  it('goes on in another message after fifty users', async () => {
    const all = Array.from({ length: 53 }, (_, index) => `reader-${String(index).padStart(2, '0')}@m9`);
    for (const username of all) {
      await putItem({
        ...keys.monthlyReport(username),
        entity: 'MONTHLY_REPORT',
        schemaVersion: 1,
        username,
        mid: 999,
      });
    }
    now = '2026-06-01T12:00:00.000Z';
    expect(await run(sweep)).toBe(0);
    const next = queues.sent.map(({ body }) => body).filter((body) => 'reportsAfter' in body);
    expect(next).toHaveLength(1);
    queues.sent.length = 0;
    expect(await run(...next)).toBe(0);
    expect(queues.sent.filter(({ body }) => 'reportsAfter' in body)).toEqual([]);
  });
});

const totals = {
  ...{ received: 0, by_type: {}, open: 0, resolved: 0, declined: 0, expired: 0, withdrawn: 0, informational: 0 },
  ...{ in_time: 0, by_rule: 0, refunded: [], refunded_elsewhere: [], prevented: [], lost: [], median_minutes: null },
};
const aMonth = (change: object, more: Partial<MonthFacts> = {}) =>
  ({ totals: { ...totals, ...change }, spent: [], alerts: [], isWhole: true, ...more }) as unknown as MonthFacts;
const rowsOf = (now: MonthFacts, before = aMonth({})) =>
  reportBlocks({
    merchant: 'Harbour 4242424242424242',
    month: '2026-10',
    now,
    before,
    at: '2026-11-01T12:00:00.000Z',
  }).map(({ text, cells = [] }) => [text, ...cells].join(' | '));
const usd = (amount: string) => ({ currency: 'USD', amount });

describe('the page of a monthly report', () => {
  it('takes fees off what was avoided, below zero where they were more, and never adds up currencies', () => {
    const yen = { currency: 'JPY', amount: '90000' };
    const rows = rowsOf(aMonth({ prevented: [usd('10.00'), yen] }, { spent: [usd('25.50')] }));
    expect(rows).toContain('Saved after fees | −15.50 USD | 0.00 USD');
    expect(rows).toContain('Alert fees | −25.50 USD | 0.00 USD');
    expect(rows).toContain('Chargebacks avoided by refunds in time | 90,000 JPY | 0 JPY');
    expect(rows.filter((row) => row.startsWith('Saved after fees'))).toHaveLength(1);
    expect(rows).toContain('Money, JPY | October 2026 | September 2026');
  });

  it('shows large amounts whole, and with their currency', async () => {
    const drawn = vi.spyOn(PDFPage.prototype, 'drawText');
    const now = aMonth({ prevented: [{ currency: 'IDR', amount: '12345678901234.00' }], received: 1 });
    const facts = { merchant: 'Toko', month: '2026-10', now, before: aMonth({}), at: '2026-11-01T12:00:00.000Z' };
    await makeReportPdf(facts, readAssetBytes);
    expect(drawn.mock.calls.map(([text]) => text)).toContain('12,345,678,901,234.00 IDR');
  });

  it('says where the parts are not of all alerts, shows no card number, and has words for a month without alerts', () => {
    expect(rowsOf(aMonth({}, { isWhole: false })).at(-1)).toMatch(/newest 1,000 alerts of a month only/);
    expect(rowsOf(aMonth({})).join('\n')).not.toMatch(/newest|4242424242424242/);
    expect(rowsOf(aMonth({}))[1]).toBe('No alerts');
    const facts = {
      merchant: '',
      month: '2026-10',
      now: aMonth({}),
      before: aMonth({}),
      at: '2026-11-01T12:00:00.000Z',
    };
    expect(reportLetter(facts)).toMatchObject({ link: { path: '#/reports?from=2026-10-01&to=2026-10-31' } });
  });
});
