import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeInBrowser } from '#test/support/browser.ts';
import { takePictures } from '#test/support/pictures.ts';
import { useStack } from '#test/support/stack.ts';
import { expectAccessible } from './axe.ts';
import { openAs } from './people.ts';

/** The screens that people use daily, with the demo's past: what is due first, money with what it covers, one next step. */
const service = await useStack({ withPast: true });

const heading = (page: Page, level: number, name: string | RegExp) =>
  page.getByRole('heading', { level, name }).first().waitFor();

/** The edges of the cells of a table's first row, in pixels. */
const findEdges = (page: Page, table: number): Promise<number[]> =>
  page
    .locator('.ruled table')
    .nth(table)
    .locator('tbody tr')
    .first()
    .locator(':scope > *')
    .evaluateAll((cells) => cells.map((cell) => Math.round(cell.getBoundingClientRect().left)));

describeInBrowser('the rules', (open) => {
  it('have one order and the same columns, with what they did and trials would have done', async () => {
    const { page } = await openAs(open, service, undefined, '/dashboard#/rules');
    await page.setViewportSize({ width: 1280, height: 900 });
    const row = page.getByRole('row', { name: /Refund small gifts/ });
    await row.getByRole('cell', { name: '1', exact: true }).waitFor();
    await page.getByText(/^It would have/).waitFor();

    const all = await Promise.all([0, 1, 2].map((table) => findEdges(page, table)));
    for (const edges of all) expect(edges).toEqual(all[0]);
    await takePictures(page, 'daily-rules');
  });

  it('say on their page what they did, and let a trial answer once that is confirmed', async () => {
    const { page } = await openAs(open, service, undefined, '/dashboard#/rules?sid=1');
    await page.getByRole('link', { name: 'Refund small gifts' }).click();
    await heading(page, 2, /^It answered [1-9]\d* alerts? of the last 30 days, \$/);
    expect(await page.getByRole('listitem').filter({ hasText: ': refunded' }).count()).toBeGreaterThan(0);
    expect(await page.locator('.button.main').count()).toBe(0);
    expect(await page.getByLabel('Name').count()).toBe(0);
    await expectAccessible(page);
    await takePictures(page, 'daily-rule');
    await page.goBack();
    await page.getByRole('link', { name: 'Refund small disputes' }).click();
    await page.getByText(/^It would have/).waitFor();
    await page.getByText(/would not have been refunded/).waitFor();
    await page.getByRole('button', { name: 'Let it answer…' }).click();
    await page.getByRole('dialog').getByText('From now on it answers alerts by itself').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Let it answer' }).click();
    await page.getByText('Refund small disputes is live now.').waitFor();
    await heading(page, 2, 'It answered no alert of the last 30 days.');
  });
});

describeInBrowser('a report', (open) => {
  it('has one sum in its title, all money in one currency, and a form that opens on demand', async () => {
    const { page } = await openAs(open, service, undefined, '/dashboard#/reports?from=2026-04-01&to=2026-04-30');
    await heading(page, 1, / saved after fees, .*% against the period before$/);
    await page.getByRole('table').filter({ hasText: 'Saved after fees' }).waitFor();
    expect(await page.locator('.saved-figure').count()).toBe(0);
    await page.getByRole('rowheader', { name: 'EUR', exact: true }).waitFor();
    const tiles = page.locator('.tile strong');
    await tiles.nth(6).waitFor();
    expect((await tiles.allTextContents()).filter((text) => /[€£]/.test(text))).toEqual([]);
    expect(await page.getByLabel('Until').isVisible()).toBe(false);
    await page.getByText('1 – 30 Apr 2026, all sites').click();
    await page.getByLabel('Until').fill('2026-04-20');
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    await page.getByText('1 – 20 Apr 2026, all sites').waitFor();
    await takePictures(page, 'daily-report');
  });
});

describeInBrowser('a chargeback', (open) => {
  it('has its letter on the first screen, in words of people, and says what contesting is worth', async () => {
    const { page } = await openAs(open, service, undefined, '/dashboard#/chargebacks');
    await page.setViewportSize({ width: 1280, height: 800 });
    await heading(page, 2, 'Contesting can bring back $58.00');
    await page.getByText('No case with this claim was decided here yet').waitFor();
    const letter = page.getByRole('article', { name: 'Text of the response' });
    expect((await letter.boundingBox())?.y).toBeLessThan(300);
    expect(await letter.textContent()).toMatch(
      /The cardholder disputes \$58\.00 .*The payment of \$58\.00 with Visa card \d{4} \d\dxx xxxx \d{4} was made/s,
    );
    await page.getByRole('button', { name: 'Enter the fees…' }).click();
    const fees = page.getByRole('dialog');
    await fees.getByLabel('Fee for the dispute').fill('15.00');
    await fees.getByRole('textbox', { name: 'Fee for contesting' }).fill('10.00');
    await fees.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Contesting pays off from a winning chance of 18%.').waitFor();
    await expectAccessible(page);
    await takePictures(page, 'daily-chargeback');
  });
});

