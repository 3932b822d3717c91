import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findTargets } from '#lib/dashboard/app/palette-targets.ts';
import { describeInBrowser } from '#test/support/browser.ts';
import { startStack, type TestStack } from '#test/support/stack.ts';
import { expectAccessible } from './axe.ts';
import { signInAs, unexpectedOf } from './people.ts';

const screens = [
  { label: 'Queue', path: '/queue' },
  { label: 'Chargebacks', path: '/chargebacks' },
];

describe('the palette', () => {
  it('finds screens by a part of their name, and all of them for nothing typed', () => {
    expect(findTargets(' back', screens)).toEqual([screens[1]]);
    expect(findTargets('', screens)).toEqual(screens);
    expect(findTargets('nothing', screens)).toEqual([]);
  });

  it('offers what a number or an id may be', () => {
    expect(findTargets('17', screens).map(({ path }) => path)).toEqual([
      ...['/alerts/17', '/payments/17', '/orders/17', '/settings/17'],
    ]);
    expect(findTargets('cb_ab12', screens).map(({ path }) => path)).toEqual(['/chargebacks/cb_ab12']);
  });
});

let service: TestStack;
beforeAll(async () => {
  service = await startStack();
});
afterAll(() => service.stop());

/** Opens the palette, and waits until it takes what is typed. */
const openPalette = async (page: Page): Promise<void> => {
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog', { name: 'Go to' }).locator('input:focus').waitFor();
};

describeInBrowser('the palette in the dashboard', (open) => {
  it('goes to a screen by keys alone', async () => {
    const { page, errors } = await open();
    await signInAs(page, service);
    await openPalette(page);
    await page.keyboard.type('charge');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Chargebacks' }).waitFor();
    await openPalette(page);
    await page.keyboard.type('report');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Reports' }).waitFor();
    await page.keyboard.press('Control+k');
    const dialog = page.getByRole('dialog', { name: 'Go to' });
    await dialog.waitFor();
    await page.keyboard.press('Escape');
    // A closed dialog is still on the page until its event was handled; a role finds none in either case.
    await page.locator('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('Control+k');
    await dialog.waitFor();
    await expectAccessible(page);
    expect(unexpectedOf(errors)).toEqual([]);
  });

  it('opens in a narrow window, where the navigation is hidden', async () => {
    const { page } = await open();
    await signInAs(page, service, service.credentials.merchant, '/dashboard#/help');
    await page.setViewportSize({ width: 390, height: 844 });
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog', { name: 'Go to' }).waitFor({ state: 'visible' });
  });
});
