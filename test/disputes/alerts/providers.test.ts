import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { setClock } from '#core/kernel/clock.ts';
import { parse } from '#core/platform/http/parse.ts';
import { alertFingerprintsOf } from '#disputes/alerts/intake/fingerprints.ts';
import { asSentOf } from '#disputes/providers/lenient.ts';
import { providerABody, providerAToAlert } from '#disputes/providers/provider-a.ts';
import { maskedCard } from '#disputes/providers/provider-alert.ts';
import { providerBBody, providerBToAlert } from '#disputes/providers/provider-b.ts';
import { rdrBody, rdrToAlert } from '#disputes/providers/rdr.ts';
import { bodyA, bodyB, bodyRdr } from './samples.ts';

const ofA = (change = {}) => {
  const sent = bodyA(change);
  const body = parse(providerABody(), sent);
  return providerAToAlert(body, asSentOf(sent, body));
};
const ofB = (change = {}) => {
  const body = parse(providerBBody(), bodyB(change));
  return body.status === 'NEW' ? providerBToAlert(body) : body;
};
const ofRdr = (change = {}) => {
  const sent = bodyRdr(change);
  const body = parse(rdrBody(), sent);
  return body.event === 'DECISION' ? rdrToAlert(body, asSentOf(sent, body)) : body;
};
const refusal = (ask: () => unknown): string => {
  try {
    ask();
  } catch (error) {
    return String((error as { details?: string }).details);
  }
  return 'taken';
};

