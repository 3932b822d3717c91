import { expect, it } from 'vitest';
import { describeInBrowser } from '#test/support/browser.ts';
import { useStack } from '#test/support/stack.ts';
import { expectAccessible } from './axe.ts';
import { openAs, signInAs } from './people.ts';

const service = await useStack({ withPast: true });

describeInBrowser('rules and payments in the dashboard', (open) => {
  it('makes a rule from a template, after it was tried on past alerts', async () => {
    const { page } = await openAs(open, service, service.credentials.merchant, '/dashboard#/rules');
    // The rules of a site are there without a choice, with what each has done this month.
    await page.getByRole('heading', { level: 2, name: 'Demo Shop' }).waitFor();
    await page.getByRole('heading', { level: 1, name: /^(Rules|People)/ }).waitFor();
    await page.getByRole('columnheader', { name: 'Answered this month' }).waitFor();
    // A trial has a part of its own, and says what it would have done.
    await page
      .getByRole('table', { name: 'On trial and Demo Shop' })
      .getByText(/^It would have decided/)
      .waitFor();
    await expectAccessible(page);
    await page.getByLabel('Rules about').selectOption({ label: 'Chargebacks' });
    await page.getByText('There are no rules here yet.').waitFor();
    await page.goto(`${service.url}/dashboard#/rules/new?template=small`);
    await page.getByRole('heading', { level: 1, name: 'New rule' }).waitFor();
    expect(await page.getByLabel('Name').inputValue()).toBe('Refund small disputes');
    expect(await page.getByLabel('Value').first().inputValue()).toBe('DISPUTE');
    await page.getByLabel('Value').first().selectOption({ label: 'Dispute' });
    await page.getByRole('button', { name: 'Try it on the last 30 days' }).click();
    await page.getByText(/^Of these, \d+ alerts? would not have been refunded: no payment was found/).waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Refund small disputes' }).waitFor();
  });

  it('says on a payment that it was charged back, and leads to the chargeback', async () => {
    const { page } = await open();
    const token = await service.tokenOf('merchant');
    const { body } = await service.call('/api/v3/service_alerts/chargebacks/list', { token, body: { size: 100 } });
    const found = (
      body['list'] as { chargeback_id: string; txid: number | null; stage: string; status: string }[]
    ).find(({ txid, stage, status }) => txid !== null && stage !== 'inquiry' && status !== 'won');
    await signInAs(page, service, service.credentials.merchant, `/dashboard#/payments/${found?.txid}`);
    await page.getByText('Charged back', { exact: true }).first().waitFor();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Charged back' }).first().click();
    await page.getByRole('heading', { name: 'History' }).waitFor();
    expect(page.url()).toContain(`#/chargebacks/${found?.chargeback_id}`);
  });

  it('leads from a payment to its customer, whose story, sums, note and block are on one page', async () => {
    const { page } = await openAs(
      open,
      service,
      service.credentials.merchant,
      '/dashboard#/payments?state=charged_back',
    );
    await page.locator('.pane-side').getByRole('link', { name: 'Ada Example' }).click();
    await page.getByRole('heading', { level: 1, name: 'Ada Example' }).waitFor();
    await page.getByRole('heading', { name: 'Everything, newest first' }).waitFor();
    await page.locator('.story a[href*="chargebacks/"]').first().waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Note', exact: true }).click();
    await page.getByRole('dialog').getByRole('textbox').fill('Called on Monday.');
    await page.getByRole('dialog').getByRole('button', { name: 'Save the note' }).click();
    await page.getByText('Called on Monday.').first().waitFor();
    await page.getByRole('button', { name: 'Block…' }).click();
    await expectAccessible(page);
  });
});
