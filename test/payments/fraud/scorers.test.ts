import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { mockClient } from 'aws-sdk-client-mock';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { milliseconds, setClock } from '#core/kernel/clock.ts';
import { scoreLocally } from '#payments/fraud/scorers/local-scorer.ts';
import { remoteScorers } from '#payments/fraud/scorers/remote-scorers-client.ts';
import { readSift } from '#payments/fraud/scorers/sift.ts';
import { scorerContract } from './contract.ts';
import { startMinfraud } from './minfraud-fake.ts';
import { anonymousSubject, aSubject } from './samples.ts';
import { startSift } from './sift-fake.ts';

const account = '42:licence-key';
const apiKey = 'abcdef0123456789';
let secrets: Record<string, string> = {};
let sift: Awaited<ReturnType<typeof startSift>>;
let minfraud: Awaited<ReturnType<typeof startMinfraud>>;
const { sift: askSift, minfraud: askMinfraud } = remoteScorers;

beforeAll(async () => {
  [sift, minfraud] = await Promise.all([startSift(apiKey), startMinfraud(account)]);
  mockClient(SecretsManagerClient)
    .on(GetSecretValueCommand)
    .callsFake(({ SecretId }) => ({ SecretString: JSON.stringify({ current: 'k1', k1: secrets[SecretId] }) }));
});
afterAll(() => {
  sift.stop();
  minfraud.stop();
  setClock();
});

let time = Date.parse('2026-05-02T10:00:00.000Z');
beforeEach(() => {
  Object.assign(process.env, {
    ...{ SIFT_SECRET_ID: 'sift', MINFRAUD_SECRET_ID: 'minfraud', ALLOW_LOOPBACK_HTTP: 'true' },
    ...{ SIFT_URL: sift.url, MINFRAUD_URL: minfraud.url },
  });
  secrets = { sift: apiKey, minfraud: account };
  sift.state.got = [];
  sift.scores(0.01);
  minfraud.scores(1);
  // Secrets are kept for five minutes.
  time += 10 * milliseconds.minute;
  setClock(() => time);
});

scorerContract('the local scorer', () => ({ ask: async (_, facts) => scoreLocally(facts), service: null }));
scorerContract('minFraud', () => ({
  ask: askMinfraud,
  service: {
    ...{ scores: minfraud.scores, answers: minfraud.answers, sent: () => minfraud.state.raw.join('\n') },
    noScores: ['{"risk_score":"12"}', '{"risk_score":101}', '{}'],
  },
}));
scorerContract('Sift', () => ({
  ask: askSift,
  service: {
    scores: (points) => sift.scores(points / 100),
    ...{ answers: sift.answers, sent: () => sift.state.raw.join('\n') },
    noScores: [
      '{"status":51,"error_message":"Anna 4242"}',
      '{"status":0,"score_response":{"status":0,"scores":{}}}',
      '{"status":0,"score_response":{"status":0,"scores":{"payment_abuse":{"score":1.5}}}}',
    ],
  },
}));

it('takes no score from a failed answer of Sift', () => {
  const answer = { status: 0, score_response: { status: 0, scores: { payment_abuse: { score: 0.5 } } } };
  expect(readSift(200, answer)).toMatchObject({ points: 50 });
  expect(() => readSift(500, answer)).toThrow('Sift answered 500');
});

describe('the request to Sift', () => {
  it('has no amount that a JSON number cannot hold', async () => {
    await askSift(aSubject({ money: { minor: 900_719_925_474n, currency: 'USD' } }), {});
    await askSift(aSubject({ money: { minor: 900_719_925_475n, currency: 'USD' } }), {});
    expect(sift.state.got).toMatchObject([{ $amount: 9_007_199_254_740_000 }, {}]);
    expect(sift.state.got[1]).not.toHaveProperty('$amount');
  });

  it('describes the order in Sift’s own fields', async () => {
    const device = { id: 'd-1', ip: '203.0.113.7', userAgent: 'Mozilla/5.0', acceptLanguage: 'en', binCountry: null };
    const money = { minor: 1234n, currency: 'JPY' };
    await askSift(aSubject({ device, money }), {});
    expect(sift.state.got).toMatchObject([
      {
        ...{ $type: '$create_order', $order_id: 't1077051069219257', $session_id: 'd-1', $site_domain: 's12' },
        ...{ $user_email: 'anna@shop.example', $ip: '203.0.113.7', $time: Date.parse('2026-05-02T10:30:00.000Z') },
        ...{ $amount: 1_234_000_000, $currency_code: 'JPY' },
        $user_id: expect.stringMatching(/^s12_[0-9a-f]{40}$/),
        $billing_address: {
          ...{ $name: 'Anna Sample', $address_1: '1 High Street', $city: 'Springfield' },
          ...{ $region: 'IL', $country: 'US', $zipcode: '62701' },
        },
        $payment_methods: [{ $payment_type: '$credit_card', $card_bin: '424242', $card_last4: '4242' }],
        $browser: { $user_agent: 'Mozilla/5.0', $accept_language: 'en' },
      },
    ]);
  });

  it('recognises a person at one site, and none where no address is known', async () => {
    await askSift(aSubject(), {});
    await askSift(aSubject({ txid: 7 }), {});
    await askSift(aSubject({ sid: 13 }), {});
    await askSift(anonymousSubject({ txid: 8 }), {});
    const [one, again, elsewhere, unrelated] = sift.state.got.map(({ $user_id }) => $user_id);
    expect(again).toBe(one);
    expect(elsewhere).not.toBe(one);
    expect(unrelated).toBe('t8');
  });

  it('goes to Sift alone where loopback addresses are not allowed, and never with a key that is none', async () => {
    process.env['ALLOW_LOOPBACK_HTTP'] = 'false';
    const fetched = vi.spyOn(globalThis, 'fetch').mockRejectedValue(new Error('no network'));
    await expect(askSift(aSubject(), {})).rejects.toThrow('no network');
    expect(String(fetched.mock.calls[0]?.[0])).toMatch(/^https:\/\/api\.sift\.com\/v205\/events\?/);
    secrets = { sift: 'a'.repeat(64) };
    time += 10 * milliseconds.minute;
    await expect(askSift(aSubject(), {})).rejects.toThrow('does not hold an API key');
    expect(fetched).toHaveBeenCalledTimes(1);
    fetched.mockRestore();
  });
});
