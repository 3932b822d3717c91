import * as v from 'valibot';
import { milliseconds } from '#core/kernel/clock.ts';
import { type Item, requireNew, requireVersion, type Write } from '#core/platform/table/item.ts';
import { keys } from '#core/platform/table/keys.ts';
import { defineRow } from '#core/platform/table/row.ts';
import type { MessagePosition } from '#disputes/providers/message-position.ts';
import type { WithdrawnCase } from '#disputes/providers/provider-alert.ts';
import { type AlertProvider, caseNameOf } from '#disputes/providers/providers.ts';
import { type Alert, disputeCaseIdOf, makesDuplicates } from '../alert.ts';
import {
  duplicateOf,
  type Fingerprints,
  type FirstDispute,
  findSameTransaction,
  isOtherPart,
  partName,
} from './fingerprints.ts';

/** The result of a provider's case: enough to answer the case again and to find its alert and site. */
export type Case = { alertId: number; isDuplicate: boolean; sid: number | null };

const CaseRow = defineRow<Case>({
  entity: 'CASE',
  attribute: 'case',
  schema: v.looseObject({ alertId: v.number(), isDuplicate: v.boolean(), sid: v.nullable(v.number()) }),
});

/** A withdrawal that arrived before its case, in the case's place. `at`: ISO, when it arrived. */
export type EarlyWithdrawal = { at: string; order: MessagePosition; version: number };

const EarlyWithdrawalRow = defineRow<EarlyWithdrawal>({
  entity: 'EARLY_WITHDRAWAL',
  attribute: 'withdrawal',
  schema: v.looseObject({
    at: v.string(),
    order: v.looseObject({ sequence: v.nullable(v.number()), date: v.string() }),
    version: v.number(),
  }),
});

/** Providers send again what was not accepted for some days; a case that arrives later than this is a new dispute. */
const withdrawalKeptMilliseconds = 30 * milliseconds.day;

/** Reads an early withdrawal back; one that is no longer kept must still be replaced. */
export const fromEarlyWithdrawalItem = EarlyWithdrawalRow.find;

/** Checks whether an early withdrawal still applies at a time (ISO). */
export const isWithdrawalKept = ({ at }: EarlyWithdrawal, now: string): boolean =>
  Date.parse(now) - Date.parse(at) < withdrawalKeptMilliseconds;

/** The state in which a case's place must be: empty, or with the withdrawal that was read there. */
const placeCondition = (before: EarlyWithdrawal | undefined) =>
  before ? requireVersion(before.version, 'withdrawal') : requireNew;

/** The part of a transaction that keeps a withdrawal until its case arrives, in place of `before`. `at`: ISO. */
export const earlyWithdrawalWrite = (
  provider: AlertProvider,
  { caseId, position }: WithdrawnCase,
  before: EarlyWithdrawal | undefined,
  at: string,
): Write => ({
  Put: {
    Item: {
      ...keys.providerCase(provider, caseId),
      ...EarlyWithdrawalRow.stamp,
      withdrawal: { at, order: position, version: (before?.version ?? 0) + 1 } satisfies EarlyWithdrawal,
      ttl: Math.ceil((Date.parse(at) + withdrawalKeptMilliseconds) / milliseconds.second),
    },
    ...placeCondition(before),
  },
});

const DisputeRow = defineRow<FirstDispute>({
  entity: 'DISPUTE',
  attribute: 'first',
  schema: v.looseObject({
    alertId: v.number(),
    hasArn: v.boolean(),
    arn: v.optional(v.string()),
    caseId: v.optional(v.number()),
    charged: v.optional(v.object({ card: v.string(), amount: v.string(), disputed: v.optional(v.string()) })),
  }),
});

/** The first dispute of a fingerprint. `stands`: whether its alert still makes later ones duplicates. */
export type KnownDispute = FirstDispute & { stands: boolean };

const CaseAlertRow = defineRow<{ alertId: number }>({
  entity: 'CASE_ALERT',
  attribute: null,
  schema: v.looseObject({ alertId: v.number() }),
});

const toCaseItem = ({ alertId, providerAlert, owner, duplicateOf: first }: Alert): Item => ({
  ...keys.providerCase(providerAlert.provider, caseNameOf(providerAlert.provider, providerAlert.caseId, owner?.mid)),
  ...CaseRow.stamp,
  case: { alertId, isDuplicate: first !== null, sid: owner?.sid ?? null } satisfies Case,
});

