import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { passesLuhn } from '#core/kernel/card/luhn.ts';
import { sendSigned } from '#test/support/personas.ts';
import { filesUnder } from '#test/support/secret-leak-scan.ts';
import { type CallOptions, type CallReply, useStack } from '#test/support/stack.ts';

/**
 * Cards, security codes, rcodes and processors' keys that pass through payments, hunted for in every place where something
 * is kept or sent: the table, the queues, the streams, the mails, the log lines, the answers and the notifications.
 */
const cards = {
  visa: '4242424242424242',
  declined: '4000000000000002',
  amex: '378282246310005',
  mastercard: '5555555555554444',
  mistyped: '4242424242424241',
} as const;
/** Four digits, which chance seldom writes between two that are none. */
const cvv = '7391';
const otp = 'probe-otp-55d1';
const stripeKey = 'sk_test_probe0processor0key';
const stripeWebhookSecret = 'whsec_probe0webhook0secret';

const service = await useStack({ real: true, startTime: '2026-05-02T10:00:00Z' });
let rcode: string;
let sid: number;
let token: string;
const answers: string[] = [];

const ask = async (path: string, options: CallOptions = {}): Promise<CallReply> => {
  const reply = await service.call(path, options);
  expect(reply.status).toBeLessThan(500);
  answers.push(reply.text);
  return reply;
};
const md5 = (text: string): string => createHash('md5').update(text).digest('hex');
let signed = 0;
/** No two orders have the same timestamp: a hash signs one order. */
const seconds = () => {
  signed += 1;
  return String(Math.floor(service.clock.now().getTime() / 1000) + (signed % 800));
};

type Fields = Record<string, unknown>;
const order = (amount: string, change: Fields = {}): Fields => {
  const timestamp = seconds();
  return {
    hash: md5(`${sid}${timestamp}${amount}USD${rcode}`),
    timestamp,
    card_type: 'VISA',
    card_no: cards.visa,
    card_ccv: cvv.slice(0, 3),
    card_exp_month: '12',
    card_exp_year: '2039',
    card_name: 'Jenny Rosen',
    firstname: 'Jenny',
    lastname: 'Rosen',
    email: 'jenny@example.com',
    item_name: ['Hosting'],
    item_amount_unit: [amount],
    currency: 'USD',
    tx_action: 'PAYMENT',
    postback_url: service.sinks.url('shop'),
    ...change,
  };
};
const pay = (amount: string, change: Fields = {}) =>
  ask(`/api/v1/index.php/${sid}/singletx`, { body: order(amount, change) });
const toForm = (fields: Fields): string =>
  Object.entries(fields)
    .flatMap(([name, value]) => [value].flat().map((one) => [Array.isArray(value) ? `${name}[]` : name, one]))
    .map(([name, one]) => `${name}=${encodeURIComponent(String(one))}`)
    .join('&');
const form = { 'content-type': 'application/x-www-form-urlencoded' };
const amex = { card_type: 'AMEX', card_no: '3782 822463 10005', card_ccv: cvv };

beforeAll(async () => {
  ({ rcode, sid } = service.credentials.payment_site);
  token = await service.tokenOf('merchant');
  await payments();
  await followUps();
  await otherTenants();
  await service.clock.advance('PT2M');
  await service.untilIdle();
});

/** Every way a card comes in, and every way a payment ends. */
const payments = async (): Promise<void> => {
  const plain = await pay('10.00', { tid: 'probe-1' });
  expect(plain.body).toMatchObject({ status: 'OK' });
  expect((await pay('10.01', amex)).body).toMatchObject({ status: 'OK' });
  expect((await pay('10.02', { card_no: cards.declined })).body).toMatchObject({ status: 'EXC' });
  const typed = JSON.stringify(order('10.03')).replace(`"${cards.visa}"`, cards.visa);
  expect((await ask(`/api/v1/index.php/${sid}/singletx`, { body: typed })).body).toMatchObject({ status: 'OK' });
  const sent = toForm(order('10.04', { card_no: '5555-5555-5555-4444', card_type: 'MASTERCARD' }));
  expect((await ask(`/api/v1/index.php/${sid}/singletx`, { body: sent, headers: form })).body).toMatchObject({
    status: 'OK',
  });
  for (const amount of ['10.61', '10.62', '10.63', '10.66']) await pay(amount);
  const waiting = await pay('10.64', amex);
  const hash = md5(`${sid}${rcode}`);
  await ask(`/api/v1/index.php/${waiting.body['txid']}/sendauth`, {
    body: { authtype: 'SMS', authvalue: otp, miscdata: `Jenny Rosen|${cards.visa}`, hash },
  });
};

