import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { fromUserItem, toUserItem } from '#accounts/auth/users/user-row.ts';
import { fromOrderClientItem, fromOrderProfileItem } from '#accounts/merchants/settings/order-profile-row.ts';
import { defineRow } from '#core/platform/table/row.ts';
import type { Item } from '#core/platform/table/table.ts';
import { fromAlertItem, toAlertItem } from '#disputes/alerts/alert-row.ts';
import { fromDecisionItem } from '#disputes/alerts/automatic/decision-row.ts';
import { fromQuarantinedItem } from '#disputes/alerts/quarantine/quarantine-row.ts';
import { fromChargebackItem } from '#disputes/chargebacks/chargeback-row.ts';
import { fromDisputeLookItem } from '#disputes/connections/dispute-look-row.ts';
import { fromLookupItem } from '#disputes/lookups/lookup/lookup-row.ts';
import { fromMarkItem } from '#disputes/reports/alert-day-row.ts';
import { fromBackTestItem, fromDifferencesItem, fromDraftItem } from '#disputes/rules/back-test/back-test-row.ts';
import { fromBinsItem } from '#payments/fraud/bins/bins-row.ts';
import { emptyLists } from '#payments/fraud/lists/lists.ts';
import { fromListsItem, toListsItem } from '#payments/fraud/lists/lists-row.ts';
import { fromPlaceItem } from '#payments/orders/order-place-row.ts';
import { fromReferenceItem } from '#payments/orders/order-reference-row.ts';
import { fromOrderItem, toOrderItem } from '#payments/orders/order-row.ts';
import { fromOrderSourceItem } from '#payments/orders/source/order-source-row.ts';
import { fromAdyenItems } from '#payments/processors/adyen/adyen-row.ts';
import { fromClaimItem } from '#payments/processors/claims/claims-row.ts';
import { fromSandboxDisputeItem } from '#payments/processors/sandbox/sandbox-dispute-row.ts';
import { fromDisputeNoticeItem } from '#payments/transactions/dispute/dispute-notice-row.ts';
import { anAlert } from '#test/disputes/alerts/samples.ts';
import { order } from '#test/payments/orders/samples.ts';

type Thing = { id: number; name: string; size: number; inside: { deep: string } };

/** Its third form: things had no size first, and a title for a name before that. */
const ThingRow = defineRow<Thing>({
  entity: 'THING',
  attribute: 'thing',
  schema: v.looseObject({
    id: v.number(),
    name: v.string(),
    size: v.number(),
    inside: v.looseObject({ deep: v.string() }),
  }),
  upgrades: [
    ({ title, ...before }) => ({ ...(title !== undefined && { name: title }), ...before }),
    (before) => ({ size: 0, ...before }),
  ],
});
const key = { pk: 'THING#1', sk: 'THING' };
const thing: Thing = { id: 1, name: 'one', size: 3, inside: { deep: 'as written' } };