describeInBrowser('an order', (open) => {
  it('has one status in its row and on its page, and says where each missing fact is added', async () => {
    const { page } = await openAs(open, service, undefined, '/dashboard#/orders');
    await page.setViewportSize({ width: 1280, height: 900 });
    const row = page.locator('.row', { hasText: 'web-7007' });
    await row.getByText('Charged back', { exact: true }).waitFor();
    await row.getByRole('link').click();
    await page.locator('.pane').getByText('Charged back', { exact: true }).waitFor();
    await page.getByText('Missing: logo').waitFor();
    const add = page.getByRole('link', { name: 'Add it to the business profile' }).first();
    expect(await add.getAttribute('href')).toMatch(/^#\/settings\/\d+\/order-profile$/);
    expect(
      await page
        .locator('.pane')
        .getByText(/^✓ .*a contact for questions/)
        .count(),
    ).toBe(1);
    await expectAccessible(page);
    await takePictures(page, 'daily-order');
  });
});

describeInBrowser('a payment', (open) => {
  it('draws what was left, names the fees of its disputes, and the checks of which nothing is stored', async () => {
    const { page } = await openAs(open, service, undefined, '/dashboard#/payments?state=charged_back');
    await page.getByRole('img', { name: /^Left after each step: \$[1-9][\d.]* and \$0\.00\.$/ }).waitFor();
    const fees = page.getByRole('region', { name: 'Fees of its disputes' });
    await fees.getByText('Processor’s fee for the chargeback').waitFor();
    await page.getByRole('region', { name: 'Checks at payment' }).getByText('None is recorded').first().waitFor();
    await expectAccessible(page);
    await takePictures(page, 'daily-payment');
    await page.goto(`${service.url}/dashboard#/payments?state=partly_refunded`);
    await page
      .locator('.row', { hasText: /Refund of \$[\d.]+ \(\d+ \w+\)/ })
      .first()
      .waitFor();
  });
});

describeInBrowser('a customer', (open) => {
  it('has sources by their names, a chart of money, and a story in tabs', async () => {
    const { page } = await openAs(open, service, undefined, '/dashboard#/payments?state=charged_back');
    await page.locator('.pane-side').getByRole('link', { name: 'Ada Example' }).click();
    await page.getByRole('img', { name: /was paid and .* went back, step by step/ }).waitFor();
    const sources = await page.locator('.weigh small').allTextContents();
    expect(sources).toContain('Chargeback of $58.00');
    expect(sources.filter((text) => ['Orders', 'Alerts', 'Chargebacks', 'Payments and orders'].includes(text))).toEqual(
      [],
    );
    const steps = page.locator('.customer ol.story > li');
    const all = await steps.count();
    await page.getByRole('link', { name: /^Banks and disputes \d+$/ }).click();
    await expect.poll(() => steps.count()).toBeLessThan(all);
    expect(await steps.filter({ hasText: /^Paid, / }).count()).toBe(0);
    await expectAccessible(page);
    await takePictures(page, 'daily-customer');
  });
});

describeInBrowser('the queue', (open) => {
  it('counts the alerts of its tabs as their lists have them', async () => {
    const { page } = await openAs(open, service, undefined, '/dashboard#/queue');
    const late = page.getByRole('link', { name: /^Late \d+$/ });
    await late.waitFor();
    const count = Number((await late.textContent())?.replace(/\D/g, ''));
    expect(count).toBeGreaterThan(0);
    await late.click();
    await expect.poll(() => page.locator('.row').count()).toBe(count);
  });

  it('draws what each answer costs, and has the matched charge above who is assigned', async () => {
    const { page } = await openAs(open, service, undefined, '/dashboard#/queue');
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.locator('.costs svg').nth(2).waitFor();
    const widths = await page
      .locator('.costs svg rect:first-child')
      .evaluateAll((bars) => bars.map((bar) => bar.getBoundingClientRect().width > 0));
    expect(widths).toEqual([true, false, true]);
    const tops = await Promise.all([
      page.getByRole('heading', { name: 'Matched charge' }).boundingBox(),
      page.getByLabel('Assigned to').boundingBox(),
    ]);
    expect(tops[0]?.y).toBeLessThan(tops[1]?.y ?? 0);
    await takePictures(page, 'daily-queue');
  });
});

describeInBrowser('Home', (open) => {
  it('names programmes in full, and the rates of currencies on one line', async () => {
    const { page } = await openAs(open, service, undefined, '/dashboard#/');
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.getByText('Mastercard Excessive Chargeback Merchant', { exact: true }).waitFor();
    const rates = page.locator('.at-risk').getByText(/^Converted at 1 EUR = .* and 1 GBP = /);
    expect((await rates.boundingBox())?.height).toBeLessThan(30);
    await takePictures(page, 'daily-home');
  });
});