describe('provider_a', () => {
  it('is read into the shape of all providers', () => {
    expect(ofA()).toEqual({
      provider: 'provider_a',
      caseId: 'A4IM9K2MIYL9F2BPF9TWUIXTU',
      type: 'FRAUD',
      decision: null,
      declineCode: '',
      card: '411111xxxxxx1111',
      transactionAt: '2026-04-30T08:15:00.000Z',
      descriptor: 'SHOP*ONLINE 123',
      amount: '361.56',
      currency: 'USD',
      arn: '24692161070000622606414',
      authCode: '387373',
      conditionCode: '4837',
      conditionReason: '',
      issuerName: 'First Bank',
      age: '12',
      transactionId: '83773',
      disputeAmount: '',
      disputeCurrency: '',
      tier: '',
      bin: '',
      caid: '',
      mcc: '5732',
      providerDate: '2026-05-02T10:00:00.000Z',
      test: false,
    });
  });

  it.each([
    ['CONFIRMED_FRAUD', 'FRAUD'],
    ['CUSTOMER_DISPUTE', 'DISPUTE'],
    ['FRAUD_NOTICE', 'FRAUD_NOTICE'],
  ])('calls %s a %s', (type, expected) => expect(ofA({ type })).toMatchObject({ type: expected }));

  it('writes amounts with the decimals of their currency', () => {
    expect(ofA({ amount: { value: '5', currencyCode: 'USD' } })).toMatchObject({ amount: '5.00' });
    expect(ofA({ amount: { value: '500', currencyCode: 'JPY' } })).toMatchObject({ amount: '500' });
    expect(ofA({ amount: { value: '500.00', currencyCode: 'JPY' } })).toMatchObject({ amount: '500' });
    expect(ofA({ amount: { value: ' 500.00', currencyCode: 'jpy ' } })).toMatchObject({ amount: '500' });
    expect(ofA({ amount: { value: '5.1000', currencyCode: 'USD' } })).toMatchObject({ amount: '5.10' });
    expect(ofA({ amount: { value: '5.1', currencyCode: 'KWD' } })).toMatchObject({ amount: '5.100' });
  });

  it('takes times of any zone and says them in UTC', () => {
    expect(ofA({ transactionTimestamp: '2026-04-30T10:15:00+02:00' })).toMatchObject({
      transactionAt: '2026-04-30T08:15:00.000Z',
    });
  });

  it('takes fields that are absent, null or empty as not said', () => {
    const blank = { arn: '', authCode: null, issuer: undefined, age: '', reasonCode: null, transactionId: '' };
    expect(ofA(blank)).toMatchObject({ arn: '', authCode: '', issuerName: '', age: '', conditionCode: '' });
  });

  it.each([
    [{ alertId: undefined }, 'alertId: '],
    [{ type: 'THEFT' }, 'type: must be CONFIRMED_FRAUD, CUSTOMER_DISPUTE or FRAUD_NOTICE'],
    [{ merchantDescriptor: ' ' }, 'merchantDescriptor: must not be empty'],
    [{ amount: undefined }, 'amount: '],
    [{ amount: { value: '1e3', currencyCode: 'USD' } }, 'amount.value: must be a decimal'],
    [{ amount: { value: '0x10', currencyCode: 'USD' } }, 'amount.value: must be a decimal'],
    [{ amount: { value: '1,000.00', currencyCode: 'USD' } }, 'amount.value: must be a decimal'],
    [{ amount: { value: -10, currencyCode: 'USD' } }, 'amount.value: must be a decimal'],
    [{ amount: { value: 1e21, currencyCode: 'USD' } }, 'amount.value: must be a decimal'],
    [{ amount: { value: 10.001, currencyCode: 'USD' } }, 'amount.value: has more decimals than USD has (2)'],
    [{ amount: { value: '10.5', currencyCode: 'usdollar' } }, 'amount.currencyCode: must be a currency code'],
    [{ amount: { value: '10.001', currencyCode: 'USD' } }, 'amount.value: has more decimals than USD has (2)'],
    [{ amount: { value: '10.5', currencyCode: 'JPY' } }, 'amount.value: has more decimals than JPY has (0)'],
    [{ amount: { value: '500.01', currencyCode: 'JPY' } }, 'amount.value: has more decimals than JPY has (0)'],
    [{ amount: { value: '500.', currencyCode: 'JPY' } }, 'amount.value: must be a decimal'],
  ])('refuses %j and names the field', (change, words) => expect(refusal(() => ofA(change))).toContain(words));

  it.each([
    [
      { transactionTimestamp: '2026-02-03' },
      { transactionAt: '2026-02-03T00:00:00.000Z', asSent: { transactionTimestamp: '2026-02-03' } },
    ],
    [
      { transactionTimestamp: '2026-02-03T10:00:00' },
      { transactionAt: '2026-02-03T10:00:00.000Z', asSent: { transactionTimestamp: '2026-02-03T10:00:00' } },
    ],
    [{ amount: { value: ' 10', currencyCode: 'USD' } }, { amount: '10.00', asSent: { 'amount.value': ' 10' } }],
    [{ amount: { value: 10, currencyCode: 'USD' } }, { amount: '10.00', currency: 'USD' }],
    [
      { amount: { value: '10.5', currencyCode: 'usd' } },
      { amount: '10.50', currency: 'USD', asSent: { 'amount.currencyCode': 'usd' } },
    ],
  ])('takes %j for what it means', (change, read) => expect(ofA(change)).toMatchObject(read));

  it('keeps no original of an ARN that was not sent', () =>
    expect(asSentOf({ arn: null }, { arn: '' })).toBeUndefined());

  it('shows no card of which only one end is known', () => {
    expect([maskedCard('411111', ''), maskedCard('', '1111')]).toEqual(['', '']);
    expect(maskedCard('411111', '1111')).toBe('411111xxxxxx1111');
  });

  it.each(['123', 123])('keeps the ARN %j beside the alert and names no payment by it', (arn) => {
    const providerAlert = ofA({ arn });
    expect(providerAlert).toMatchObject({ arn: '', asSent: { arn: String(arn) } });
    expect(alertFingerprintsOf(providerAlert)).toMatchObject({ arn: null });
  });

  it('names all wrong fields at once', () => {
    const words = refusal(() => ofA({ type: 'THEFT', merchantDescriptor: '' }));
    expect(words).toContain('type: ');
    expect(words).toContain('merchantDescriptor: ');
  });
});

