import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeInBrowser } from '#test/support/browser.ts';
import { type FakeStripe, startFakeStripe } from '#test/support/fake-stripe.ts';
import { takePictures } from '#test/support/pictures.ts';
import { startStack, type TestStack } from '#test/support/stack.ts';
import { signInAs } from '../people.ts';
import { makeStripeChargeback } from '../stripe-chargeback.ts';

/** A manager's end of the month: the report, a chargeback that is contested, and a rule made from a template. */
let service: TestStack;
let stripe: FakeStripe;
let disputeId: string;
beforeAll(async () => {
  [service, stripe] = await Promise.all([startStack({ withPast: true }), startFakeStripe()]);
  await service.untilIdle();
  ({ disputeId } = await makeStripeChargeback(service, stripe));
});
afterAll(async () => {
  await service.stop();
  await stripe[Symbol.asyncDispose]();
});

describeInBrowser('a manager', (open) => {
  it('saves the month’s report, contests a chargeback, and makes a rule from a template', async () => {
    const { page } = await open();
    const place = (name: string) =>
      page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true }).click();
    await signInAs(page, service);

    await place('Reports');
    await page.getByRole('button', { name: 'Last month' }).click();
    await page
      .getByRole('table', { name: /^Alerts by the day/ })
      .getByRole('rowheader', { name: / Apr 2026$/ })
      .first()
      .waitFor();
    await takePictures(page, 'manager-report');
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'CSV' }).click(),
    ]);
    expect(saved.suggestedFilename()).toMatch(/^alerts-2026-04-01-2026-04-30/);

    await place('Chargebacks');
    await takePictures(page, 'manager-chargebacks');
    await page.locator('.row', { hasText: '$218.00' }).getByRole('link').click();
    await page.getByRole('heading', { level: 1, name: 'Item not received' }).waitFor();
    await page.getByRole('button', { name: 'Upload: Delivered to the customer' }).click();
    const file = { name: 'delivery.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4 delivered') };
    await page.getByLabel('File', { exact: true }).setInputFiles(file);
    await page.getByRole('button', { name: 'Add the file' }).click();
    await page.getByText('delivery.pdf was added.').waitFor();
    await takePictures(page, 'manager-chargeback');
    await page.getByRole('button', { name: 'Submit to Stripe…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Submit it' }).click();
    await page.getByRole('heading', { name: 'The issuer’s decision is pending.' }).waitFor();
    expect(stripe.disputes.evidence.get(disputeId)).toMatchObject({ shipping_documentation: expect.any(String) });

    await place('Rules');
    await page.getByRole('link', { name: 'Refund small disputes' }).click();
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByRole('button', { name: 'Try it on the last 30 days' }).click();
    await page
      .locator('.note')
      .getByText(/^Of these, \d+ alerts? would not have been refunded/)
      .waitFor();
    await takePictures(page, 'manager-rule');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Refund small disputes' }).waitFor();
  });
});
