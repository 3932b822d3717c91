import { marshall } from '@aws-sdk/util-dynamodb';
import { describe, expect, it } from 'vitest';
import { countAttribute, countLevels, facetOf } from '#core/platform/lists/listing.ts';
import type { Item, Write } from '#core/platform/table/table.ts';
import { type Alert, isOpen } from '#disputes/alerts/alert.ts';
import { toAlertItem } from '#disputes/alerts/alert-row.ts';
import type { AlertUpdate } from '#disputes/alerts/answer/alert-update.ts';
import { toOutcomeItem } from '#disputes/alerts/answer/network-outcome-row.ts';
import { entryOfChange } from '#disputes/alerts/history/history.ts';
import { changedAlertWrites } from '#disputes/alerts/history/history-row.ts';
import { chargebackAfter } from '#disputes/chargebacks/chargeback.ts';
import { chargebackWrite } from '#disputes/chargebacks/chargeback-row.ts';
import { outcomeAfterAttempt as afterOutcome } from '#disputes/outcomes/outcome-changes.ts';
import {
  deliveryAfterAttempt as afterDelivery,
  createDelivery,
  deliveryStates,
} from '#messaging/webhooks/delivery/delivery.ts';
import { deliveryKinds } from '#messaging/webhooks/delivery/delivery-policy.ts';
import { toDeliveryItem } from '#messaging/webhooks/delivery/delivery-row.ts';
import type { DisputePlace, ProcessorDispute } from '#payments/processors/ports/dispute.ts';
import { anAlert } from '#test/disputes/alerts/samples.ts';
import { anAttempt, anOutcome, minutesAfter } from '#test/disputes/outcomes/samples.ts';

/** A row has at most 400 KB, and one that would have more is not written: what grows has an end before that. */
const most = 400 * 1024;

/** More than DynamoDB counts, which leaves out the names of types. */
const rowBytes = (item: Item): number =>
  Buffer.byteLength(JSON.stringify(marshall(item, { removeUndefinedValues: true })));

const putItem = ({ Put }: Write): Item => Put?.Item ?? {};

/** In UTF-8 three times as long as in characters. */
const wide = (length: number): string => '€'.repeat(length);
const at = (n: number): string => minutesAfter(n);

describe('a row that grows stays within what a row may be', () => {
  it('a notification that is replayed without end to an endpoint that answers at length', () => {
    const [url, body] = [`https://shop.example/${'p'.repeat(2000)}`, wide(20_000)];
    const made = createDelivery({
      ...{ id: 'ntf_1', kind: 'new_alert', sid: 1, mid: 1, rid: 1, alertId: 1 },
      ...{ contentType: 'application/json', body, at: at(0) },
    });
    let delivery = made;
    for (let n = 0; n < 500; n += 1) {
      delivery = afterDelivery(delivery, {
        ...{ id: `attempt-${n}`, at: at(n), slot: at(n), url, status: 500, latencyMilliseconds: 15_000 },
        ...{ error: 'http_status', response: wide(16 * 341), responseTruncated: true, replyUpdate: null },
      });
    }
    expect(delivery.attempts.length).toBeLessThan(500);
    expect(rowBytes(toDeliveryItem(delivery))).toBeLessThan(most);
  });

  it('an outcome that its network never takes', () => {
    const comments = wide(2000);
    let outcome = anOutcome(1, { status: 'DECLINED', reason_code: '900.002', comments, merchant_notes: wide(5000) });
    for (let n = 0; n < 500; n += 1) {
      outcome = afterOutcome(outcome, { ...anAttempt('failed', at(n)), error: wide(500) }, null, at(n));
    }
    expect(outcome.attemptCount).toBe(500);
    expect(rowBytes(toOutcomeItem(outcome))).toBeLessThan(most);
  });

  it('a chargeback that goes back and forth', () => {
    const place: DisputePlace = { processor: 'sandbox', sid: 1, routeId: 'a', reference: 'd_1' };
    let chargeback: Parameters<typeof chargebackAfter>[0];
    for (let n = 0; n < 500; n += 1) {
      const dispute: ProcessorDispute = {
        ...{ reference: 'd_1', payments: ['p_1'], openedAt: at(0), reasonCode: wide(500), network: wide(500) },
        ...{ money: { minor: 100n, currency: 'USD' }, isTaken: n % 2 > 0, dueBy: null },
        ...{ stage: 'chargeback', status: n % 2 > 0 ? 'open' : 'under_review' },
      };
      ({ chargeback } = chargebackAfter(chargeback, place, dispute, { mid: 1, txid: 1, alertId: 1 }, at(n)));
    }
    expect(chargeback?.history.length).toBeLessThan(500);
    expect(chargeback && rowBytes(putItem(chargebackWrite(chargeback)))).toBeLessThan(most);
  });

  it('an alert, and each entry of its history, with the longest answer there may be', () => {
    const before = anAlert();
    const refund = { comments: wide(200), tid: wide(100), reference: wide(100) };
    const update: AlertUpdate = {
      ...{ status: 'DECLINED', reason_code: '900.002', comments: wide(2000), merchant_notes: wide(5000) },
      tx_details: Array.from({ length: 20 }, () => refund),
    };
    const after: Alert = { ...before, status: 'DECLINED', update, version: before.version + 1 };
    expect(isOpen(after)).toBe(false);
    expect(rowBytes(toAlertItem(after))).toBeLessThan(most);
    const entry = entryOfChange(before, after, 'updated', at(1), { by: 'site 12', via: 'update' });
    for (const write of changedAlertWrites(after, entry)) expect(rowBytes(putItem(write))).toBeLessThan(most);
  });

  it('a row of counts in which every part of its time has every facet, for twenty years', () => {
    const parts = { 'YYYY-MM': 12 * 20, DD: 31, HH: 24, MM: 60, SS: 60 } as const;
    const facets = deliveryStates.flatMap((state) => deliveryKinds.map((kind) => facetOf(state, kind)));
    for (const { name, part } of countLevels) {
      const counts = Array.from({ length: parts[part] }, (_, n) =>
        facets.map((facet) => [countAttribute(String(n).padStart(part.length, '0'), facet), 123_456]),
      );
      const row = { pk: 'COUNT#DELIVERY#all.0', sk: name, ...Object.fromEntries(counts.flat()) };
      expect(rowBytes(row), name).toBeLessThan(most);
    }
  });
});
