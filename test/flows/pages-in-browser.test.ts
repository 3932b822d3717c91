import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { keyRing } from '#core/platform/secrets/secrets.ts';
import { returnLink } from '#payments/transactions/payer/return-link.ts';
import { describeInBrowser, type Open } from '#test/support/browser.ts';
import { expectNoErrors } from '#test/support/personas.ts';
import { useStack } from '#test/support/stack.ts';
import { openShop } from '#test/support/storefront.ts';

/** The pages that payers see, as they use them. */
const service = await useStack({ startTime: '2026-05-02T10:00:00Z' });
const shop = openShop(service);

/** Opens the page of a payment of this amount. `quiet`: that it had no errors, not even refusals, and called only this service. */
const openPage = async (open: Open, amount: string) => {
  const { page, errors } = await open();
  const asked = new Set<string>();
  page.on('request', (request) => void asked.add(new URL(request.url()).origin));
  const pending = await shop.pay(amount, { dynamic_descriptor: 'TEA * <HOUSE>' });
  await page.goto(pending.next_action?.url ?? '');
  const quiet = () => expect([errors, [...asked]]).toEqual([[], [new URL(service.url).origin]]);
  return { page, txid: pending.txid, quiet };
};
const readHeading = (page: Page) => page.getByRole('heading', { level: 1 }).textContent();
const pageOverflow = (page: Page) =>
  page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth');

describeInBrowser('the pages that payers see', (open) => {
  describe('that of a payment that is confirmed elsewhere', () => {
    it('shows what is paid to whom, accepts the approval, and leads back to a page with the result', async () => {
      const { page, txid, quiet } = await openPage(open, '1234.63');
      expect(await readHeading(page)).toBe('Confirm your payment');
      const text = await page.locator('main').textContent();
      for (const part of ['Test mode: no money moves', '1234.63 USD', 'To TEA * <HOUSE>']) expect(text).toContain(part);
      await page.getByRole('button', { name: 'Approve' }).click();
      await page.getByRole('heading', { name: 'Payment approved' }).waitFor();
      await page.reload();
      expect(await readHeading(page)).toBe('Payment approved');
      await page.getByRole('link', { name: 'Return to the merchant' }).click();
      await page.getByRole('heading', { name: 'Payment complete' }).waitFor();
      expect(await page.locator('main').textContent()).toContain('1234.63 USD');
      expect(await shop.status(txid)).toMatchObject({ status: 'OK' });
      expect(await shop.postbacks(txid)).toHaveLength(1);
      quiet();
    });

    it('takes the refusal, after which going back changes nothing', async () => {
      const { page, txid, quiet } = await openPage(open, '11.63');
      await page.getByRole('button', { name: 'Decline' }).click();
      await page.getByRole('heading', { name: 'Payment declined' }).waitFor();
      await page.goBack();
      await page.reload();
      expect(await readHeading(page)).toBe('Payment declined');
      await page.getByRole('link', { name: 'Return to the merchant' }).click();
      await page.getByRole('heading', { name: 'Payment not made' }).waitFor();
      expect(await page.locator('main').textContent()).toContain('The authentication failed.');
      expect(await shop.status(txid)).toMatchObject({ status: 'EXC', error_code: 'authentication_failed' });
      quiet();
    });

    it('is used by the keyboard alone', async () => {
      const { page, quiet } = await openPage(open, '12.63');
      await page.keyboard.press('Tab');
      expect(await page.locator(':focus').textContent()).toBe('Approve');
      await page.keyboard.press('Tab');
      expect(await page.locator(':focus').textContent()).toBe('Decline');
      await page.keyboard.press('Shift+Tab');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Payment approved' }).waitFor();
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Payment complete' }).waitFor();
      quiet();
    });

    it('is where a payer who returns too early is sent on to', async () => {
      const { page, txid, quiet } = await openPage(open, '13.63');
      await page.goto(returnLink(service.url, txid, await keyRing('encryption')));
      expect(await readHeading(page)).toBe('One more step');
      await page.getByRole('link', { name: 'Go on to confirm' }).click();
      await page.getByRole('button', { name: 'Approve' }).click();
      await page.getByRole('link', { name: 'Return to the merchant' }).click();
      await page.getByRole('heading', { name: 'Payment complete' }).waitFor();
      quiet();
    });
  });

  describe('that of a payment that waits for a code', () => {
    it('is ready for the code, says that it is wrong, and that it was right', async () => {
      const { page, txid, quiet } = await openPage(open, '10.64');
      expect(await readHeading(page)).toBe('Confirm your payment');
      expect(await page.locator(':focus').getAttribute('id')).toBe('code');
      await page.keyboard.type('111111');
      await page.keyboard.press('Enter');
      expect(await page.locator('.banner').textContent()).toBe('Test mode: no money moves');
      expect(await page.getByRole('alert').textContent()).toContain('That code is not right');
      const code = page.getByLabel('The code you got by SMS');
      expect(await code.inputValue()).toBe('');
      await code.fill('123456');
      await page.getByRole('button', { name: 'Confirm' }).click();
      await page.getByRole('heading', { name: 'Payment complete' }).waitFor();
      expect(await shop.status(txid)).toMatchObject({ status: 'OK' });
      quiet();
    });

    it('sends no empty code, and takes three wrong ones', async () => {
      const { page, txid, quiet } = await openPage(open, '11.64');
      await page.getByRole('button', { name: 'Confirm' }).click();
      expect(await page.locator('#code:invalid').count()).toBe(1);
      for (const code of ['1', '2', '3']) {
        await page.getByLabel('The code you got by SMS').fill(code);
        await Promise.all([page.waitForEvent('load'), page.getByRole('button', { name: 'Confirm' }).click()]);
      }
      expect(await readHeading(page)).toBe('Payment not made');
      expect(await shop.status(txid)).toMatchObject({ status: 'EXC', error_code: 'authentication_failed' });
      quiet();
    });
  });

  describe('each of them', () => {
    it.each([360, 1280])('fits a window %i pixels wide', async (width) => {
      for (const amount of ['999999999.63', '999999999.64']) {
        const { page, quiet } = await openPage(open, amount);
        await page.setViewportSize({ width, height: 640 });
        expect(await pageOverflow(page)).toBe(0);
        const [card, text] = [await page.locator('main').boundingBox(), await page.locator('.amount').boundingBox()];
        expect((text?.x ?? 0) + (text?.width ?? 0)).toBeLessThan((card?.x ?? 0) + (card?.width ?? 0));
        quiet();
      }
    });

    it('says so where the link is wrong, and loads nothing of anybody’s', async () => {
      const { page } = await open();
      for (const path of ['/return/1?token=x', '/sandbox/pay/x', '/return/x?token=x']) {
        const reply = await page.goto(`${service.url}${path}`);
        expect([reply?.status(), await page.getByRole('heading').count()]).toEqual([
          path.includes('/x?') ? 400 : 404,
          1,
        ]);
      }
    });
  });
});

it('goes by without a complaint of the stack or an error of a function', () => expectNoErrors(service));
