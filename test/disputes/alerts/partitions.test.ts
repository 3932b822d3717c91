import { beforeAll, describe, expect, it } from 'vitest';
import { dueProjection, listProjection } from '#core/platform/lists/listing.ts';
import { mailIdOf } from '#core/platform/mail/mail.ts';
import { mailDue } from '#core/platform/mail/mail-due.ts';
import { indexNames } from '#core/platform/operation/grants.ts';
import type { Item } from '#core/platform/table/table.ts';
import { dueShards } from '#core/platform/work/due.ts';
import { type Alert, createAlert } from '#disputes/alerts/alert.ts';
import { alertOrderDue } from '#disputes/alerts/alert-order-due.ts';
import { toAlertItem } from '#disputes/alerts/alert-row.ts';
import { createOutcome } from '#disputes/alerts/answer/network-outcome.ts';
import { toOutcomeItem } from '#disputes/alerts/answer/network-outcome-row.ts';
import { holdDue } from '#disputes/alerts/hold-due.ts';
import { informWrites } from '#disputes/alerts/search/inform-row.ts';
import { outcomeAfterAttempt as afterSending } from '#disputes/outcomes/outcome-changes.ts';
import { createDelivery, deliveryAfterAttempt, deliveryIdOf } from '#messaging/webhooks/delivery/delivery.ts';
import { toDeliveryItem } from '#messaging/webhooks/delivery/delivery-row.ts';
import { anAttempt, resolved } from '#test/disputes/outcomes/samples.ts';
import { aProviderAlert, aSite, start } from './samples.ts';

/**
 * Computes what a thousand new alerts a second, and a thousand answers, write into each partition that all merchants share: from
 * the rows as they are written, by DynamoDB's rules for the size of index entries. Over three seconds, as DynamoDB lets a
 * partition save up unused capacity for longer than that: a single second has more or less in each by chance.
 */

const alertsPerSecond = 1000;
const seconds = 3;
const maxUnits = 1000;

/** As DynamoDB counts: names and texts by their bytes, a number by its digits, and for each list, map and member of one a little more. */
const countBytes = (value: unknown): number => {
  if (typeof value === 'string') return Buffer.byteLength(value);
  if (typeof value === 'number') return Math.ceil(String(value).length / 2) + 1;
  if (typeof value !== 'object' || value === null) return 1;
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  const names = Array.isArray(value) ? 0 : members.reduce((sum, [name]) => sum + Buffer.byteLength(name), 0);
  return 3 + names + members.reduce((sum, [, member]) => sum + 1 + countBytes(member), 0);
};
const countUnits = (item: Item): number => Math.ceil(countBytes(item) / 1024);

/** Returns the entry of a row in an index; undefined if it is not in it. */
const toEntry = (index: (typeof indexNames)[number], item: Item | undefined) => {
  const partition = item?.[`${index}Pk`];
  if (item === undefined || typeof partition !== 'string') return undefined;
  const sort = index === 'due' ? 'dueSk' : 'listSk';
  const shown = index === 'due' ? dueProjection : listProjection;
  const names = ['pk', 'sk', `${index}Pk`, sort, ...shown];
  const entry = Object.fromEntries(names.flatMap((name) => (name in item ? [[name, item[name]] as const] : [])));
  return { partition, place: `${partition} ${item[sort]}`, entry };
};

type Units = Map<string, number>;
const add = (units: Units, partition: string, n: number) => units.set(partition, (units.get(partition) ?? 0) + n);

/** One write: an entry that moves is taken out here and put in there; one that stays is written if it changed. */
const addWrite = (units: Units, before: Item | undefined, after: Item): void => {
  for (const index of indexNames) {
    const [old, now] = [toEntry(index, before), toEntry(index, after)];
    if (old && now && old.place === now.place) {
      if (JSON.stringify(old.entry) !== JSON.stringify(now.entry)) add(units, now.partition, countUnits(now.entry));
      continue;
    }
    if (old) add(units, old.partition, countUnits(old.entry));
    if (now) add(units, now.partition, countUnits(now.entry));
  }
};

