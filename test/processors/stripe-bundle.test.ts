import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { nowIso } from '../../functions/core/clock.ts';
import type { Processor } from '../../functions/processors/processor.ts';
import type * as StripeClient from '../../functions/processors/stripe/stripe-client.ts';
import { leanSdk } from '../../lib/build/lean-sdk.ts';
import { type FakeStripe, startFakeStripe } from '../support/fake-stripe.ts';
import { followUp, payCommand, queryOf } from './contract.ts';

/** The adapter as it is deployed: most of Stripe's package is left out of the bundles, and what we call has to be there. */
const folder = mkdtempSync(join(tmpdir(), 'forewarn-stripe-'));
let fake: FakeStripe;
let stripe: Processor;
let bytes: number;

beforeAll(async () => {
  fake = await startFakeStripe();
  const outfile = join(folder, 'stripe.cjs');
  const { outputFiles = [] } = await build({
    entryPoints: ['functions/processors/stripe/stripe-client.ts'],
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
  bytes = gzipSync(contents).length;
  writeFileSync(outfile, contents);
  const { stripeProcessor } = createRequire(import.meta.url)(outfile) as typeof StripeClient;
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
    queryOf('pay', command, { startedAt }),
    queryOf('pay', command, { startedAt, reference }),
    queryOf('refund', refund, { startedAt, paymentReference: reference }),
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

it('weighs what an adapter may', () => expect(bytes).toBeLessThan(26 * 1024));
