import { readFile } from 'node:fs/promises';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { playConnectStory } from '#lib/local/demo/connect-story.ts';
import { playHistoryStory } from '#lib/local/demo/history-story.ts';
import { playOrdersStory } from '#lib/local/demo/orders-story.ts';
import { createJsonStage, type Stage } from '#lib/local/demo/stage.ts';
import { playThreeDsStory } from '#lib/local/demo/three-ds-story.ts';
import { startStack, type TestStack } from '#test/support/stack.ts';

const Payments = v.object({
  list: v.array(v.object({ txid: v.number(), reference: v.string(), currency: v.string() })),
});

/** A stage without output; it keeps what was checked and what went wrong. */
const silentStage = () => {
  const checks: string[] = [];
  const troubles: string[] = [];
  const values: string[] = [];
  const stage: Stage = {
    wait: () => () => undefined,
    scene: () => undefined,
    rows: (rows) => void values.push(...rows.map(([, value]) => value)),
    check: (text) => void checks.push(text),
    trouble: () => undefined,
    quote: () => undefined,
    end: () => undefined,
    fail: (message) => void troubles.push(message),
  };
  return { stage, checks, troubles, values };
};

it('a story is reported to programs line by line', async () => {
  const lines: string[] = [];
  const spy = vi.spyOn(process.stdout, 'write').mockImplementation((line) => Boolean(lines.push(String(line))));
  const stage = createJsonStage();
  stage.wait('Starting')('Started');
  stage.scene('An alert', '2026-05-02T10:00:00.000Z');
  stage.rows([['amount', '12.00 USD']]);
  for (const say of [stage.check, stage.trouble, stage.quote, stage.fail]) say('words');
  stage.end(1234.5);
  spy.mockRestore();
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    { step: 'begun', text: 'Starting' },
    { step: 'done', text: 'Started' },
    { step: 'scene', text: 'An alert', at: '2026-05-02T10:00:00.000Z' },
    { step: 'values', values: { amount: '12.00 USD' } },
    ...['checked', 'trouble', 'quoted', 'failed'].map((step) => ({ step, text: 'words' })),
    { step: 'end', milliseconds: 1235 },
  ]);
});

describe('the story of', () => {
  let service: TestStack;
  beforeAll(async () => {
    service = await startStack({ real: true });
  });
  afterAll(() => service.stop());

  it.each([
    ['orders', playOrdersStory],
    ['3ds', playThreeDsStory],
    ['connect', playConnectStory],
    ['history', playHistoryStory],
  ])('%s holds at every step', async (name, play) => {
    const { stage, checks, troubles, values } = silentStage();
    await play({ url: service.url, credentials: service.credentials, dataFolder: service.dataFolder }, stage);
    expect(troubles).toEqual([]);
    expect(checks.length).toBeGreaterThanOrEqual(3);
    expect(service.problems).toEqual([]);
    if (name !== 'history') return;
    const page = await readFile('docs/chargebacks.md', 'utf8');
    const [, ...figures] =
      /would have submitted evidence for ([\d.]+) USD: ([\d.]+) USD .* ([\d.]+) USD/.exec(page) ?? [];
    expect(figures).toHaveLength(3);
    expect(values).toEqual(expect.arrayContaining(figures.map((figure) => `${figure} USD`)));
  });
});

it('payments of the past are refunded as if they had been taken here', async () => {
  await using service = await startStack({ withPast: true });
  const token = await service.tokenOf('merchant');
  const list = await service.call('/api/v3/service_process/transactions/list', {
    token,
    body: { status: 'OK', tx_action: 'PAYMENT', size: 500 },
  });
  const { list: payments } = v.parse(Payments, list.body);
  const past = payments.filter(({ reference }) => reference.startsWith('Order '));
  expect(past.length).toBeGreaterThan(50);
  const answers = past.slice(0, 5).map(({ txid, currency }) =>
    service.call(`/api/v3/service_process/transaction/${txid}/processrefund`, {
      token,
      body: { amount: '1.00', currency },
    }),
  );
  for (const { body } of await Promise.all(answers)) expect(body).toMatchObject({ status: 'OK', tx_action: 'REFUND' });
});
