import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Item } from '#core/platform/table/item.ts';
import { disputeOfNotices, isDefended, warningOfNotices } from '#payments/processors/adyen/adyen-disputes.ts';
import {
  adyenPaymentEvents,
  disputeEvents,
  ignoredEvents,
  isKnownEvent,
} from '#payments/processors/adyen/adyen-events.ts';
import { fromAdyenItems, noticeWrites } from '#payments/processors/adyen/adyen-row.ts';
import { adyenSignature, eventOfNotice, readNotices } from '#payments/processors/adyen/adyen-webhook.ts';
import { adyenEventFacts } from '#test/contracts/adyen/events.ts';
import { vendorFile } from '#test/contracts/vendor-file.ts';

/** The lives of disputes at Adyen, by signed webhooks. */

const [hmacKey, merchantAccount] = ['a1'.repeat(32), 'Shop'];
type Told = string | [eventCode: string, more: Record<string, string>, change?: object];

/** Webhooks a day apart, in the order given. */
const toNotices = (told: readonly Told[]) =>
  told.flatMap((one, day) => {
    const [eventCode, more = {}, change = {}] = typeof one === 'string' ? [one] : one;
    const item = {
      ...{ eventCode, success: 'true', pspReference: 'DISPUTE000000001', originalReference: 'PAYMENT000000001' },
      ...{
        merchantAccountCode: merchantAccount,
        merchantReference: 'order 1',
        amount: { value: 2000, currency: 'USD' },
      },
      eventDate: `2026-05-${String(10 + day)}T12:00:00Z`,
      reason: 'Words of the issuer',
      ...change,
    };
    const additionalData = { ...more, hmacSignature: adyenSignature(item, hmacKey) };
    const rawBody = JSON.stringify({
      notificationItems: [{ NotificationRequestItem: { ...item, additionalData } }],
    });
    return readNotices(rawBody, { hmacKey, merchantAccount }) ?? expect.fail('it is not signed');
  });
const readLife = (told: readonly Told[]) => disputeOfNotices('DISPUTE000000001', toNotices(told));
const permutations = <T>(all: readonly T[]): T[][] =>
  all.length < 2
    ? [[...all]]
    : all.flatMap((one) => permutations(all.filter((other) => other !== one)).map((rest) => [one, ...rest]));

const defended: Told = ['INFORMATION_SUPPLIED', { disputeStatus: 'Pending' }];
const inquiry = { stage: 'inquiry', isTaken: false };
const chargeback = { stage: 'chargeback', isTaken: true };
const won = { status: 'won', isTaken: false };
const lost = { status: 'lost', isTaken: true };

describe.each([
  ['a request for information', ['REQUEST_FOR_INFORMATION'], { ...inquiry, status: 'open' }],
  ['a request that was answered', ['REQUEST_FOR_INFORMATION', defended], { ...inquiry, status: 'under_review' }],
  [
    'a request whose time is over',
    ['REQUEST_FOR_INFORMATION', 'DISPUTE_DEFENSE_PERIOD_ENDED'],
    { ...inquiry, status: 'lost' },
  ],
  ['a request that became a chargeback', ['REQUEST_FOR_INFORMATION', 'CHARGEBACK'], { ...chargeback, status: 'open' }],
  [
    'a chargeback that an answered request became',
    ['REQUEST_FOR_INFORMATION', defended, 'NOTIFICATION_OF_CHARGEBACK', 'CHARGEBACK'],
    { ...chargeback, status: 'open' },
  ],
  [
    'the same once it was defended too',
    ['REQUEST_FOR_INFORMATION', defended, 'CHARGEBACK', defended],
    { ...chargeback, status: 'under_review' },
  ],
  [
    'a chargeback that is about to come',
    ['NOTIFICATION_OF_CHARGEBACK'],
    { stage: 'chargeback', status: 'open', isTaken: false },
  ],
  ['one that began with the chargeback', ['DISPUTE_OPENED_WITH_CHARGEBACK'], { ...chargeback, status: 'open' }],
  ['one that was not defended', ['CHARGEBACK', 'DISPUTE_DEFENSE_PERIOD_ENDED'], lost],
  [
    'one given up before the money was taken',
    ['NOTIFICATION_OF_CHARGEBACK', 'DISPUTE_DEFENSE_PERIOD_ENDED', 'CHARGEBACK'],
    lost,
  ],
  [
    'one defended before the money was taken',
    ['NOTIFICATION_OF_CHARGEBACK', defended, 'CHARGEBACK'],
    { ...chargeback, status: 'under_review' },
  ],
  [
    'one whose defense held for now',
    ['CHARGEBACK', defended, 'CHARGEBACK_REVERSED'],
    { status: 'under_review', isTaken: false },
  ],
  [
    'one whose issuer did not respond',
    ['CHARGEBACK', defended, 'CHARGEBACK_REVERSED', 'ISSUER_RESPONSE_TIMEFRAME_EXPIRED'],
    won,
  ],
  ['one that was charged back again', ['CHARGEBACK', 'CHARGEBACK_REVERSED', 'SECOND_CHARGEBACK'], lost],
  [
    'a pre-arbitration to be answered',
    ['CHARGEBACK', defended, 'CHARGEBACK_REVERSED', 'PREARBITRATION_OPEN'],
    { stage: 'arbitration', status: 'open', isTaken: false },
  ],
  [
    'a pre-arbitration that was accepted',
    ['CHARGEBACK', 'CHARGEBACK_REVERSED', 'PREARBITRATION_OPEN', 'PREARBITRATION_ACCEPTED'],
    lost,
  ],
  [
    'a pre-arbitration that was withdrawn',
    ['CHARGEBACK', 'PREARBITRATION_OPEN', 'PREARBITRATION_ISSUER_WITHDRAWN'],
    won,
  ],
  [
    'a pre-arbitration that was declined',
    ['CHARGEBACK', 'PREARBITRATION_OPEN', 'PREARBITRATION_DECLINED'],
    { status: 'under_review' },
  ],
  [
    'an arbitration',
    ['CHARGEBACK', 'PREARBITRATION_OPEN', 'PREARBITRATION_DECLINED', 'SCHEME_ARBITRATION'],
    { stage: 'arbitration', status: 'under_review' },
  ],
  [
    'an arbitration that was lost',
    ['CHARGEBACK', 'CHARGEBACK_REVERSED', 'PREARBITRATION_OPEN', 'PREARBITRATION_DECLINED', 'SCHEME_ARBITRATION_LOST'],
    lost,
  ],
  [
    'an arbitration that was won',
    ['CHARGEBACK', 'PREARBITRATION_OPEN', 'SCHEME_ARBITRATION', 'SCHEME_ARBITRATION_WON'],
    won,
  ],
  ['a second chargeback that was won', ['CHARGEBACK', 'SECOND_CHARGEBACK', 'PREARBITRATION_WON'], won],
] as [string, Told[], object][])('%s', (_, told, expected) => {
  it('is read from its events, whatever order they come in', () => {
    for (const order of permutations(toNotices(told)))
      expect(disputeOfNotices('DISPUTE000000001', order)).toMatchObject(expected);
  });
});

