import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import { beforeAll, describe, expect, it } from 'vitest';
import { formsFor, listDeliveries, readAlert, receive, sendSigned, settings, update } from '#test/support/personas.ts';
import { filesUnder } from '#test/support/secret-leak-scan.ts';
import { useStack } from '#test/support/stack.ts';

/**
 * Secrets and card numbers that pass through the service, hunted for in every place where something is kept: the table,
 * the queues, the mails, the log lines and the answers.
 */
const card = '4242424242424242';
/** People also write down what is printed next to the number, and put both anywhere. */
const cardAndMore = `${card} 12/30 123`;
const cardInLines = card.match(/.{4}/g)?.join('\n') ?? '';
const webhookToken = 'probe-webhook-token-7f3a';
const password = 'probe-password-91cc';

const service = await useStack({ real: true, startTime: '2026-05-02T10:00:00Z' });
let dataFolder: string;
const answers: string[] = [];
const cardSpellings = [
  ['card number', card],
  ['card number in lines', cardInLines],
  ['card number in lines', JSON.stringify(cardInLines).slice(1, -1)],
] as const;
const secrets = new Map<string, string>();

const keep = <R extends { text: string }>(reply: R): R => {
  answers.push(reply.text);
  return reply;
};

beforeAll(async () => {
  dataFolder = service.dataFolder;
  await play();
});

/** Everything that secrets take part in, the failures too. */
const play = async (): Promise<void> => {
  const { site, merchant, admin, providers } = service.credentials;
  const token = await service.tokenOf('merchant');
  keep(await settings(service, { token: webhookToken }));
  service.sinks.answer('demo', { status: 500, times: 1, body: `you sent ${webhookToken} and ${cardAndMore}` });
  const caseB = {
    caseId: 'PROBE-1',
    caseType: 'DISPUTE',
    status: 'NEW',
    caseDate: '2026-05-02T10:00:00Z',
    paymentType: 'VISA',
    accountNumber: card,
    transactionDate: '2026-04-30T08:15:00Z',
    transactionAmount: '39.99',
    transactionCurrency: 'USD',
    caseAmount: '39.99',
    caseCurrency: 'USD',
    authorizationCode: '387373',
    reasonCode: '10.4',
    descriptor: 'DEMO SHOP',
    cvv: '987',
  };
  const taken = keep(await sendSigned(service, 'provider_b', caseB));
  await service.untilIdle();
  const alertId = Number(taken.body['alert_id']);
  keep(await sendSigned(service, 'provider_b', { ...caseB, caseId: 'PROBE-2', transactionAmount: card }));
  keep(
    await service.call('/api/v3/providers/provider_b/alerts', {
      body: caseB,
      headers: { 'x-signature': `t=1,v1=${providers.provider_b}` },
    }),
  );
  keep(await service.call('/api/v2/index.php/gettoken', { body: { username: merchant.username, password } }));
  keep(
    await service.call('/secure/alert/update/v2/', {
      body: { alert_id: String(alertId), status: card },
      headers: { rcode: site.rcode },
    }),
  );
  keep(
    await service.call('/secure/alert/update/v2/', { body: { alert_id: '1' }, headers: { rcode: `${site.rcode}x` } }),
  );
  keep(await service.call(`/api/v3/site/${site.sid}/details`, { token }));
  keep(await service.call(`/api/v3/site/${site.sid}/details`, { token: `${token}x` }));
  await playTexts(alertId);
  const rotated = keep(await service.call(`/api/v3/site/${site.sid}/rcode/rotate`, { token, body: {} }));
  await service.clock.advance('PT12H');
  keep(await update(service, { alert_id: String(alertId), status: 'RESOLVED', reason_code: '100.001' }));
  answers.push(
    JSON.stringify(await readAlert(service, alertId)),
    JSON.stringify(await listDeliveries(service, alertId)),
  );
  secrets.set('rcode', site.rcode).set('new rcode', v.parse(v.string(), rotated.body['rcode']));
  secrets.set('signing secret', site.signing_secret).set('webhook token', webhookToken).set('wrong password', password);
  secrets.set('merchant password', merchant.password).set('admin password', admin.password).set('Bearer token', token);
  for (const [name, value] of Object.entries(providers)) secrets.set(`${name} secret`, value);
};