/** The operations on payments, and the searches for them by card. */
const followUps = async (): Promise<void> => {
  const { body } = await pay('20.00');
  await ask(`/api/v3/service_process/transaction/${body['txid']}/processrefund`, {
    token,
    body: { amount: '5.00', currency: 'USD' },
  });
  await sendSigned(service, 'provider_b', {
    ...{ caseId: 'PROBE-P', caseType: 'DISPUTE', status: 'NEW', caseDate: '2026-05-02T10:00:00Z' },
    ...{ paymentType: 'VISA', accountNumber: cards.visa, transactionDate: '2026-05-02T10:00:00Z' },
    ...{ transactionAmount: '20.00', transactionCurrency: 'USD', caseAmount: '20.00', caseCurrency: 'USD' },
    ...{ reasonCode: '10.4', descriptor: 'DEMO SHOP', cvv },
  });
  const search = { card_no: cards.visa };
  const found = await ask('/api/v3/cardtransactions', { token, body: search });
  expect(found.text).toContain('424242******4242');
  await ask('/api/v3/cardsearchandemail', { token, body: search });
  await ask('/api/v3/cardsearchandemail', { token, body: `card_no=${cards.amex}`, headers: form });
  await ask(`/api/v3/${sid}/balance`, { body: { rcode } });
  await ask(`/api/v1/index.php/${body['txid']}/getstatus?hash=${md5(`${sid}${rcode}`)}`, { method: 'GET' });
  await ask(`/api/v3/site/${sid}/processors`, {
    token,
    body: {
      routes: [
        {
          processor: 'stripe',
          // The address has no listener: the payment fails, and reports the reason.
          credentials: {
            secret_key: stripeKey,
            webhook_secret: stripeWebhookSecret,
            base_url: 'http://127.0.0.1:9',
          },
        },
      ],
    },
  });
  await ask(`/api/v3/site/${sid}/processors/details`, { token, body: {} });
  await pay('30.00', amex);
};

/** Mistakes: numbers where none belong, wrong ones, and secrets that are nearly right. */
const otherTenants = async (): Promise<void> => {
  const wrong: Fields[] = [
    { card_no: cards.mistyped },
    { card_no: [cards.visa] },
    { card_ccv: cards.visa },
    { hash: cards.visa },
    { timestamp: cards.visa },
    { tid: `order ${cards.visa}` },
    { reference: cards.visa, ref1: cards.mastercard },
    { card_name: cards.visa },
    { firstname: cards.visa, lastname: cvv },
    { item_name: [cards.visa] },
    { dynamic_descriptor: cards.visa },
    { device_info: { card: cards.visa, cvv } },
    { threeDSecure: JSON.stringify({ pan: cards.visa }) },
    { email: `${cards.visa}@example.com` },
    { postback_url: `https://shop.example.com/${cards.visa}` },
  ];
  for (const change of wrong) await pay('10.05', change);
  await ask('/api/v3/cardtransactions', { token, body: { card_no: cards.mistyped } });
  await ask('/api/v3/cardtransactions', { token, body: { mid: cards.visa } });
  await ask(`/api/v3/${sid}/balance`, { body: { rcode: `${rcode}x` } });
  await ask(`/api/v3/${sid}/balance`, { body: `{"rcode": ${cards.visa}` });
  await ask(`/api/v1/index.php/${sid}/singletx`, { body: `{"card_no": ${cards.visa}, "card_ccv": ${cvv}` });
  await ask(`/api/v1/index.php/${cards.visa}/requery?sid=${sid}&rcode=${rcode}x`);
};