describe('what is not signed', () => {
  it.each(adyenEventFacts.disputeStatuses)('never wins a dispute, nor gives its money back (%s)', (disputeStatus) => {
    for (const defendable of ['true', 'false']) {
      const life = readLife([['CHARGEBACK', { disputeStatus, defendable }]]);
      expect(life).toMatchObject(chargeback);
      expect(life?.status).not.toBe('won');
    }
  });

  it('closes a chargeback only if it is lost and cannot be defended', () => {
    const statusOf = (more: Record<string, string>) => readLife([['CHARGEBACK', more]])?.status;
    expect(statusOf({ disputeStatus: 'Lost', defendable: 'false' })).toBe('lost');
    expect(statusOf({ disputeStatus: 'Lost' })).toBe('open');
    expect(statusOf({ defendable: 'false' })).toBe('open');
  });

  it('tells how a request for information went', () => {
    const statusOf = (disputeStatus: string) => readLife([['REQUEST_FOR_INFORMATION', { disputeStatus }]])?.status;
    expect(['Unresponded', 'Responded', 'Expired'].map(statusOf)).toEqual(['open', 'under_review', 'lost']);
  });
});

describe('a dispute at Adyen', () => {
  it('shows until when it can be answered, in each stage, and its reason without blanks', () => {
    const due = (time: string) => ({ defensePeriodEndsAt: time });
    const first: Told = [
      'CHARGEBACK',
      { ...due('2026-05-20T00:00:00+02:00'), chargebackReasonCode: ' 4853', chargebackSchemeCode: 'mc' },
    ];
    expect(readLife([first])).toMatchObject({ dueBy: '2026-05-19T22:00:00.000Z', reasonCode: '4853', network: 'mc' });
    const again = readLife([first, 'CHARGEBACK_REVERSED', ['PREARBITRATION_OPEN', due('2026-06-20T00:00:00Z')]]);
    expect(again).toMatchObject({ dueBy: '2026-06-20T00:00:00.000Z', openedAt: '2026-05-10T12:00:00.000Z' });
    expect(readLife([first, 'PREARBITRATION_OPEN'])?.dueBy).toBeNull();
    const asked: Told = ['REQUEST_FOR_INFORMATION', { ...due('2026-05-15T00:00:00Z'), rfiReasonCode: '6305' }];
    expect(readLife([asked])).toMatchObject({ dueBy: '2026-05-15T00:00:00.000Z', reasonCode: '6305' });
  });

  it('keeps the payment of an event that names none', () => {
    expect(readLife(['CHARGEBACK', ['CHARGEBACK_REVERSED', {}, { originalReference: undefined }]])).toMatchObject({
      payments: ['PAYMENT000000001'],
    });
  });

  it('that was defended is not defended in its next stage', () => {
    expect(isDefended(toNotices(['CHARGEBACK', defended]))).toBe(true);
    expect(isDefended(toNotices(['CHARGEBACK', defended, 'CHARGEBACK_REVERSED', 'PREARBITRATION_OPEN']))).toBe(false);
    const asked: Told = ['REQUEST_FOR_INFORMATION', { defensePeriodEndsAt: '2026-05-15T00:00:00Z' }];
    const became = [asked, defended, 'NOTIFICATION_OF_CHARGEBACK', 'CHARGEBACK'];
    expect([isDefended(toNotices(became)), readLife(became)?.dueBy]).toEqual([false, null]);
    const at = { eventDate: '2026-05-10T12:00:00Z' };
    expect(
      isDefended(
        toNotices([
          ['INFORMATION_SUPPLIED', { disputeStatus: 'Pending' }, at],
          ['CHARGEBACK', {}, at],
        ]),
      ),
    ).toBe(true);
  });

  it('is decided by its order of events, and if they are of one time, never for the merchant', () => {
    const at = { eventDate: '2026-05-10T12:00:00Z' };
    expect(
      readLife([
        ['SECOND_CHARGEBACK', {}, at],
        ['CHARGEBACK_REVERSED', {}, at],
        ['CHARGEBACK', {}, at],
      ]),
    ).toMatchObject(lost);
  });
});

