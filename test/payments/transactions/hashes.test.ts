import { createHash } from 'node:crypto';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { Hash } from '#payments/payments/order/hash-schema.ts';
import {
  captureHash,
  orderHash,
  orderHashes,
  rcodeOfHash,
  sentRcode,
  signVrfy,
  siteHash,
  timestampProblem,
} from '#payments/payments/order/hashes.ts';

const md5 = (text: string) => createHash('md5').update(text).digest('hex');

describe('hashes', () => {
  it('are md5 of what the interface says, joined', () => {
    expect(siteHash(12, 's3cret')).toBe(md5('12s3cret'));
    const order = { sid: 12, timestamp: '1778000000', total: '10.00', currency: 'USD' };
    expect(orderHash(order, 's3cret')).toBe(md5('12177800000010.00USDs3cret'));
    expect(captureHash(12, '10.00', 's3cret')).toBe(md5('1210.00s3cret'));
  });

  it('of an order prove no other amount, whatever the currency and its spelling', () => {
    const base = { sid: 12, timestamp: '1778000000' };
    const hashesOf = (minor: bigint, currency: string) =>
      orderHashes({ ...base, total: { minor, currency } }, 's3cret');
    for (const currency of ['AUD', 'ARS', 'DZD', 'BSD', 'ALL'])
      for (const whole of [1n, 10n, 100n, 1000n]) {
        const others = [hashesOf(whole * 1000n, currency), hashesOf(whole * 10n, currency)].flat();
        expect(hashesOf(whole * 100n, currency).filter((hash) => others.includes(hash))).toEqual([]);
      }
  });

  it.each([
    [{ minor: 500n, currency: 'USD' }, ['5', '5.0', '5.00'], ['USD', 'usd', '840']],
    [{ minor: 1050n, currency: 'AUD' }, ['10.5', '10.50'], ['AUD', '036', '36']],
    [{ minor: 500n, currency: 'JPY' }, ['500', '500.0', '500.00'], ['JPY', '392']],
    [{ minor: 1234n, currency: 'KWD' }, ['1.234'], ['KWD', '414']],
  ])('of an order are right with its amount and currency in each spelling: %o', (total, texts, codes) => {
    const hashes = orderHashes({ sid: 12, timestamp: '1778000000', total }, 's3cret');
    for (const text of texts) {
      for (const code of codes) expect(hashes).toContain(md5(`121778000000${text}${code}s3cret`));
    }
    expect(hashes).not.toContain(md5(`121778000000${texts[0]}1${codes[0]}s3cret`));
    expect(rcodeOfHash(hashes.at(-1) ?? '', ['other', 's3cret'], (rcode) => (rcode === 's3cret' ? hashes : []))).toBe(
      's3cret',
    );
  });

  it('accept digits at the beginning that look like a card number', () => {
    const hash = '4242424242424242d41d8cd98f00b204';
    expect(v.parse(Hash, hash)).toBe(hash);
    expect(v.is(Hash, '4242424242424242')).toBe(false);
  });

  it('vrfy is as the published example', () => {
    const result = { txid: 1001, status: 'OK', amount: '10.00', currency: 'USD', tx_action: 'PAYMENT' };
    expect(signVrfy(12, 's3cret', result)).toBe('ff159d93b751c232b9e5a4ebfbcab8dc4775a34b74b0458a1c634efc9c00eff9');
  });

  it('tell which rcode they were made with, in either case of letters', () => {
    const expected = (rcode: string) => siteHash(12, rcode);
    expect(rcodeOfHash(md5('12old'), ['new', 'old'], expected)).toBe('old');
    expect(rcodeOfHash(md5('12new').toUpperCase(), ['new', 'old'], expected)).toBe('new');
    expect(rcodeOfHash(md5('12other'), ['new', 'old'], expected)).toBeUndefined();
    expect(rcodeOfHash('', ['new'], expected)).toBeUndefined();
    expect(rcodeOfHash(md5('12new'), [], expected)).toBeUndefined();
    expect([sentRcode('old', ['new', 'old']), sentRcode('o', ['old']), sentRcode('', [])]).toEqual([
      'old',
      undefined,
      undefined,
    ]);
  });
});

describe('the timestamp of a hash', () => {
  const at = Date.parse('2026-05-02T10:00:00Z');

  it.each([
    ['the present', String(at / 1000)],
    ['15 minutes ago', String(at / 1000 - 900)],
    ['15 minutes ahead', String(at / 1000 + 900)],
    ['in milliseconds', String(at)],
    ['in milliseconds, 15 minutes ago', String(at - 900_000)],
    ['written as a date', '20260502100000'],
    ['a date at the edge', '20260502094500'],
  ])('%s: right', (_, timestamp) => {
    expect(timestampProblem(timestamp, at)).toBeUndefined();
  });

  it.each([
    ['a second too old', String(at / 1000 - 901), `server's time, which is ${at / 1000} (2026-05-02T10:00:00Z)`],
    ['a second too new', String(at / 1000 + 901), 'is more than 15 minutes'],
    ['a date too old', '20260502094459', 'is more than 15 minutes'],
    ['a millisecond too old', String(at - 900_001), 'is more than 15 minutes'],
    ['microseconds', `${at}000`, 'must be Unix seconds'],
    ['30 February', '20260230100000', 'must be Unix seconds'],
    ['hour 24', '20260501240000', 'must be Unix seconds'],
    ['nothing', '', 'must be Unix seconds'],
    ['words', 'now', 'must be Unix seconds'],
  ])('%s: wrong', (_, timestamp, words) => {
    expect(timestampProblem(timestamp, at)).toContain(words);
  });
});
