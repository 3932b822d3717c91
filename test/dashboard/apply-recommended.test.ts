import { expect, it } from 'vitest';
import { describeInBrowser } from '#test/support/browser.ts';
import { useStack } from '#test/support/stack.ts';
import { expectAccessible } from './axe.ts';
import { alertDetails, disputedAlert, openAs, queueRows, sendNow } from './people.ts';

const service = await useStack({ withPast: true });

describeInBrowser('recommendations in the queue', (open) => {
  it('are shown on every row, and are applied to selected rows after a preview of each with its reason', async () => {
    const { page } = await openAs(open, service, service.credentials.merchant, '/dashboard#/queue');
    await queueRows(page).first().waitFor();
    const paid = await disputedAlert(service, 2);
    const row = page.locator(`[data-row="${paid.alert_id}"]`);
    await row.locator('.badge', { hasText: 'Refund' }).waitFor();
    const declined = page.locator('.row:has(.badge:text-is("Decline"))').first();
    const id = Number(await declined.getAttribute('data-row'));
    for (const one of [row, declined]) await one.getByRole('checkbox').check({ force: true });
    await page.getByRole('button', { name: 'Apply 2 recommendations…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Apply what is recommended' });
    await dialog.getByText(`Refund $${paid.amount}`, { exact: true }).waitFor();
    await dialog
      .getByText(/^Decline \$/)
      .first()
      .waitFor();
    await expectAccessible(page);
    expect(await dialog.textContent()).not.toMatch(/txid|reason_code|\d{16}/);
    await dialog.getByRole('button', { name: 'Apply 2 recommendations' }).click();
    await sendNow(page);
    const statusOf = async (alertId: number) => (await alertDetails(service, alertId))['status'];
    await expect.poll(() => statusOf(paid.alert_id), { timeout: 20_000 }).toBe('RESOLVED');
    await expect.poll(() => statusOf(id), { timeout: 20_000 }).toBe('DECLINED');
  });
});