describe('fields of a card', () => {
  const known = '411111xxxxxx1234';

  it.each([
    ['411111', '****1234'],
    ['411111', 'XXXX-1234'],
    [' 411111 ', ' 1234 '],
    ['411111XXXXXX', '1234'],
    ['41111122', '1234'],
    ['4111 11', '•••• 1234'],
    ['4111-11##', '…1234'],
    ['411111**********', 'ending 1234'],
    [411111, 1234],
    [41111122, '411111******1234'],
    ['\u2068411111\u2069', '\u00a01234'],
  ])('are read from %j and %j', (cardBin, cardLast4) => {
    expect(ofA({ cardBin, cardLast4 })).toMatchObject({ card: known });
    expect(ofRdr({ cardBin, cardLast4 })).toMatchObject({ card: known });
    expect(ofA({ cardBin, cardLast4 }).asSent).toBeUndefined();
  });

  it.each([
    '411111******1234',
    '4111 11** **** 1234',
    '411111#####1234',
    '411111_____1234',
    '411111?1234',
    '411111…1234',
    '4111-11XX-XXXX-1234',
    4111111111111234,
  ])('are read from the account number %j', (accountNumber) =>
    expect(ofB({ accountNumber })).toMatchObject({ card: known }),
  );

  it.each([
    [{ cardBin: '4111' }, { cardBin: '4111' }],
    [{ cardBin: null }, undefined],
    [{ cardBin: '' }, undefined],
    [{ cardLast4: undefined }, undefined],
    [{ cardLast4: '11a1' }, { cardLast4: '11a1' }],
    [{ cardLast4: '41111' + '11111111x' }, { cardLast4: 'xxxxxxxxx1111x' }],
    [{ cardLast4: true }, { cardLast4: 'true' }],
    [{ cardBin: ['411111'] }, { cardBin: '["xx1111"]' }],
    [{ cardBin: 'N/A' }, { cardBin: 'N/A' }],
  ])('refuse no alert if they are %j, and say what was left out', (change, asSent) => {
    for (const alert of [ofA(change), ofRdr(change)]) {
      expect(alert).toMatchObject({ card: '', ...(asSent && { asSent }) });
      if (!asSent) expect(alert).not.toHaveProperty('asSent');
    }
  });

  it.each(['************1234', '1234', 'XXXX', {}, null, ''])('leave a case its card unknown at %j', (accountNumber) =>
    expect(ofB({ accountNumber })).toMatchObject({ card: '' }),
  );
});