describe('a row', () => {
  it('says its entity and version, and is read back as it was written', () => {
    expect(ThingRow.stamp).toEqual({ entity: 'THING', schemaVersion: 3 });
    expect(ThingRow.read({ ...key, ...ThingRow.stamp, thing })).toEqual(thing);
  });

  it.each([
    ['of before there were versions', {}, { id: 1, title: 'one', inside: thing.inside }],
    ['of the first version', { schemaVersion: 1 }, { id: 1, title: 'one', inside: thing.inside }],
    ['of the second version', { schemaVersion: 2 }, { id: 1, name: 'one', inside: thing.inside }],
  ])('%s is read in the form of today', (_, stamp, kept) => {
    expect(ThingRow.read({ ...key, ...stamp, thing: kept })).toEqual({ ...thing, size: 0 });
  });

  it('without a version that has the form of today already, as an update of one attribute leaves it, loses nothing', () => {
    expect(ThingRow.read({ ...key, thing })).toEqual(thing);
  });

  it('of a later release is read as it is', () => {
    const later = { ...thing, colour: 'red' };
    expect(ThingRow.read({ ...key, schemaVersion: 9, thing: later })).toEqual(later);
  });

  it('that is not as it should be is an error that names what, and shows no value', () => {
    const secret = '4111111111111111';
    const broken = { ...key, thing: { ...thing, id: secret, name: null } };
    expect(() => ThingRow.read(broken)).toThrow(
      'A row THING cannot be read: id should be number, name should be string',
    );
    expect(() => ThingRow.read(broken)).not.toThrow(secret);
    expect(() => ThingRow.read({ ...key, thing: 'text' })).toThrow(
      'A row THING cannot be read: all of it should be Object',
    );
    expect(() => ThingRow.read(key)).toThrow('A row THING cannot be read');
  });

  it('is parsed whole where its schema covers it, and keeps what a later release has added', () => {
    const WholeRow = defineRow({
      entity: 'WHOLE',
      attribute: 'whole',
      schema: v.looseObject({ id: v.number(), inside: v.looseObject({ deep: v.string() }), size: v.number() }),
      upgrades: [(before) => ({ size: 0, ...before })],
    });
    const whole = { id: 1, inside: { deep: 'as written', added: true }, added: 'later' };
    expect(WholeRow.read({ ...key, whole })).toEqual({ ...whole, size: 0 });
    expect(() => WholeRow.read({ ...key, whole: { ...whole, inside: { deep: 7 } } })).toThrow(
      'A row WHOLE cannot be read: inside.deep should be string',
    );
  });

  it('is none where there is no item, or another one', () => {
    expect([ThingRow.find(undefined), ThingRow.find(key)]).toEqual([undefined, undefined]);
    expect(ThingRow.find({ ...key, thing })).toEqual(thing);
  });
});

/** The reader of each row, and a row that no release has written. */
const damaged: [string, (item: Item) => unknown, Item][] = [
  ['DECISION', fromDecisionItem, { waiting: { isNotified: 'yes', tries: 1, nextAt: '2026-05-02' } }],
  ['QUARANTINE', fromQuarantinedItem, { quarantined: { id: 'one', state: 'LOST' } }],
  ['CHARGEBACK', fromChargebackItem, { chargeback: { id: 'one', amount: 5 } }],
  ['ADYEN_NOTICE', (item) => fromAdyenItems([item]), { entity: 'ADYEN_NOTICE', notice: { success: 'true' } }],
  ['ADYEN_DECISION', (item) => fromAdyenItems([item]), { entity: 'ADYEN_DECISION', decision: 'perhaps' }],
  ['SANDBOX_DISPUTE', fromSandboxDisputeItem, { dispute: { id: 'one', state: 'lost' } }],
  ['REPORTMARK', fromMarkItem, { version: 1, figures: { received: '1' } }],
  ['BACK_TEST', fromBackTestItem, { backTest: { id: 'one', state: 'PAUSED' } }],
  ['BACK_TEST_DRAFT', fromDraftItem, { draft: { site: 'none' } }],
  ['BACK_TEST_PAGE', fromDifferencesItem, { differences: null }],
  ['DISPUTE_LOOK', fromDisputeLookItem, { look: { mid: 1, connection: 'cn_one' } }],
  ['ORDER', (item) => fromOrderItem(item, '2026-05-02'), { id: '5', state: 'paid' }],
  ['ORDERREF', (item) => fromReferenceItem(item, '2026-05-02'), { id: 5, digests: 'one' }],
  ['ORDERPLACE', (item) => fromPlaceItem(item, '2026-05-02'), { id: 5, mid: 1 }],
  ['ORDERPLACE', (item) => fromPlaceItem(item, '2026-05-02'), { deleted: true }],
  ['LOOKUP', fromLookupItem, { lookup: { name: 'one', result: 'lost' } }],
  ['ORDER_PROFILE', fromOrderProfileItem, { sid: 1, profile: null }],
  ['ORDER_SOURCE', fromOrderSourceItem, { source: { sid: 1, mid: 1, kind: 'woocommerce' } }],
  ['ORDERCLIENT', fromOrderClientItem, { mid: 1, enabled: 'yes' }],
  ['BINS', fromBinsItem, { ranges: [['42424242', '42424242']] }],
  ['PROCESSOR_CLAIM', fromClaimItem, { holder: 5 }],
  ['DISPUTE_NOTICE', fromDisputeNoticeItem, { notice: { at: '2026-05-02' } }],
];

