import { monthlyReportDue, reportsMessage } from '#accounts/auth/users/monthly-report-due.ts';
import { fromReportReaderItem, type ReportReader } from '#accounts/auth/users/monthly-report-row.ts';
import { listPeople } from '#accounts/auth/users/people-store.ts';
import { fromMerchantItem } from '#accounts/merchants/merchant/merchant-row.ts';
import { nowIso } from '#core/kernel/clock.ts';
import { sha256 } from '#core/kernel/crypto.ts';
import { readAssetBytes } from '#core/platform/http/asset-store.ts';
import { readPage } from '#core/platform/lists/listing-store.ts';
import { createMail, type Mail } from '#core/platform/mail/mail.ts';
import { toMailItem } from '#core/platform/mail/mail-row.ts';
import { requireNew } from '#core/platform/table/item.ts';
import { keys } from '#core/platform/table/keys.ts';
import { ConditionFailedError, getItem, putItem, queryItems } from '#core/platform/table/table.ts';
import { sendOrThrow } from '#core/platform/work/queue-store.ts';
import { alertEntity, type StoredSummary } from '#disputes/alerts/alert-row.ts';
import { costReportOf } from '#disputes/costs/cost-day.ts';
import { costDays } from '#disputes/costs/cost-store.ts';
import { readAlertDays } from '#disputes/reports/alert-day-store.ts';
import { alertReportOf } from '#disputes/reports/report.ts';
import type { SentLetter } from '#messaging/mail/mail-flow.ts';
import { type MonthFacts, monthDue, type ReportFacts, reportLetter, reportSpan } from './monthly-report.ts';

/** The users whose e-mails one message begins. */
const readersAtOnce = 50;
const [pageSize, maxPages] = [200, 5];

/**
 * Begins the e-mails with the reports of the month before, if they are due: one for each user and month, however often and from wherever this
 * is called, since the identifier of an e-mail follows from both. `after`: the last user of the message before; null: none.
 */
export const beginMonthlyReports = async (after: string | null): Promise<void> => {
  const at = nowIso();
  const month = monthDue(at);
  if (month === undefined) return;
  const { items, lastKey } = await queryItems({
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': keys.monthlyReport('').pk },
    Limit: readersAtOnce,
    ...(after !== null && { ExclusiveStartKey: keys.monthlyReport(after) }),
  });
  for (const reader of items.flatMap((item) => fromReportReaderItem(item) ?? [])) await beginReport(reader, month, at);
  if (lastKey) await sendOrThrow([monthlyReportDue.message(reportsMessage(String(lastKey['sk'])))]);
};

/** No e-mail for users who can no longer sign in, or have no address. */
const beginReport = async ({ username, mid }: ReportReader, month: string, at: string): Promise<void> => {
  const person = (await listPeople(mid)).find((one) => one.username === username);
  if (!person || person.email === '') return;
  const id = `eml_report_${sha256(`${username} ${month}`).slice(0, 32)}`;
  const mail = createMail({ id, kind: 'monthly_report', sid: 0, mid, to: [person.email], at });
  await putItem(toMailItem(mail), requireNew).catch((error: unknown) => {
    if (!(error instanceof ConditionFailedError)) throw error;
  });
};

/** The content of such an e-mail, with the report as it stands now. */
export const findMonthlyReport = async ({ mid, createdAt }: Mail): Promise<SentLetter> => {
  const month = reportSpan(createdAt, 1).from.slice(0, '2026-10'.length);
  const [merchant, now, before] = await Promise.all([
    getItem(keys.merchant(mid)),
    readMonth(mid, reportSpan(month)),
    readMonth(mid, reportSpan(month, 1)),
  ]);
  const facts: ReportFacts = { merchant: fromMerchantItem(merchant)?.name ?? '', month, now, before, at: nowIso() };
  // Other e-mails do without the PDF library.
  const { makeReportPdf } = await import('./monthly-report-pdf.ts');
  const bytes = await makeReportPdf(facts, readAssetBytes);
  return { ...reportLetter(facts), attachment: { name: `report-${month}.pdf`, type: 'application/pdf', bytes } };
};

const readMonth = async (mid: number, { from, to }: { from: string; to: string }): Promise<MonthFacts> => {
  const owner = `M${mid}`;
  const [days, costs, alerts] = await Promise.all([
    readAlertDays(owner, from, to),
    costDays(owner, from, to),
    readAlerts(owner, from, to),
  ]);
  return {
    totals: alertReportOf(days, 'month').totals,
    spent: costReportOf(costs, 'month').totals.spent,
    ...alerts,
  };
};

/** The newest alerts of some days. */
const readAlerts = async (scope: string, from: string, to: string): Promise<Pick<MonthFacts, 'alerts' | 'isWhole'>> => {
  const alerts: StoredSummary[] = [];
  let cursor: string | null = null;
  for (let page = 0; page < maxPages; page += 1) {
    const read: Awaited<ReturnType<typeof readPage<StoredSummary>>> = await readPage({
      ...{ entity: alertEntity, scopeIndex: 2, scope, order: 'DESC', size: pageSize },
      ...{ from, to: `${to}T24` },
      ...(cursor !== null && { cursor }),
    });
    alerts.push(...read.list);
    cursor = read.next_cursor;
    if (cursor === null) break;
  }
  return { alerts, isWhole: cursor === null };
};
