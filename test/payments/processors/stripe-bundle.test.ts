import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { nowIso } from '#core/kernel/clock.ts';
import { leanSdk } from '#lib/build/lean-sdk.ts';
import type { Processor } from '#payments/processors/ports/processor.ts';
import type * as StripeClient from '#payments/processors/stripe/stripe-client.ts';
import type * as StripeDisputes from '#payments/processors/stripe/stripe-disputes-client.ts';
import { type FakeStripe, startFakeStripe } from '#test/support/fake-stripe.ts';
import { followUp, payCommand, toQuery } from './contract.ts';

/** The adapter as it is deployed: most of Stripe's package is left out of the bundles, and what we call has to be there. */
const folder = mkdtempSync(join(tmpdir(), 'forewarn-stripe-'));
let fake: FakeStripe;
let stripe: Processor;
let bytes: number;

/** An adapter built as it is deployed, from `functions/`; `bytes`: what it weighs zipped. */
const deployed = async <Module>(file: string): Promise<{ module: Module; bytes: number }> => {
  const outfile = join(folder, file.replace(/^.*\//, '').replace(/ts$/, 'cjs'));
  const { outputFiles = [] } = await build({
    entryPoints: [`functions/${file}`],
    outfile,
    bundle: true,
    minify: true,
    platform: 'node',
    target: 'node24',
    format: 'cjs',
    mainFields: ['module', 'main'],
    conditions: ['module'],
    plugins: [leanSdk],
    write: false,
  });
  const { contents = new Uint8Array() } = outputFiles[0] ?? {};
  writeFileSync(outfile, contents);
  return { module: createRequire(import.meta.url)(outfile), bytes: gzipSync(contents).length };
};

beforeAll(async () => {
  fake = await startFakeStripe();
  const built = await deployed<typeof StripeClient>('payments/processors/stripe/stripe-client.ts');
  bytes = built.bytes;
  const { stripeProcessor } = built.module;
  const credentials = { secret_key: fake.secretKey, webhook_secret: fake.webhookSecret, base_url: fake.url };
  stripe = stripeProcessor(credentials);
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await fake[Symbol.asyncDispose]();
});

it('does everything that the adapter does', async () => {
  const startedAt = nowIso();
  const [command, held] = [payCommand(), payCommand({ capture: false })];
  const outcomes = [await stripe.pay(command), await stripe.pay(held)];
  const [reference = '', heldReference = ''] = outcomes.map((one) => ('reference' in one ? (one.reference ?? '') : ''));
  outcomes.push(await stripe.capture(followUp(held, heldReference)));
  const refund = followUp(command, reference, 500n);
  outcomes.push(await stripe.refund(refund));
  for (const outcome of outcomes) expect(outcome).toMatchObject({ outcome: 'OK' });
  const asked = [
    toQuery('pay', command, { startedAt }),
    toQuery('pay', command, { startedAt, reference }),
    toQuery('refund', refund, { startedAt, paymentReference: reference }),
  ];
  for (const query of asked) expect(await stripe.query(query)).toMatchObject({ outcome: 'OK' });
  const other = payCommand({ capture: false });
  const paid = await stripe.pay(other);
  expect(await stripe.void(followUp(other, 'reference' in paid ? (paid.reference ?? '') : ''))).toMatchObject({
    outcome: 'OK',
  });
  expect(await stripe.pay(payCommand({ number: '4000000000000002' }))).toMatchObject({ code: 'card_declined' });
  expect(await stripe.balance()).toHaveLength(3);
  expect(await stripe.readWebhook(fake.webhook({ id: reference }))).toMatchObject([{ references: [reference] }]);
  expect(await stripe.readWebhook({ ...fake.webhook({ id: reference }), rawBody: '{}' })).toBeUndefined();
});

it('does everything that disputes need', async () => {
  const { module } = await deployed<typeof StripeDisputes>('payments/processors/stripe/stripe-disputes-client.ts');
  const credentials = { secret_key: fake.secretKey, webhook_secret: fake.webhookSecret, base_url: fake.url };
  const disputes = module.stripeDisputes(credentials);
  const paid = { id: 'pi_1', amount: 1000, currency: 'usd' };
  const { id } = fake.disputes.open(paid);
  expect(await disputes.look(id)).toMatchObject({ found: { reference: id } });
  expect(await disputes.since?.('2026-01-01T00:00:00.000Z')).toMatchObject({ found: [{ reference: id }] });
  expect(await disputes.accept?.(id, 'accepted-once')).toBe('done');
  const warning = fake.disputes.warn(paid);
  expect(await disputes.lookAtWarning?.(warning.id)).toMatchObject({ found: { reference: warning.id } });
});

it('weighs what an adapter may', () => expect(bytes).toBeLessThan(30 * 1024));