/** Card numbers in every text that an alert can be given, with other digits around them. */
const playTexts = async (alertId: number): Promise<void> => {
  const { rcode } = service.credentials.site;
  const wip = { alert_id: String(alertId), status: 'WIP', reason_code: '999.002' };
  const texts = {
    comments: `paid with ${cardAndMore}`,
    merchant_notes: cardInLines,
    tx_details: [{ userid: `7 ${cardAndMore}`, username: `Jo ${card} 99` }],
  };
  keep(await service.call('/secure/alert/update/v2/', { body: { ...wip, ...texts }, headers: { rcode } }));
  const inform = {
    ...{ alertId: `A ${cardAndMore}`, type: 'FRAUD_NOTICE', alertTimestamp: '2026-05-02T10:00:00Z', age: card },
    ...{ issuer: `Bank ${cardAndMore}`, cardBin: '424242', cardLast4: '4242', authCode: cardAndMore.slice(0, 20) },
    ...{ transactionTimestamp: '2026-04-30T08:15:00Z', merchantDescriptor: `DEMO ${cardAndMore}`, mcc: '5732' },
    ...{ amount: { value: '361.56', currencyCode: 'USD' }, transactionId: '83773', reasonCode: card },
  };
  keep(await sendSigned(service, 'provider_a', inform));
  const merchantDescriptor = `DEMO* ${cardAndMore}`;
  keep(await sendSigned(service, 'provider_a', { ...inform, alertId: 'probe-3', type: 'DISPUTE', merchantDescriptor }));
  keep(await sendSigned(service, 'provider_a', { ...inform, alertId: 'probe-4', merchantDescriptor }));
  const dummy = { alert_type: 'FRAUD', currency: 'USD', amount: '10.00', issuername: cardInLines };
  for (const descriptor of [merchantDescriptor, `NOBODY ${cardAndMore}`]) {
    const token = await service.tokenOf('merchant');
    keep(await service.call('/secure/alerts/service_dummy', { token, body: { ...dummy, descriptor } }));
  }
  await service.untilIdle();
};

/** The stack's own notes of the demo tenant and the emulated Secrets Manager hold secrets on purpose; the table must not. */
const tableFiles = () => filesUnder(dataFolder).filter((file) => /table\.sqlite/.test(file));

describe('after everything has been played', () => {
  it('the table contains no secret and no card number', () => {
    const bytes = Buffer.concat(tableFiles().map((file) => readFileSync(file)));
    expect(bytes.length).toBeGreaterThan(10_000);
    expect(bytes.includes(Buffer.from('424242'))).toBe(true);
    const found = [...secrets, ...cardSpellings].filter(([, secret]) => bytes.includes(Buffer.from(secret)));
    expect(found.map(([name]) => name)).toEqual([]);
  });

  it('what was written around the card numbers is kept, with the numbers masked', () => {
    expect(answers.join('\n')).toContain('paid with 424242******4242 12/30 ***');
    const text = Buffer.concat(tableFiles().map((file) => readFileSync(file))).toString('latin1');
    for (const descriptor of ['DEMO* 424242******4242 12/30 ***', 'DEMO 424242******4242 12/30 ***']) {
      expect(text.includes(descriptor), descriptor).toBe(true);
    }
  });

  it('no log line contains a secret or a card number', () => {
    const lines = service.invocations.flatMap(({ logs }) => logs).join('\n');
    expect(lines).toContain('update-alert');
    const found = [...secrets, ...cardSpellings].filter(([, secret]) => lines.includes(secret));
    expect(found.map(([name]) => name)).toEqual([]);
  });

  it('nothing secret and no card number went through a queue or a stream to a function', () => {
    const events = service.invocations
      .filter(({ function: { name } }) => /router|deliver|sweep|send-mail|deadline|counter/.test(name))
      .map(({ event }) => JSON.stringify(event))
      .join('\n');
    const found = [...secrets, ...cardSpellings].filter(([, secret]) => events.includes(secret));
    expect(found.map(([name]) => name)).toEqual([]);
  });

  it('no answer, mail or notification shows a secret, but for the new rcode to the one who asked for it', () => {
    const shown = [...answers, JSON.stringify(service.mails()), ...service.sinks.got('demo').map(({ body }) => body)];
    const found = [...secrets, ...cardSpellings].flatMap(([name, secret]) =>
      shown.some((text) => text.includes(secret)) ? [name] : [],
    );
    expect(found).toEqual(['new rcode']);
  });

  it('the merchant’s endpoint was still called with its token', () => {
    expect(service.sinks.got('demo').some(({ headers }) => headers['authorization'] === `Bearer ${webhookToken}`)).toBe(
      true,
    );
  });
});

it('masks the card number in what the merchant gets', async () => {
  const alertId = await receive(service);
  expect(formsFor(service, alertId)[0]?.get('card')).toBe('411111xxxxxx1111');
});