describe('a row that is not as it was written', () => {
  it.each(damaged)('%s is refused rather than acted on', (entity, read, item) => {
    expect(() => read({ ...key, ...item })).toThrow(`A row ${entity} cannot be read`);
  });
});

const byStripe = { processor: 'stripe', reference: 'ch_1' };

describe('rows of earlier releases', () => {
  it('of alerts call what the provider sent its notice', () => {
    const alert = { ...anAlert(), outcomes: 0 };
    const { providerAlert, outcomes: _, ...rest } = alert;
    const { schemaVersion: _none, ...item } = toAlertItem(alert);
    expect(fromAlertItem({ ...item, alert: { ...rest, notice: providerAlert } })).toEqual(alert);
    expect(toAlertItem(alert)).toMatchObject({ entity: 'ALERT', schemaVersion: 3 });
  });

  const money = { captured: '5.00', refunded: '0.00', voided: false };

  it('of users know no roles', () => {
    const user = {
      username: 'ann',
      passwordHash: 'x',
      scope: 'merchant',
      mid: 7,
      disabled: false,
      createdAt: '2026-01-01',
      tokensValidFrom: '2026-01-01',
    };
    const read = fromUserItem({ pk: 'USER#ann', sk: 'USER', entity: 'USER', user });
    expect(read).toEqual({
      ...user,
      role: 'manager',
      isProgram: true,
      passkeys: [],
      recovery: [],
      name: '',
      email: '',
      sessionsEndedAt: null,
      factor: null,
      version: 0,
    });
    expect(read && toUserItem(read)).toMatchObject({ entity: 'USER', schemaVersion: 4 });
  });

  it.each([
    ['without their charge', money, {}, { processor: null, reference: null }],
    ['with their charge in their payment', { ...money, ...byStripe }, {}, byStripe],
    ['with their charge beside their payment', money, { charge: byStripe }, byStripe],
  ])('of orders have it %s', (_, payment, own, charge) => {
    const { schemaVersion: _none, charge: _later, ...item } = toOrderItem(order());
    const read = fromOrderItem({ ...item, payment, ...own }, '2026-05-02');
    expect(read).toEqual({ ...order(), orderId: item['id'], payment: { ...money, ...charge } });
    expect(read && toOrderItem(read)).toMatchObject({ schemaVersion: 2, payment: money, charge });
  });

  it('of orders that no payment made have neither', () => {
    const { schemaVersion: _none, charge: _later, ...item } = toOrderItem(order());
    expect(fromOrderItem(item, '2026-05-02')).toEqual({ ...order(), orderId: item['id'] });
    expect(toOrderItem(order())).toMatchObject({ entity: 'ORDER', schemaVersion: 2, payment: null, charge: null });
  });

  it('reads marks of alerts and of chargebacks, and none of what a release before them makes of the latter', () => {
    const at = '2026-05-01T00:00:00.000Z';
    const disputes = {
      '1077048115201917': { type: 'FRAUD', at },
      cb_0123456789abcdef01234567: { type: 'CHARGEBACK', at },
      NaN: { type: 'CHARGEBACK', at },
    };
    const read = fromOrderItem({ ...toOrderItem(order()), disputes }, '2026-05-02');
    expect(read?.disputes).toEqual([
      { alertId: 1_077_048_115_201_917, type: 'FRAUD', at },
      { alertId: null, chargebackId: 'cb_0123456789abcdef01234567', type: 'CHARGEBACK', at },
    ]);
    expect(toOrderItem(read ?? order())['disputes']).not.toHaveProperty('NaN');
  });

  it('have no watched entries if they are fraud lists', () => {
    const { watch: _, ...lists } = { ...emptyLists, version: 4 };
    const item = { pk: 'SITE#1', sk: 'FRAUD_LISTS', entity: 'FRAUD_LISTS', lists };
    expect(fromListsItem(item)).toEqual({ ...emptyLists, version: 4 });
    expect(toListsItem(1, emptyLists)).toMatchObject({ entity: 'FRAUD_LISTS', schemaVersion: 2 });
  });
});
