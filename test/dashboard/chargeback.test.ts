import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeInBrowser } from '#test/support/browser.ts';
import { type FakeStripe, startFakeStripe } from '#test/support/fake-stripe.ts';
import { takePictures } from '#test/support/pictures.ts';
import { useStack } from '#test/support/stack.ts';
import { expectAccessible } from './axe.ts';
import { signInAs } from './people.ts';
import { makeStripeChargeback } from './stripe-chargeback.ts';

/** A chargeback is contested in the dashboard: files, the response, the PDF, and the submission to Stripe. */

const service = await useStack();
let stripe: FakeStripe;
let id = '';
let disputeId = '';
beforeAll(async () => {
  stripe = await startFakeStripe();
  ({ id, disputeId } = await makeStripeChargeback(service, stripe));
});
afterAll(async () => {
  await stripe[Symbol.asyncDispose]();
});

const openCase = async (page: Page) => {
  await signInAs(page, service, service.credentials.merchant, `/dashboard#/chargebacks/${id}`);
  await page.getByRole('heading', { level: 1, name: 'Item not received' }).waitFor();
};

describeInBrowser('the page of a chargeback', (open) => {
  it('says what wins it, takes files and another text, and makes a PDF', async () => {
    const { page } = await open();
    await openCase(page);
    await page.getByText(/Prove that it arrived/).waitFor();
    await page.getByRole('heading', { name: 'Evidence, 0 of 5 ready' }).waitFor();
    await page.getByText('Decisive evidence is missing: “Delivered to the customer”.').waitFor();
    const file = join(service.dataFolder, 'delivery note.pdf');
    writeFileSync(file, '%PDF-1.4 a delivery note');
    await page.getByRole('button', { name: 'Upload: Delivered to the customer' }).click();
    await page.getByLabel('File', { exact: true }).setInputFiles(file);
    await page.getByRole('button', { name: 'Add the file' }).click();
    await page.getByText('delivery note.pdf was added.').waitFor();
    await page.getByRole('heading', { name: 'Evidence, 1 of 5 ready' }).waitFor();
    await page.getByText('Files that go with it: delivery note.pdf.').waitFor();
    expect(await page.getByText('Decisive evidence is missing').count()).toBe(0);
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByLabel('Text', { exact: true }).fill('Card 4242 4242 4242 4242 paid for it.');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('must not hold a card number').first().waitFor();
    await page.getByLabel('Text', { exact: true }).fill('She signed for it.');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('article', { name: 'Text of the response' }).getByText('She signed for it.').waitFor();
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'PDF', exact: true }).click();
    expect((await saved).suggestedFilename()).toBe(`evidence-${id}.pdf`);
    await expectAccessible(page);
    await takePictures(page, 'chargeback-ready');
  });

  it('refuses a file that is no PDF or picture, in words', async () => {
    const { page } = await open();
    await openCase(page);
    await page.getByRole('button', { name: 'Add a file' }).click();
    await page
      .getByLabel('File', { exact: true })
      .setInputFiles({ name: 'page.pdf', mimeType: 'application/pdf', buffer: Buffer.from('<b>') });
    await page.getByRole('button', { name: 'Add the file' }).click();
    await page.getByText('It is neither a PDF, a PNG nor a JPEG.').waitFor();
    await page
      .getByLabel('File', { exact: true })
      .setInputFiles({ name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('a') });
    await page.getByRole('button', { name: 'Add the file' }).click();
    await page.getByText('Choose a PDF, a PNG or a JPEG.').waitFor();
  });

  it('submits once, and shows afterwards that the issuer decides', async () => {
    const { page } = await open();
    await openCase(page);
    await page.getByRole('button', { name: 'Submit to Stripe…' }).click();
    await page
      .getByRole('dialog')
      .getByText(/the facts and one file/)
      .waitFor();
    await takePictures(page, 'chargeback-submit');
    await page.getByRole('dialog').getByRole('button', { name: 'Submit it' }).click();
    await page.getByRole('heading', { name: 'The issuer’s decision is pending.' }).waitFor();
    expect(await page.getByRole('button', { name: /Submit|Edit|Add a file|Accept/ }).count()).toBe(0);
    const sent = stripe.disputes.evidence.get(disputeId);
    expect(sent).toMatchObject({
      uncategorized_text: 'She signed for it.',
      shipping_documentation: expect.any(String),
    });
    await expectAccessible(page);
    await takePictures(page, 'chargeback-submitted');
  });
});

it('has the stack complain about nothing', () => expect(service.problems).toEqual([]));
