import { milliseconds, nowIso } from '#core/kernel/clock.ts';
import { newTimedId } from '#core/kernel/ids.ts';
import { cursorWords } from '#core/platform/lists/cursor.ts';
import { readPage } from '#core/platform/lists/listing-store.ts';
import { Refusal } from '#core/platform/operation/errors.ts';
import { visibleOrRefuse } from '#core/platform/operation/merchant-access.ts';
import type { Caller } from '#core/platform/operation/operation.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItem, transact } from '#core/platform/table/table.ts';
import { sendOrThrow } from '#core/platform/work/queue-store.ts';
import { alertEntity } from '#disputes/alerts/alert-row.ts';
import type { Rule, RuleFields, RuleOwner } from '#disputes/alerts/automatic/rule.ts';
import { backTestReportOf, draftId } from './back-test.ts';
import { backTestDue } from './back-test-due.ts';
import {
  alertListOf,
  type BackTest,
  type Draft,
  fromBackTestItem,
  fromDifferencesItem,
  newBackTestWrites,
} from './back-test-row.ts';

type Wanted = { days: number; draft: { site: readonly RuleFields[] | null; merchant: readonly RuleFields[] | null } };

const draftRules = (
  book: keyof Draft,
  owner: RuleOwner,
  fields: readonly RuleFields[] | null,
  made: Pick<Rule, 'createdAt' | 'updatedAt' | 'by'>,
): Rule[] | null =>
  fields?.map((one, index) => ({ ...owner, ...one, ...made, id: draftId(book, index), version: 0 })) ?? null;

/** Begins a back-test, which a worker then runs. */
export const beginBackTest = async (owner: RuleOwner, { days, draft }: Wanted, by: string): Promise<BackTest> => {
  const at = nowIso();
  const from = new Date(Date.parse(at) - days * milliseconds.day).toISOString();
  const list = { entity: alertEntity, ...alertListOf(owner), from, to: at, order: 'ASC', size: 1 } as const;
  const { totalResult } = await readPage(list);
  const backTest: BackTest = {
    ...owner,
    id: `bt_${newTimedId()}`,
    state: 'RUNNING',
    error: null,
    from,
    to: at,
    by,
    startedAt: at,
    updatedAt: at,
    expected: totalResult,
    read: 0,
    cursor: null,
    versions: {},
    days: {},
    pending: [],
    pages: 0,
    differing: 0,
    version: 1,
  };
  const made = { createdAt: at, updatedAt: at, by };
  const rules: Draft = {
    site: draftRules('site', owner, draft.site, made),
    merchant: draftRules('merchant', { mid: owner.mid, sid: null }, draft.merchant, made),
  };
  await transact({ backTest: newBackTestWrites(backTest, rules) });
  await sendOrThrow([backTestDue.message({ backTestId: backTest.id })]);
  return backTest;
};

/** Returns the progress of a back-test, and a page of the alerts on which the two differ. Throws back_test_not_found, request_invalid. */
export const backTestForCaller = async (id: string, sent: string | undefined, caller: Caller) => {
  const known = fromBackTestItem(await getItem(keys.backTest(id)));
  const backTest = visibleOrRefuse(known, caller, 'back_test_not_found', 'id: you have no such back-test.');
  const page = sent === undefined ? 0 : Number(sent);
  const isPage = sent === undefined || /^[1-9]\d{0,5}$/.test(sent);
  if (!isPage || page > backTest.pages) throw new Refusal('request_invalid', cursorWords);
  const list =
    page < backTest.pages ? fromDifferencesItem(await getItem(keys.backTestPage(id, page))) : backTest.pending;
  const isLast = page >= backTest.pages || (page + 1 === backTest.pages && backTest.pending.length === 0);
  return {
    ...toBackTestDto(backTest),
    ...backTestReportOf(backTest.days),
    differing: backTest.differing,
    differences: [...list],
    next_cursor: isLast ? null : String(page + 1),
  };
};

export const toBackTestDto = ({ id, state, error, from, to, expected, read, startedAt, updatedAt }: BackTest) => ({
  back_test_id: id,
  state,
  error,
  from,
  to,
  progress: { read, expected: Math.max(expected, read) },
  started_at: startedAt,
  updated_at: updatedAt,
});
