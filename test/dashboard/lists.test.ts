import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeInBrowser } from '#test/support/browser.ts';
import { takePictures } from '#test/support/pictures.ts';
import { useStack } from '#test/support/stack.ts';
import { expectAccessible } from './axe.ts';
import { openAs } from './people.ts';

/** The lists whose open row is shown in a pane, as the queue's is. */
const service = await useStack({ withPast: true });

const lists = [
  { path: '/payments', field: 'payment', title: 'Payments', back: 'Payments' },
  {
    path: '/chargebacks?tab=all',
    field: 'chargeback',
    title: /chargebacks? to answer|due this week/,
    back: 'Chargebacks',
  },
  { path: '/orders', field: 'order', title: 'Orders', back: 'Orders' },
] as const;

const rowsOf = (page: Page) => page.locator('.row');
const opened = (page: Page, field: string) => new URLSearchParams(new URL(page.url()).hash.split('?')[1]).get(field);

describeInBrowser('a list with a pane', (open) => {
  const begin = async (path: string, width: number) => {
    const opened = await openAs(open, service, service.credentials.merchant, `/dashboard#${path}`);
    await opened.page.setViewportSize({ width, height: 800 });
    return opened;
  };

  it.each(lists)('of $path shows who and how much in its rows, and the open one beside it, by keys', async (list) => {
    const { page } = await begin(list.path, 1280);
    await page.getByRole('heading', { level: 1, name: list.title }).waitFor();
    await rowsOf(page).first().waitFor();
    expect(await rowsOf(page).first().textContent()).toMatch(/Ada Example.*\$\d|\$\d.*Ada Example/);
    await page.locator('.pane .verbs.next').waitFor();
    await page.keyboard.press('j');
    const count = await rowsOf(page).count();
    if (count > 1) {
      await page.keyboard.press('j');
      const second = await rowsOf(page).nth(1).getAttribute('data-row');
      expect(opened(page, list.field)).toBe(second);
      await page.keyboard.press('k');
    }
    expect(await rowsOf(page).first().getByRole('link').getAttribute('aria-current')).toBe('true');
    expect(await page.evaluate('document.activeElement.closest(".row.on") !== null')).toBe(true);
    await page.locator('.pane .verbs.next').waitFor();
    await expectAccessible(page);
    await takePictures(page, `list${list.path.replaceAll(/\W+/g, '-')}`);
  });

  it.each(lists)('of $path is one thing at a time on a phone, and Escape leads back', async (list) => {
    const { page } = await begin(list.path, 390);
    await rowsOf(page).first().getByRole('link').click();
    await page.locator('.pane .verbs.next').waitFor();
    await page.locator('.detail > .from', { hasText: list.back }).waitFor();
    expect(await rowsOf(page).first().isVisible()).toBe(false);
    expect(await page.evaluate('document.activeElement.className')).toBe('from');
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await rowsOf(page).first().waitFor();
    expect(opened(page, list.field)).toBeNull();
  });

  it('shows filters as tokens that a press removes, and asks for the three most used first', async () => {
    const { page } = await begin('/payments?card_lastfour=4242', 1280);
    const tokens = page.getByRole('list', { name: 'Filters that apply' });
    await tokens.getByText('4242').waitFor();
    await page.keyboard.press('f');
    const dialog = page.getByRole('dialog', { name: 'Filters' });
    await dialog.getByLabel('Status').selectOption({ label: 'Disputed' });
    const [from, to] = [dialog.getByLabel('Amount from'), dialog.getByLabel('Amount until')];
    // The dialog may still be moving to its place.
    const gap = async () => Math.abs(((await from.boundingBox())?.y ?? 0) - ((await to.boundingBox())?.y ?? 99));
    await expect.poll(gap, { timeout: 20_000 }).toBeLessThan(1);
    await from.fill('50');
    await dialog.getByRole('button', { name: 'Apply' }).click();
    await page.getByRole('link', { name: 'Disputed', exact: true }).and(page.locator('[aria-current]')).waitFor();
    // The tab shows the status already.
    expect(await tokens.getByRole('listitem').allTextContents()).toEqual([
      'Remove: Amount from: 50',
      'Remove: Card ends in: 4242',
      'Remove all',
    ]);
    await expect.poll(() => rowsOf(page).count()).toBe(2);
    await tokens.getByRole('link', { name: /Amount from/ }).click();
    await expect.poll(() => rowsOf(page).count()).toBe(3);
    expect(new URL(page.url()).hash).toContain('state=disputed');
    await expectAccessible(page);
  });

  it('leaves one row of a payment with its refund, and says on a payment what to do or that nothing is', async () => {
    const { page } = await begin('/payments?state=partly_refunded', 1280);
    await rowsOf(page).first().waitFor();
    const ids = await rowsOf(page).evaluateAll((rows) => rows.map((row) => row.getAttribute('data-row')));
    expect(new Set(ids).size).toBe(ids.length);
    await page
      .locator('.row', { hasText: /Refund of \$/ })
      .first()
      .waitFor();
    // One row stands for several of the list: it is not counted by those.
    expect(await page.locator('.pager').textContent()).not.toMatch(/\d–\d/);
    await page.getByText('Nothing to do here.').waitFor();
    await page.goto(`${service.url}/dashboard#/payments?state=charged_back`);
    await page.getByRole('link', { name: 'Open the chargeback' }).click();
    await page.getByRole('heading', { level: 1, name: 'Cardholder denies purchase' }).waitFor();
    await page.getByRole('button', { name: 'PDF for the portal' }).waitFor();
  });
});
