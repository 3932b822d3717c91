import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { mockClient } from 'aws-sdk-client-mock';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { milliseconds, setClock } from '#core/kernel/clock.ts';
import { readMinfraud } from '#payments/fraud/scorers/minfraud.ts';
import { askMinfraud } from '#payments/fraud/scorers/minfraud-client.ts';
import { emailDigest } from '#payments/fraud/scorers/minfraud-email.ts';
import { startMinfraud } from './minfraud-fake.ts';
import { anonymousSubject, aSubject } from './samples.ts';

const account = '42:licence-key';
let fake: Awaited<ReturnType<typeof startMinfraud>>;
let secret = account;
const secrets = mockClient(SecretsManagerClient);
beforeAll(async () => {
  fake = await startMinfraud(account);
  secrets.on(GetSecretValueCommand).callsFake(() => ({ SecretString: JSON.stringify({ current: 'k1', k1: secret }) }));
});
afterAll(() => {
  fake.stop();
  setClock();
});

let time = Date.parse('2026-05-02T10:00:00.000Z');
beforeEach(() => {
  Object.assign(process.env, {
    MINFRAUD_SECRET_ID: 'minfraud',
    MINFRAUD_URL: fake.url,
    ALLOW_LOOPBACK_HTTP: 'true',
  });
  secret = account;
  fake.scores(1);
  fake.state.got = [];
  // Secrets are kept for five minutes.
  time += 10 * milliseconds.minute;
  setClock(() => time);
});

describe('a question to minFraud', () => {
  it('holds what is known of the payment, in the form they take', async () => {
    fake.scores(12.6);
    const shipping = {
      line1: '2 Low Street',
      city: 'Bonn',
      state: 'Nordrhein-Westfalen',
      country: 'de',
      postcode: '53111',
    };
    const device = { id: 'd-1', ip: '203.0.113.7', userAgent: 'Mozilla/5.0', acceptLanguage: 'en', binCountry: null };
    expect(await askMinfraud(aSubject({ shipping, device }), {})).toEqual({
      points: 13,
      reasons: [{ name: 'minfraud_risk_score', points: 13 }],
    });
    expect(fake.state.got).toEqual([
      {
        device: { ip_address: '203.0.113.7', user_agent: 'Mozilla/5.0', accept_language: 'en', session_id: 'd-1' },
        event: {
          type: 'purchase',
          time: '2026-05-02T10:30:00.000Z',
          shop_id: 's12',
          transaction_id: '1077051069219257',
        },
        email: { address: emailDigest('anna@shop.example'), domain: 'shop.example' },
        billing: {
          first_name: 'Anna',
          last_name: 'Sample',
          address: '1 High Street',
          city: 'Springfield',
          region: 'IL',
          country: 'US',
          postal: '62701',
        },
        shipping: { address: '2 Low Street', city: 'Bonn', country: 'DE', postal: '53111' },
        credit_card: { issuer_id_number: '424242', last_digits: '4242' },
        order: { amount: 10, currency: 'USD' },
      },
    ]);
  });

  it('holds no e-mail address, no card number and no fingerprint', async () => {
    await askMinfraud(aSubject(), {});
    expect(fake.state.raw.at(-1)).not.toMatch(/anna@|aaaaaaaaaa|\d{12,19}(?!\d*")/i);
    expect(fake.state.raw.at(-1)).not.toContain('424242424242');
  });

  it('may be about a payer of whom nothing is known', async () => {
    expect(
      await askMinfraud(anonymousSubject({ kind: 'check', txid: null, money: { minor: 0n, currency: 'JPY' } }), {}),
    ).toEqual({ points: 1, reasons: [{ name: 'minfraud_risk_score', points: 1 }] });
    expect(fake.state.got[0]).not.toHaveProperty('credit_card');
    expect(fake.state.got[0]?.event).not.toHaveProperty('transaction_id');
    expect(fake.state.got[0]?.order).toEqual({ currency: 'JPY' });
  });

  it('writes an e-mail address as they do', () => {
    const md5OfAnna = emailDigest('anna@shop.example');
    expect(emailDigest('anna+news@shop.example')).toBe(md5OfAnna);
    expect(emailDigest('anna-news@shop.example')).not.toBe(md5OfAnna);
    expect(emailDigest('anna-news@yahoo.com')).toBe(emailDigest('anna@yahoo.com'));
    // md5 of "test@maxmind.com", as in their documentation.
    expect(emailDigest('test@maxmind.com')).toBe('977577b140bfb7c516e4746204fbdb01');
  });
});

describe('without a score', () => {
  it.each([
    ['a refusal', { status: 402, body: '{"code":"INSUFFICIENT_FUNDS","error":"words"}' }, /402 INSUFFICIENT_FUNDS$/],
    ['a failure of theirs', { status: 503, body: 'oops' }, /answered 503$/],
    ['an answer without a score', { status: 200, body: '{"risk_score":"12"}' }, /answered 200$/],
    ['a score that is none', { status: 200, body: '{"risk_score":101}' }, /answered 200$/],
    ['a broken connection', 'hang up', /fetch failed/],
  ] as const)('it throws: %s', async (_, answer, message) => {
    fake.answers(answer);
    await expect(askMinfraud(aSubject(), {})).rejects.toThrow(message);
  });

  it('repeats nothing of what was sent or answered', () =>
    expect(() => readMinfraud(400, { code: 'x 4242424242424242', error: 'You sent anna@shop.example' })).toThrow(
      /^minFraud answered 400$/,
    ));

  it('gives up on a service that is silent', async () => {
    fake.answers('silence');
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(AbortSignal.abort(new Error('timed out')));
    await expect(askMinfraud(aSubject(), {})).rejects.toThrow('timed out');
    expect(timeout).toHaveBeenCalledWith(3000);
    timeout.mockRestore();
  });

  it('throws for a secret that holds no account, and for one that is wrong', async () => {
    secret = 'generated';
    await expect(askMinfraud(aSubject(), {})).rejects.toThrow('does not hold');
    time += 10 * milliseconds.minute;
    secret = '42:other';
    await expect(askMinfraud(aSubject(), {})).rejects.toThrow('401 AUTHORIZATION_INVALID');
  });

  it('asks MaxMind alone where loopback addresses are not allowed', async () => {
    process.env['ALLOW_LOOPBACK_HTTP'] = 'false';
    const fetched = vi.spyOn(globalThis, 'fetch').mockRejectedValue(new Error('no network'));
    await expect(askMinfraud(aSubject(), {})).rejects.toThrow('no network');
    expect(String(fetched.mock.calls[0]?.[0])).toBe('https://minfraud.maxmind.com/minfraud/v2.0/score');
    fetched.mockRestore();
  });
});
