import { SendMessageBatchCommand, type SendMessageBatchCommandInput, SQSClient } from '@aws-sdk/client-sqs';
import { mockClient } from 'aws-sdk-client-mock';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { nowIso, nowMilliseconds, setClock } from '#core/kernel/clock.ts';
import type { PayCommand } from '#payments/processors/ports/processor.ts';
import { sandboxProcessor } from '#payments/processors/sandbox/sandbox-client.ts';
import { ask, expectDeclared, useOperations } from '#test/support/operations.ts';
import { payCommand, toQuery } from './contract.ts';

useOperations();

let sent: number[] = [];
beforeEach(() => {
  sent = [];
  process.env['SETTLEMENT_QUEUE_URL'] = 'https://sqs.example.com/settlement';
  mockClient(SQSClient)
    .on(SendMessageBatchCommand)
    .callsFake(({ Entries = [] }: SendMessageBatchCommandInput) => {
      for (const { MessageBody = '{}' } of Entries) sent.push(JSON.parse(MessageBody).txid);
      return {};
    });
});
afterEach(() => setClock());

const processor = sandboxProcessor({ sid: 3, ring: { current: 'k1', keys: { k1: 'a key' } } });

const redirected = async (change: Partial<PayCommand> = {}) => {
  const command = { ...payCommand({ minor: 123_463n }), ...change };
  const outcome = await processor.pay(command);
  if (outcome.outcome !== 'PEND' || outcome.nextAction?.type !== 'redirect') throw new Error('No redirect');
  const { url } = outcome.nextAction;
  return { command, url, id: url.split('/').at(-1) ?? '', reference: outcome.reference };
};
type Redirected = Awaited<ReturnType<typeof redirected>>;
const askOutcome = async ({ command, reference }: Redirected) =>
  processor.query(toQuery('pay', command, { reference, startedAt: nowIso() }));

const page = (id: string) => ask('processors/sandbox-page', { as: 'nobody', params: { id } });
const answer = (id: string, text: string) =>
  ask('processors/sandbox-page-answer', { as: 'nobody', params: { id }, body: new URLSearchParams({ answer: text }) });

describe('the page of a sandbox payment', () => {
  it('shows what is asked for, and loads nothing', async () => {
    const { id, url } = await redirected();
    expect(url).toBe(`https://pay.example.com/sandbox/pay/${id}`);
    const { status, headers, body } = await page(id);
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(headers['content-security-policy']).toContain("default-src 'none'");
    expect(body).toContain('1234.63 USD');
    expect(body).toContain('SHOP*ONLINE');
    expect(body).toContain('Test mode');
    expect(body).not.toMatch(/4242|LOVELACE|<script|src=|@import|url\(/);
  });

  it('names the shop if the payment has no descriptor', async () => {
    const { id } = await redirected({ descriptor: null });
    expect((await page(id)).body).toContain('To Example Shop');
  });

  it('is served under the same stage as the link that leads back', async () => {
    const { url } = await redirected({ returnUrl: 'https://api.example.com/prod/return/123?token=abc' });
    expect(url).toMatch(/^https:\/\/api\.example\.com\/prod\/sandbox\/pay\/[0-9a-z]{52}$/);
  });

  it('escapes what merchants wrote', async () => {
    const { id } = await redirected({
      descriptor: '<img src=x onerror=alert(1)>',
      returnUrl: 'https://pay.example.com/a?b="><script>',
    });
    const before = String((await page(id)).body);
    const after = String((await answer(id, 'approve')).body);
    for (const shown of [before, after]) expect(shown).not.toMatch(/<img|<script/);
    expect(after).toContain('href="https://pay.example.com/a?b=&quot;&gt;&lt;script&gt;"');
  });

  it('leads back to pages only', async () => {
    const { id } = await redirected({ returnUrl: 'javascript:alert(1)' });
    expect((await answer(id, 'approve')).body).not.toContain('href');
  });

  it.each([
    ['approve', 'Payment approved', 'OK'],
    ['decline', 'Payment declined', 'EXC'],
  ])('%s: says so, settles the transaction, and stays whatever is answered then', async (text, words, outcome) => {
    const payment = await redirected();
    expect((await answer(payment.id, text)).body).toContain(words);
    expect(await askOutcome(payment)).toMatchObject({ outcome });
    for (const again of ['approve', 'decline']) expect((await answer(payment.id, again)).body).toContain(words);
    expect((await page(payment.id)).body).toContain(words);
    expect(await askOutcome(payment)).toMatchObject({ outcome });
    expect(sent).toEqual(Array(3).fill(payment.command.txid));
  });

  it('counts one of two answers at once, and both get the same result', async () => {
    const payment = await redirected();
    const answers = await Promise.all(['approve', 'decline'].map((text) => answer(payment.id, text)));
    const title = (body: unknown) => /<h1[^>]*>([^<]*)/.exec(String(body))?.[1];
    const shown = answers.map(({ body }) => title(body));
    expect(shown[0]).toBe(shown[1]);
    expect(shown[0]).toBe(title((await page(payment.id)).body));
  });

  it('expires after an hour', async () => {
    const payment = await redirected();
    const end = nowMilliseconds() + 3_600_000;
    setClock(() => end);
    expect((await page(payment.id)).body).toContain('expired');
    expect((await answer(payment.id, 'approve')).body).toContain('expired');
    expect(await askOutcome(payment)).toMatchObject({ outcome: 'EXC', code: 'authentication_abandoned' });
  });

  it('has an address that cannot be guessed, and answers every other alike', async () => {
    const { id } = await redirected();
    const wrong = [`${id.slice(0, -1)}${id.endsWith('0') ? '1' : '0'}`, id.slice(0, 32), 'x', 'a'.repeat(52)];
    for (const one of wrong) {
      for (const { status, headers, body } of [await page(one), await answer(one, 'approve')]) {
        expect([status, headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
        expect(body).toContain('No such page');
      }
    }
    expect((await page(id)).body).toContain('Confirm your payment');
    expect((await answer(id, 'perhaps')).status).toBe(400);
    expect(sent).toEqual([]);
  });
});

it.each(['processors/sandbox-page', 'processors/sandbox-page-answer'])('%s declares what it does', expectDeclared);