/** Reads a case back. */
export const fromCaseItem = CaseRow.find;

/** The part of a transaction that records a case. Its condition fails if the case is already known, or was withdrawn since `before`. */
export const newCaseWrite = (alert: Alert, before?: EarlyWithdrawal): Write => ({
  Put: { Item: toCaseItem(alert), ...placeCondition(before) },
});

/** The part of a transaction that rewrites a known case. */
export const changedCaseWrite = (alert: Alert): Write => ({ Put: { Item: toCaseItem(alert) } });

/** The first dispute of each fingerprint that has one. */
export const firstDisputes = (
  names: readonly string[],
  items: readonly (Item | undefined)[],
): Map<string, FirstDispute> =>
  new Map(
    names.flatMap((name, index) => {
      const first = DisputeRow.find(items[index]);
      return first ? [[name, first] as const] : [];
    }),
  );

/** The number of a later alert of a dispute case; undefined for other rows of the case's partition. */
export const fromCaseAlertItem = (item: Item): number | undefined =>
  item['entity'] === CaseAlertRow.stamp.entity ? CaseAlertRow.read(item).alertId : undefined;

/** The parts of a transaction that add an alert to its dispute case; none for the case's first alert. */
export const caseAlertWrites = (alert: Alert): Write[] => {
  const [caseId, { alertId }] = [disputeCaseIdOf(alert), alert];
  if (caseId === alertId) return [];
  return [{ Put: { Item: { ...keys.caseAlert(caseId, alertId), ...CaseAlertRow.stamp, alertId } } }];
};

/** The dispute case of an alert with these fingerprints; undefined if it begins one. */
const findCase = (fingerprints: Fingerprints, firsts: ReadonlyMap<string, FirstDispute>): number | undefined => {
  const first = findSameTransaction(fingerprints, firsts);
  return first?.caseId ?? first?.alertId;
};

/**
 * The alert as the duplicate it is, if it is one, in its dispute case, and the parts of a transaction that write its fingerprints: those
 * that no alert has, or only one that makes no duplicates. Their conditions fail if another alert has written one meanwhile; `name` says which.
 */
export const fingerprintAlert = (
  alert: Alert,
  sid: number,
  fingerprints: Fingerprints,
  firsts: ReadonlyMap<string, KnownDispute>,
): { alert: Alert; writes: { name: string; write: Write }[] } => {
  const others = [...firsts].filter(([, { alertId }]) => alertId !== alert.alertId);
  const standing = new Map(others.filter(([, { stands }]) => stands));
  const caseId = findCase(fingerprints, standing) ?? findCase(fingerprints, new Map(others)) ?? disputeCaseIdOf(alert);
  const isOthers = caseId !== alert.alertId;
  const first: FirstDispute = {
    alertId: alert.alertId,
    hasArn: fingerprints.arn !== null,
    arn: fingerprints.stated,
    charged: fingerprints.charged,
    ...(isOthers && { caseId }),
  };
  const isFree = (name: string) => !firsts.has(name) || firsts.get(name)?.stands === false;
  const names = [fingerprints.arn, fingerprints.card].filter((name) => name !== null);
  // A part has a name of its own only where another part was disputed first.
  const own = names.map((name) =>
    isFree(name) || !isOtherPart(fingerprints.charged, firsts.get(name)?.charged) ? name : partName(name, fingerprints),
  );
  const free = makesDuplicates(alert) ? own.filter(isFree) : [];
  return {
    alert: {
      ...alert,
      duplicateOf: duplicateOf(fingerprints, standing),
      ...(isOthers && { disputeCase: caseId }),
    },
    writes: free.map((name) => ({
      name,
      write: {
        Put: {
          Item: { ...keys.firstDispute(sid, name), ...DisputeRow.stamp, first },
          ...fingerprintCondition(firsts.get(name)),
        },
      },
    })),
  };
};

/** The state in which a fingerprint's row must be: absent, or of the alert that was read there. */
const fingerprintCondition = (before: FirstDispute | undefined) =>
  before
    ? {
        ConditionExpression: '#first.#alertId = :alertId',
        ExpressionAttributeNames: { '#first': 'first', '#alertId': 'alertId' },
        ExpressionAttributeValues: { ':alertId': before.alertId },
      }
    : requireNew;