describe('a time of the transaction', () => {
  beforeAll(() => setClock(() => Date.parse('2026-11-28T12:00:00Z')));
  afterAll(() => setClock());

  it.each([
    ['2026-06-23T10:00:00.1234567Z', '2026-06-23T10:00:00.123Z'],
    ['2026-06-23T10:00:00.000000000000Z', '2026-06-23T10:00:00.000Z'],
    ['2026-06-23T10:00:00 -05:00', '2026-06-23T15:00:00.000Z'],
    ['2026-06-23 10:00:00+05', '2026-06-23T05:00:00.000Z'],
    ['2026-06-23T10:00:00Z[UTC]', '2026-06-23T10:00:00.000Z'],
    ['20260623', '2026-06-23T00:00:00.000Z'],
    ['2026/06/23', '2026-06-23T00:00:00.000Z'],
    ['06/23/2026', '2026-06-23T00:00:00.000Z'],
    ['23.06.2026', '2026-06-23T00:00:00.000Z'],
    [1782208800, '2026-06-23T10:00:00.000Z'],
    ['1782208800000', '2026-06-23T10:00:00.000Z'],
    ['20260623T100000Z', '2026-06-23T10:00:00.000Z'],
    ['20260623100000', '2026-06-23T10:00:00.000Z'],
    ['20260623T100000+0200', '2026-06-23T08:00:00.000Z'],
    ['2026-06-23T10:00:00,250Z', '2026-06-23T10:00:00.250Z'],
    ['2026-06-23 10:00:00 UTC', '2026-06-23T10:00:00.000Z'],
    ['2026-06-23T23:59:60Z', '2026-06-23T23:59:59.000Z'],
    ['Tue, 23 Jun 2026 10:00:00 GMT', '2026-06-23T10:00:00.000Z'],
    ['23-JUN-2026', '2026-06-23T00:00:00.000Z'],
    ['June 23, 2026', '2026-06-23T00:00:00.000Z'],
    ['Sept. 3, 2026', '2026-09-03T00:00:00.000Z'],
    ['29 Feb 2028', '2028-02-29T00:00:00.000Z'],
    ['06/23/2026 10:15:00 PM', '2026-06-23T22:15:00.000Z'],
    ['06/23/2026 12:15 AM', '2026-06-23T00:15:00.000Z'],
    ['23/06/2026 10:15', '2026-06-23T10:15:00.000Z'],
    ['23.6.2026 10:15', '2026-06-23T10:15:00.000Z'],
    [1782208800.25, '2026-06-23T10:00:00.250Z'],
    // A sender's clock may be ahead.
    ['1795870800', '2026-11-28T13:00:00.000Z'],
  ])('is read from %j', (sent, transactionAt) => {
    expect(ofA({ transactionTimestamp: sent })).toMatchObject({ transactionAt });
    expect(ofB({ transactionDate: sent })).toMatchObject({ transactionAt });
  });

  const unread = [
    ...['06/07/2026 10:15', '29-FEB-2027', '31 Nov 2026', 'June 2026', '23 June 24 2026', '20260230T100000Z'],
    ...['12 marraskuu 2026', '12 Marzo 2026', '12 Juno 2026', 'Juin 12, 2026', '12 Septem 2026', '12 mayis 2026'],
    ...['2026-06-23T10:60:00Z', '2026-06-23 10:60', '20260623T106000Z', '2026-06-23T10:60:60Z'],
    ...['06/07/2026', '2026-02-30', '2026-02-30T10:00:00Z', '2026-06-23T25:00:00Z', 'yesterday', '0', true],
  ];
  // A day with its hour, and seconds and milliseconds after today.
  const late = ['2026112812', 2026112812, '1796040001', '1796040001000'];
  it.each([...unread, ...late])('is unknown where it is %j, which refuses no alert and is kept as sent', (sent) => {
    const asSent = { transactionTimestamp: String(sent) };
    expect(ofA({ transactionTimestamp: sent })).toMatchObject({ transactionAt: '', asSent });
    expect(ofB({ transactionDate: sent })).toMatchObject({ transactionAt: '' });
    expect(ofRdr({ transactionDate: sent })).toMatchObject({ transactionAt: '' });
  });

  it('is unknown where it is absent', () => {
    expect(ofA({ transactionTimestamp: undefined })).toMatchObject({ transactionAt: '' });
    expect(ofB({ transactionDate: null })).toMatchObject({ transactionAt: '' });
  });
});

it('says which objects and lists were left out of fields that only inform', () => {
  expect(ofA({ issuer: { name: 'First' }, reasonCode: ['4837'], age: false })).toMatchObject({
    issuerName: '',
    asSent: { issuer: '{"name":"First"}', reasonCode: '["4837"]', age: 'false' },
  });
});

