import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { alertOf, deliveriesOf, formsFor, receive, sendSigned, settings, update } from '../support/personas.ts';
import { filesUnder } from '../support/secret-leak-scan.ts';
import { startStack, type TestStack } from '../support/stack.ts';

/**
 * Secrets and card numbers that pass through the service, hunted for in every place where something is kept: the table,
 * the queues, the mails, the log lines and the answers.
 */
const card = '4242424242424242';
const webhookToken = 'canary-webhook-token-7f3a';
const password = 'canary-password-91cc';

let service: TestStack;
let dataFolder: string;
const answers: string[] = [];
const secrets = new Map<string, string>();

const keep = <R extends { text: string }>(reply: R): R => {
  answers.push(reply.text);
  return reply;
};

beforeAll(async () => {
  service = await startStack({ startTime: '2026-05-02T10:00:00Z' });
  dataFolder = service.dataFolder;
  await play();
});
afterAll(() => service.stop());

/** Everything that secrets take part in, the failures too. */
const play = async (): Promise<void> => {
  const { site, merchant, admin, providers } = service.credentials;
  const token = await service.tokenOf('merchant');
  keep(await settings(service, { token: webhookToken }));
  service.sinks.answer('demo', { status: 500, times: 1, body: `you sent ${webhookToken} and ${card}` });
  const caseB = {
    caseId: 'CANARY-1',
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
  keep(await sendSigned(service, 'provider_b', { ...caseB, caseId: 'CANARY-2', transactionAmount: card }));
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
  const rotated = keep(await service.call(`/api/v3/site/${site.sid}/rcode/rotate`, { token, body: {} }));
  await service.clock.advance('PT12H');
  keep(await update(service, { alert_id: String(alertId), status: 'RESOLVED', reason_code: '100.001' }));
  answers.push(JSON.stringify(await alertOf(service, alertId)), JSON.stringify(await deliveriesOf(service, alertId)));
  secrets.set('rcode', site.rcode).set('new rcode', v.parse(v.string(), rotated.body['rcode']));
  secrets.set('signing secret', site.signing_secret).set('webhook token', webhookToken).set('wrong password', password);
  secrets.set('merchant password', merchant.password).set('admin password', admin.password).set('Bearer token', token);
  for (const [name, value] of Object.entries(providers)) secrets.set(`${name} secret`, value);
};

/** The stack's own notes of the demo tenant and the emulated Secrets Manager hold secrets on purpose; the table must not. */
const tableFiles = () => filesUnder(dataFolder).filter((file) => /table\.sqlite/.test(file));

describe('after everything has been played', () => {
  it('nothing secret and no card number lies in the table', () => {
    const bytes = Buffer.concat(tableFiles().map((file) => readFileSync(file)));
    expect(bytes.length).toBeGreaterThan(10_000);
    expect(bytes.includes(Buffer.from('424242'))).toBe(true);
    const found = [...secrets, ['card number', card] as const].filter(([, secret]) =>
      bytes.includes(Buffer.from(secret)),
    );
    expect(found.map(([name]) => name)).toEqual([]);
  });

  it('nothing secret and no card number stands in a log line', () => {
    const lines = service.invocations.flatMap(({ logs }) => logs).join('\n');
    expect(lines).toContain('update-alert');
    const found = [...secrets, ['card number', card] as const].filter(([, secret]) => lines.includes(secret));
    expect(found.map(([name]) => name)).toEqual([]);
  });

  it('nothing secret and no card number went through a queue or a stream to a function', () => {
    const events = service.invocations
      .filter(({ function: { name } }) => /router|deliver|sweep|send-mail|deadline|counter/.test(name))
      .map(({ event }) => JSON.stringify(event))
      .join('\n');
    const found = [...secrets, ['card number', card] as const].filter(([, secret]) => events.includes(secret));
    expect(found.map(([name]) => name)).toEqual([]);
  });

  it('no answer, mail or notification shows a secret, but for the new rcode to the one who asked for it', () => {
    const shown = [...answers, JSON.stringify(service.mails()), ...service.sinks.got('demo').map(({ body }) => body)];
    const found = [...secrets, ['card number', card] as const].flatMap(([name, secret]) =>
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
