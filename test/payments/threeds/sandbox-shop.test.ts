import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { expectAccessible } from '#test/dashboard/axe.ts';
import { describeInBrowser } from '#test/support/browser.ts';
import { expectNoErrors } from '#test/support/personas.ts';
import { useStack } from '#test/support/stack.ts';
import { visaNumbers } from './contract.ts';
import { issuerIn, untilInPage } from './merchant-page.ts';

/** The sandbox's shop, for people who want to see native 3-D Secure at work. */

const service = await useStack();

/** `SCREENSHOTS`: a folder for what the pages look like; without it none are made. */
const folder = process.env['SCREENSHOTS'];
const shoot = async (page: Page, name: string, widths = [390, 1280]): Promise<void> => {
  if (folder === undefined) return;
  mkdirSync(folder, { recursive: true });
  for (const width of widths) {
    await page.setViewportSize({ width, height: 800 });
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.screenshot({ path: join(folder, `${name}-${width}-${colorScheme}.png`) });
    }
  }
};

const visit = async (page: Page): Promise<void> => {
  const filled = page.waitForResponse((response) => response.url().endsWith('/_local/credentials'));
  await page.goto(`${service.url}/sandbox/shop`);
  await filled;
  await untilInPage(page, "document.getElementById('payment_sid').value !== ''");
};
const codeIn = (page: Page) => issuerIn(page).getByLabel('Code by SMS');

describeInBrowser('the shop of the sandbox', (open) => {
  it('sells a cup of tea to a payer whose bank asks for a code', async () => {
    const { page, outside, errors } = await open();
    await visit(page);
    await shoot(page, 'shop');
    await page.getByRole('button', { name: 'Pay' }).click();
    await codeIn(page).waitFor();
    await shoot(page, 'dialog', [1280]);
    await codeIn(page).fill('123456');
    await codeIn(page).press('Enter');
    await page.getByText('Paid. Enjoy your tea.').waitFor();
    await shoot(page, 'paid');
    expect(await page.locator('#steps').textContent()).toContain('"source": "verified"');
    expect([outside, errors]).toEqual([[], []]);
  });

  it('is used by the keyboard alone, and shows the bank in the page where that is wanted', async () => {
    const { page, errors } = await open();
    await visit(page);
    await page.getByLabel('Show the bank in this page').focus();
    await page.keyboard.press('Space');
    await page.getByRole('button', { name: 'Pay' }).focus();
    await page.keyboard.press('Enter');
    await codeIn(page).waitFor();
    await shoot(page, 'inline');
    expect(await page.getByRole('dialog').count()).toBe(0);
    await codeIn(page).focus();
    await page.keyboard.type('123456');
    await page.keyboard.press('Enter');
    await page.getByText('Paid. Enjoy your tea.').waitFor();
    expect(errors).toEqual([]);
  });

  it('shows the bank over all of a narrow window', async () => {
    const { page, errors } = await open();
    await page.setViewportSize({ width: 390, height: 800 });
    await visit(page);
    await page.getByRole('button', { name: 'Pay' }).click();
    await codeIn(page).waitFor();
    await shoot(page, 'dialog', [390]);
    expect(await page.getByRole('dialog').boundingBox()).toEqual({ x: 0, y: 0, width: 390, height: 800 });
    await page.getByRole('button', { name: 'Cancel' }).first().click();
    await shoot(page, 'question', [390]);
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByText('Not paid: The authentication failed.').waitFor();
    expect(errors).toEqual([]);
  });

  it.each([
    [visaNumbers[2103], 'Paid. Enjoy your tea.', 'authenticated'],
    [visaNumbers[2113], 'Not paid: The authentication failed.', 'not authenticated'],
    ['5200100511112133', 'Not paid: The authentication failed.', 'rejected'],
  ])('says what came of the card %s', async (number, end, outcome) => {
    const { page, errors } = await open();
    await visit(page);
    await page.getByLabel('Test card').selectOption(number);
    expect(await page.getByLabel('Card number').inputValue()).toBe(number);
    await page.getByRole('button', { name: 'Pay' }).click();
    await page.getByText(end).waitFor();
    await page.getByText(`The payer is ${outcome}.`).waitFor();
    expect(errors).toEqual([]);
  });

  it('has no barriers, before and after', async () => {
    const { page } = await open();
    await visit(page);
    await expectAccessible(page);
    await page.getByText('Sites').click();
    await expectAccessible(page);
    await page.getByLabel('Test card').selectOption(visaNumbers[2103]);
    await page.getByRole('button', { name: 'Pay' }).click();
    await page.getByText('Paid. Enjoy your tea.').waitFor();
    await expectAccessible(page);
  });

  it('asks for the sites where they are not configured, and reports the problem of a call', async () => {
    const { page } = await open();
    await page.route('**/_local/credentials', (route) => route.fulfill({ status: 404, body: '{}' }));
    await page.goto(`${service.url}/sandbox/shop`);
    await page.getByLabel('3DS site', { exact: true }).waitFor();
    const { three_ds_site } = service.credentials;
    await page.getByLabel('3DS site', { exact: true }).fill(String(three_ds_site.sid));
    await page.getByLabel('Payment site', { exact: true }).fill('1');
    for (const rcode of await page.getByLabel('Its rcode').all()) await rcode.fill('wrong');
    await page.getByRole('button', { name: 'Pay' }).click();
    expect(await page.locator('#steps li').count()).toBe(0);
    await page.getByLabel('Where it is told of payments').fill('https://shop.example.com/postback');
    await page.getByRole('button', { name: 'Pay' }).click();
    await page.getByText('hash: must be md5 of').waitFor();
  });

  it('goes by without a complaint of the stack or an error of a function', () => expectNoErrors(service));
});

describe('its pages', () => {
  it('run one script of theirs and the SDK, known by its hash, and cannot be framed', async () => {
    const { status, headers, text } = await service.call('/sandbox/shop', { method: 'GET' });
    expect(status).toBe(200);
    expect(headers.get('content-security-policy')).toContain("script-src 'self'; connect-src 'self'; frame-src 'self'");
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    const { body } = await service.call('/sdk/3ds/integrity.json', { method: 'GET' });
    const { latest, versions } = body as { latest: string; versions: Record<string, Record<string, string>> };
    expect(text).toContain(`/${latest}.js" integrity="${versions[latest]?.[`${latest}.js`]}"`);
  });

  it('sign what a merchant’s server would', async () => {
    const { sid, rcode } = service.credentials.three_ds_site;
    const reply = await service.call('/sandbox/shop/sign', {
      body: new URLSearchParams({ sid: String(sid), rcode, amount: '10', currency: 'USD' }).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    const { timestamp, hash } = reply.body;
    expect(hash).toBe(createHash('md5').update(`${sid}${timestamp}10.00USD${rcode}`).digest('hex'));
  });
});