describe('a card number', () => {
  const whole = '4111111111111111';

  it('is kept as its first six and last four digits, whatever the provider sends', () => {
    expect(ofA({ cardBin: whole, cardLast4: whole }).card).toBe('411111xxxxxx1111');
    expect(ofB({ accountNumber: '4232 3412 3456 3773' })).toMatchObject({ card: '423234xxxxxx3773' });
    expect(ofB({ accountNumber: '4232341234563773' })).toMatchObject({ card: '423234xxxxxx3773' });
    expect(ofB({ accountNumber: '42323499xxxx3773' })).toMatchObject({ card: '423234xxxxxx3773' });
  });

  it('is masked wherever else it stands', () => {
    const providerAlert = ofA({
      transactionId: whole,
      merchantDescriptor: `SHOP ${whole}`,
      issuer: '4111 1111 1111 1111 Bank',
    });
    expect(JSON.stringify(providerAlert)).not.toMatch(/4111 ?1111 ?1111 ?1111/);
    expect(providerAlert.transactionId).toBe('411111******1111');
  });

  it('masks a reference that looks like another card, and keeps references that no card has', () => {
    expect(ofA({ transactionId: '4242424242424242' })).toMatchObject({ transactionId: '424242******4242' });
    expect(ofA({ transactionId: '4242424242424242' }).asSent).toBeUndefined();
    for (const transactionId of ['482913847562910', '1764150000000', '4242424242424241', '83773']) {
      expect(ofA({ transactionId }).transactionId).toBe(transactionId);
    }
  });
});

describe('provider_b', () => {
  it('is read into the shape of all providers', () => {
    expect(ofB()).toMatchObject({
      provider: 'provider_b',
      caseId: '32838-001',
      type: 'DISPUTE',
      card: '423234xxxxxx3773',
      amount: '39.99',
      disputeAmount: '39.99',
      disputeCurrency: 'USD',
      conditionCode: '10.4',
      conditionReason: 'Other fraud, card absent',
      tier: '1',
    });
  });

  it('needs no more than the case to withdraw it', () => {
    expect(parse(providerBBody(), { caseId: 'x', status: 'REVOKED' })).toEqual({ caseId: 'x', status: 'REVOKED' });
  });

  it.each([
    [{ status: 'OLD' }, 'status: must be NEW or REVOKED'],
    [{ status: undefined }, 'status: '],
    [{ caseType: 'DISPUTE_RDR' }, 'caseType: must be DISPUTE, CANCEL'],
    [{ transactionAmount: '1e3' }, 'transactionAmount: must be a decimal'],
    [{ caseAmount: '1.999' }, 'caseAmount: has more decimals than USD has (2)'],
    [{ caseCurrency: '' }, 'caseAmount: requires caseCurrency as well'],
  ])('refuses %j and names the field', (change, words) => expect(refusal(() => ofB(change))).toContain(words));
});

describe('rdr', () => {
  it('is read into the shape of all providers', () => {
    expect(ofRdr()).toMatchObject({
      provider: 'rdr',
      type: 'DISPUTE_RDR',
      decision: 'ACCEPTED',
      declineCode: '',
      bin: '423223',
      caid: '1231231',
      descriptor: 'ONLINE*MERCHANT',
      amount: '12.00',
    });
    expect(ofRdr({ decision: 'DECLINED', declineCode: 'D4' })).toMatchObject({ declineCode: 'D4' });
  });

  it('needs no more than the decision to take it back', () => {
    expect(parse(rdrBody(), { decisionId: 'x', event: 'DELETE' })).toEqual({ decisionId: 'x', event: 'DELETE' });
  });

  it('stores an invalid ARN separately from the alert', () => {
    const arn = '4385396862438288487739X';
    expect(ofRdr({ arn })).toMatchObject({ arn: '', asSent: { arn } });
  });

  it.each([
    [{ event: 'UPDATE' }, 'event: must be DECISION or DELETE'],
    [{ decision: 'MAYBE' }, 'decision: must be ACCEPTED or DECLINED'],
  ])('refuses %j and names the field', (change, words) => expect(refusal(() => ofRdr(change))).toContain(words));
});

it('leaves nothing that a body did not declare', () => {
  expect(v.parse(providerABody(), { ...bodyA(), cvv: '123', pan: '4111111111111111' })).not.toHaveProperty('cvv');
});
