import * as v from 'valibot';
import { milliseconds } from '#core/kernel/clock.ts';
import { numbers, texts } from '#core/kernel/schema/shape-fields.ts';
import { changedRow, type Item, newRow, type Write } from '#core/platform/table/item.ts';
import { keys } from '#core/platform/table/keys.ts';
import { defineRow } from '#core/platform/table/row.ts';
import type { Rule, RuleOwner } from '#disputes/alerts/automatic/rule.ts';
import { RuleShape } from '#disputes/alerts/automatic/rule-row.ts';
import type { BackTestDifference, DaySums } from './back-test.ts';
import { backTestDue } from './back-test-due.ts';

/** The rules that a back-test tries; null: today's. */
export type Draft = { site: readonly Rule[] | null; merchant: readonly Rule[] | null };

/** The progress of a back-test. */
export type BackTest = RuleOwner & {
  id: string;
  state: 'RUNNING' | 'DONE' | 'FAILED';
  /** Why it failed; null if it did not. */
  error: string | null;
  /** Which alerts: received from … to, ISO. */
  from: string;
  to: string;
  by: string;
  startedAt: string;
  updatedAt: string;
  /** The number of alerts when it began, and the number that were read. */
  expected: number;
  read: number;
  /** Where reading goes on, with what each side has refunded on that day; null: at the beginning. */
  cursor: { today: string; draft: string } | null;
  /** The versions of the books that were read: see `hasChanged`. */
  versions: Readonly<Record<string, number>>;
  days: Readonly<Record<string, DaySums>>;
  /** Differences that do not fill a page yet, how many pages are full, and how many there are in all. */
  pending: readonly BackTestDifference[];
  pages: number;
  differing: number;
  version: number;
};

/** As many differences as one answer carries. */
export const differencesPerPage = 100;

const keptMilliseconds = 30 * milliseconds.day;
const testTtl = (startedAt: string): number =>
  Math.ceil((Date.parse(startedAt) + keptMilliseconds) / milliseconds.second);

const VerdictShape = v.looseObject({
  rule_id: v.nullable(v.number()),
  draft_rule: v.nullable(v.string()),
  would: v.string(),
  reason: v.nullable(v.string()),
});
const DifferenceShape = v.looseObject({
  alert_id: v.number(),
  sid: v.number(),
  ...texts('alert_date', 'alert_type', 'amount', 'currency'),
  today: v.nullable(VerdictShape),
  draft: v.nullable(VerdictShape),
});

const BackTestRow = defineRow<BackTest>({
  entity: 'BACK_TEST',
  attribute: 'backTest',
  schema: v.looseObject({
    ...texts('id', 'state', 'from', 'to', 'by', 'startedAt', 'updatedAt'),
    ...numbers('mid', 'expected', 'read', 'pages', 'differing', 'version'),
    sid: v.nullable(v.number()),
    error: v.nullable(v.string()),
    cursor: v.nullable(v.looseObject({ today: v.string(), draft: v.string() })),
    versions: v.record(v.string(), v.number()),
    days: v.record(v.string(), v.record(v.string(), v.number())),
    pending: v.array(DifferenceShape),
  }),
});

const DraftRow = defineRow<Draft>({
  entity: 'BACK_TEST_DRAFT',
  attribute: 'draft',
  schema: v.looseObject({ site: v.nullable(v.array(RuleShape)), merchant: v.nullable(v.array(RuleShape)) }),
});

const PageRow = defineRow<{ differences: readonly BackTestDifference[] }>({
  entity: 'BACK_TEST_PAGE',
  attribute: null,
  schema: v.looseObject({ differences: v.array(DifferenceShape) }),
});

const toItem = (backTest: BackTest): Item => ({
  ...keys.backTest(backTest.id),
  ...BackTestRow.stamp,
  id: backTest.id,
  ...(backTest.state === 'RUNNING' && backTestDue.keys(backTest.updatedAt, backTest.id)),
  ttl: testTtl(backTest.startedAt),
  backTest,
});

/** Reads one back. */
export const fromBackTestItem = BackTestRow.find;

export const fromDraftItem = DraftRow.find;

export const fromDifferencesItem = (item: Item | undefined): readonly BackTestDifference[] =>
  PageRow.find(item)?.differences ?? [];

/** Parts of a transaction: a new back-test with its draft. */
export const newBackTestWrites = (backTest: BackTest, draft: Draft): Write[] => [
  newRow(toItem(backTest)),
  {
    Put: {
      Item: { ...keys.backTestDraft(backTest.id), ...DraftRow.stamp, ttl: testTtl(backTest.startedAt), draft },
    },
  },
];

/** Parts of a transaction: the new progress, with the pages of differences that were filled. Fails if another process was faster. */
export const progressWrites = (
  backTest: BackTest,
  pages: readonly { number: number; differences: readonly BackTestDifference[] }[],
): Write[] => [
  changedRow(toItem(backTest), backTest.version - 1, 'backTest'),
  ...pages.map(({ number, differences }) => ({
    Put: {
      Item: {
        ...keys.backTestPage(backTest.id, number),
        ...PageRow.stamp,
        ttl: testTtl(backTest.startedAt),
        differences,
      },
    },
  })),
];

/** The list of the alerts that it reads. */
export const alertListOf = ({ mid, sid }: RuleOwner) =>
  sid === null ? ({ scopeIndex: 2, scope: `M${mid}` } as const) : ({ scopeIndex: 4, scope: `S${sid}` } as const);