it('a report of fraud is a warning with its reason, and no dispute', () => {
  const notices = toNotices([['NOTIFICATION_OF_FRAUD', { nofReasonCode: '6', nofSchemeCode: 'visa' }]]);
  expect(disputeOfNotices('DISPUTE000000001', notices)).toBeUndefined();
  expect(notices.map(eventOfNotice)).toMatchObject([{ warning: 'DISPUTE000000001' }]);
  expect(warningOfNotices(notices)).toMatchObject({
    ...{ charge: 'PAYMENT000000001', money: { minor: 2000n, currency: 'USD' }, reason: '6: Words of the issuer' },
    warnedAt: '2026-05-10T12:00:00.000Z',
  });
});

describe('the events that Adyen publishes', () => {
  it('are all read, or ignored for a stated reason', () => {
    expect(adyenEventFacts.events.filter((event) => !isKnownEvent(event))).toEqual([]);
    expect(isKnownEvent('SOMETHING_NEW')).toBe(false);
    const known = [...disputeEvents, ...adyenPaymentEvents, ...Object.keys(ignoredEvents)];
    expect(known.filter((event) => !adyenEventFacts.events.some((one) => one === event))).toEqual([]);
  });

  it('of disputes are all in the page', () => {
    const page = readFileSync('docs/chargebacks.md', 'utf8').split('#### Adyen\n')[1]?.split('\n#')[0] ?? '';
    const named = [...page.matchAll(/^\| `([A-Z_]+)` \|/gm)].map(([, name]) => name);
    expect(named).toEqual([...disputeEvents, 'INFORMATION_SUPPLIED', 'NOTIFICATION_OF_FRAUD', 'ISSUER_COMMENTS']);
  });

  it('equal those of Adyen’s own contract', () => {
    type Contract = {
      webhooks: object;
      components: { schemas: Record<string, { properties: Record<string, { enum: string[] }> }> };
    };
    const file = vendorFile('adyen/Webhooks-v1.json') as Contract | undefined;
    if (!file) return;
    const events = Object.keys(file.webhooks).map((name) => name.slice(1));
    expect(new Set([...events, 'DISPUTE_OPENED_WITH_CHARGEBACK'])).toEqual(new Set(adyenEventFacts.events));
    const { properties } = file.components.schemas['DisputesNotificationAdditionalData'] ?? expect.fail('no schema');
    expect(new Set(properties['disputeStatus']?.enum)).toEqual(new Set(adyenEventFacts.disputeStatuses));
  });
});

it('sorts a notice of a release that stored no time by when its row was written', () => {
  const at = '2026-05-03T10:00:00.000Z';
  const stored = (eventCode: string, day: string, dated: boolean) =>
    noticeWrites(
      'a-site',
      {
        ...{ eventCode, success: true, pspReference: 'REFUND0000000001', originalReference: 'PAYMENT0000000001' },
        ...{ merchantReference: 'of the shop', reason: null, ...(dated && { at: day }) },
      },
      day,
    ).flatMap((write) => ('Put' in write && write.Put ? [write.Put.Item as Item] : []));
  const failed = stored('REFUND_FAILED', at, false);
  const done = stored('REFUND', '2026-05-02T10:00:00.000Z', true);
  const { notices } = fromAdyenItems([...failed, ...done]);
  const times = Object.fromEntries(notices.map((one) => [one.eventCode, one.at]));
  expect(times).toEqual({ REFUND_FAILED: at, REFUND: '2026-05-02T10:00:00.000Z' });
  expect(fromAdyenItems(failed.map(({ ttl: _, ...item }) => item)).notices[0]).not.toHaveProperty('at');
});