const everybodys = /#all(?:\.\d+)?(?:#|$)/;
const owed = /^DUE#/;
const busiest = (units: Units, partitions: RegExp): number =>
  Math.max(...[...units].flatMap(([name, n]) => (partitions.test(name) ? [n] : []))) / seconds;

const idAt = (n: number): number => 1_077_048_135_873_257 + n * 37;
/** Each merchant has an alert: their own rows are not shared. */
const siteAt = (n: number) => aSite({ sid: n + 1, mid: n + 1, rid: n + 1 });
const newAlert = (n: number, type: 'FRAUD' | 'FRAUD_NOTICE'): Alert =>
  createAlert(idAt(n), aProviderAlert({ type, caseId: `CASE-${n}` }), start, {
    site: siteAt(n),
    matchedDescriptor: 'SHOP*',
  });
const answered = (alert: Alert): Alert => ({ ...alert, status: 'RESOLVED', update: resolved, outcomes: 1 });

const addAlert = (units: Units, n: number): void => {
  // Its e-mail, its payment and its order are due too: in and out again.
  for (const { duePk } of [
    mailDue.keys(start, mailIdOf(idAt(n))),
    holdDue.keys(start, idAt(n)),
    alertOrderDue.keys(start, idAt(n)),
  ]) {
    add(units, duePk, 2);
  }
  const alert = newAlert(n, 'FRAUD');
  const after = answered(alert);
  addWrite(units, undefined, toAlertItem(alert));
  addWrite(units, toAlertItem(alert), toAlertItem(after));
  const outcome = createOutcome(after, resolved, true, start);
  if (!outcome) throw new Error('It owes an outcome');
  addWrite(units, undefined, toOutcomeItem(outcome));
  addWrite(
    units,
    toOutcomeItem(outcome),
    toOutcomeItem(afterSending(outcome, anAttempt('accepted', start), null, start)),
  );
  for (const [kind, number] of [
    ['new_alert', idAt(n)],
    ['status_update', idAt(n + alertsPerSecond * seconds)],
  ] as const) {
    const own = { kind, sid: n + 1, mid: n + 1, rid: n + 1, alertId: idAt(n), contentType: 'application/json' };
    const delivery = createDelivery({ ...own, id: deliveryIdOf(number), body: 'b'.repeat(1000), at: start });
    const attempt = {
      ...{ id: 'a', at: start, slot: start, url: 'https://merchant.example/alerts', status: 200, error: null },
      ...{ latencyMilliseconds: 100, response: 'ok', responseTruncated: false, replyUpdate: null },
    };
    addWrite(units, undefined, toDeliveryItem(delivery));
    addWrite(units, toDeliveryItem(delivery), toDeliveryItem(deliveryAfterAttempt(delivery, attempt)));
  }
};

const informItems = (n: number): Item[] =>
  informWrites(newAlert(n, 'FRAUD_NOTICE'), siteAt(n)).flatMap(({ Put }) => (Put?.Item ? [Put.Item] : []));

describe('a thousand alerts a second', () => {
  const units: Units = new Map();
  beforeAll(() => {
    for (let n = 0; n < alertsPerSecond * seconds; n += 1) addAlert(units, n);
  });

  it('stay within the write limit of every list of all items', () => {
    expect(busiest(units, everybodys)).toBeGreaterThan(0);
    expect(busiest(units, everybodys)).toBeLessThanOrEqual(maxUnits);
  });

  it('stay within the write limit of every part of the due index', () => {
    // Seven things of an alert come in and go out again.
    expect(busiest(units, owed)).toBeGreaterThan((alertsPerSecond * 14) / dueShards);
    expect(busiest(units, owed)).toBeLessThanOrEqual(maxUnits);
  });

  it('of which a tenth inform, with the same words, leave nine tenths of the lists that those share', () => {
    const informing: Units = new Map();
    for (let n = 0; n < (alertsPerSecond * seconds) / 10; n += 1) {
      for (const item of informItems(n)) addWrite(informing, undefined, item);
    }
    // An alert has one row for each list, and a row of at most 1 KB is one unit.
    expect(busiest(informing, everybodys)).toBe(alertsPerSecond / 10);
    expect(busiest(informing, everybodys)).toBeLessThanOrEqual(maxUnits / 10);
  });
});