const grouped = (number: string, gap: string): string =>
  number.length === 15
    ? [number.slice(0, 4), number.slice(4, 10), number.slice(10)].join(gap)
    : (number.match(/\d{4}/g) ?? []).join(gap);
const spellings = (number: string): string[] => [
  number,
  grouped(number, ' '),
  grouped(number, '-'),
  grouped(number, '+'),
  grouped(number, '%20'),
  Buffer.from(number).toString('base64').replace(/=+$/, ''),
  createHash('sha256').update(number).digest('hex'),
  createHash('md5').update(number).digest('hex'),
];

/** Returns the secrets of this file that a text contains, by name. */
const playedSecretsIn = (text: string): string[] => {
  const named: [string, string][] = [
    ...Object.entries(cards).flatMap(([name, number]) => spellings(number).map((one): [string, string] => [name, one])),
    ['rcode', rcode],
    ['one-time password', otp],
    ['key of a processor', stripeKey],
    ['secret of a processor', stripeWebhookSecret],
    ['token', token],
  ];
  const found = named.filter(([, secret]) => text.includes(secret)).map(([name]) => name);
  const codes = new RegExp(`(?<![\\w.+/=-])${cvv}(?![\\w.+/=-])`).test(text) ? ['cvv'] : [];
  return [...new Set([...found, ...codes])];
};

const secretsIn = (text: string): string[] => [...playedSecretsIn(text), ...cardLike(text)];

/** Anything else that looks like a card: a run of digits of its own that passes the check and starts as schemes' numbers do. */
const cardLike = (text: string): string[] =>
  [...text.matchAll(/(?<![\w.+/=#-])[2-6]\d{12,18}(?![\w.+/=-])/g)]
    .map(([digits]) => digits)
    .filter(passesLuhn)
    .map((digits) => `looks like a card: ${digits.slice(0, 6)}…`);

describe('after every kind of payment has been played', () => {
  it('the hunt finds what it looks for', () => {
    expect(secretsIn(`{"card_ccv":"${cvv}"}`)).toEqual(['cvv']);
    expect(secretsIn('x 4242 4242 4242 4242 y')).toEqual(['visa']);
    expect(secretsIn('"4012888888881881"')).toEqual(['looks like a card: 401288…']);
  });

  it('the table contains none of it', () => {
    const files = filesUnder(service.dataFolder).filter((file) => /table\.sqlite/.test(file));
    const text = Buffer.concat(files.map((file) => readFileSync(file))).toString('latin1');
    expect(text).toContain('probe-1');
    expect(text).toContain('LEDGER');
    // The file's pages cut long rows anywhere, so a part of a reference may pass for a card; `watchFolder` reads whole rows.
    expect(playedSecretsIn(text)).toEqual([]);
  });

  it('no log line contains any of it', () => {
    const lines = service.invocations.flatMap(({ logs }) => logs).join('\n');
    expect(lines).toContain('transactions/singletx');
    expect(secretsIn(lines)).toEqual([]);
  });

  it('nothing of it went through a queue or a stream', () => {
    const isFed = ({ event }: { event: unknown }) => Array.isArray((event as { Records?: unknown }).Records);
    const events = service.invocations.filter(isFed).map(({ event }) => JSON.stringify(event));
    expect(events.some((event) => event.includes('TRANSACTION'))).toBe(true);
    expect(secretsIn(events.join('\n'))).toEqual([]);
  });

  it('nothing of it is answered, mailed or posted back', () => {
    const posted = service.sinks.got('shop').map(({ body, headers }) => body + JSON.stringify(headers));
    expect(posted.length).toBeGreaterThan(3);
    const mails = service.mails().map((mail) => JSON.stringify(mail));
    expect(mails.join('\n')).toContain('Your card transactions');
    expect(answers.flatMap(secretsIn)).toEqual([]);
    expect(secretsIn(mails.join('\n'))).toEqual([]);
    expect(secretsIn(posted.join('\n'))).toEqual([]);
  });
});
