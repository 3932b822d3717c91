import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { cutCards, markWords, mayBecomeCard } from '#lib/dashboard/app/finder-text.ts';
import { findTargets } from '#lib/dashboard/app/palette-targets.ts';
import { readSearch } from '#lib/dashboard/parts/search.ts';
import { describeInBrowser } from '#test/support/browser.ts';
import { useStack } from '#test/support/stack.ts';
import { expectAccessible } from './axe.ts';
import { openAs } from './people.ts';

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

  it('offers what a number or an id may be where there is no merchant to search', () => {
    expect(findTargets('17', screens, true).map(({ path }) => path)).toEqual([
      ...['/alerts/17', '/payments/17', '/orders/17', '/settings/17'],
    ]);
    expect(findTargets('cb_ab12', screens, true).map(({ path }) => path)).toEqual(['/chargebacks/cb_ab12']);
    expect(findTargets('17', screens)).toEqual([]);
  });
});

describe('the text of a search', () => {
  it.each([
    ['4242 4242 4242 4242', '424242 4242'],
    ['4242424242424242', '424242 4242'],
    ['card 3782-822463-10005 please', 'card 378282 0005 please'],
    ['5555555555554444 45.20', '555555 4444 45.20'],
    ['45 4242.4242.4242.4242 12/29', '45 424242 4242 12/29'],
    ['4242424242424242,5555555555554444', '424242 4242,555555 4444'],
  ])('has no more of the card number in %s than its ends', (text, cut) =>
    expect(cutCards(text)).toEqual({ text: cut, isCut: true }),
  );

  it.each(['1151393752192994', '24692161070000622606414', '4242424242424243', '582112345678901', 'web-7004'])(
    'keeps %s, which is no card number',
    (text) => expect(cutCards(text)).toEqual({ text, isCut: false }),
  );

  it('is held back while it may become a card number', () => {
    expect(['4242424242', '42424242424242', 'x 5555 5555 5555'].map(mayBecomeCard)).toEqual([true, true, true]);
    expect(['4242', '1151393752192994', '24692161070000622606414', 'web-7004'].map(mayBecomeCard)).not.toContain(true);
  });

  it('is marked wherever it was found', () =>
    expect(markWords('Ada Lovelace, ada@example.com', 'ada card:4242')).toEqual([
      { text: 'Ada', isHit: true },
      { text: ' Lovelace, ', isHit: false },
      { text: 'ada', isHit: true },
      { text: '@example.com', isHit: false },
    ]));
});

describe('the search box of a list', () => {
  const filters = [{ name: 'card_lastfour', fits: /^\d{4}$/ }, { name: 'status' }];

  it('gives a word to the filter whose form it has, and leaves the rest to the search', () => {
    expect(readSearch('4242 status:OK', filters)).toEqual({
      fields: { card_lastfour: '4242', status: 'OK' },
      rest: '',
    });
    expect(readSearch('ada@example.com 12', filters)).toEqual({ fields: {}, rest: 'ada@example.com 12' });
  });
});

const service = await useStack();

/** Opens the palette, and waits until it takes what is typed. */
const openPalette = async (page: Page): Promise<void> => {
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog', { name: 'Search or go to' }).locator('input:focus').waitFor();
};

describeInBrowser('the palette in the dashboard', (open) => {
  it('goes to a screen by keys alone', async () => {
    const { page } = await openAs(open, service);
    await openPalette(page);
    await page.keyboard.type('charge');
    await page.getByRole('option', { name: 'Chargebacks', selected: true }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: /chargeback|due this week/i }).waitFor();
    await openPalette(page);
    await page.keyboard.type('report');
    await page.getByRole('option', { name: 'Reports', selected: true }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: /Reports|saved/ }).waitFor();
    await page.keyboard.press('Control+k');
    const dialog = page.getByRole('dialog', { name: 'Search or go to' });
    await dialog.waitFor();
    await page.keyboard.press('Escape');
    // A closed dialog is still on the page until its event was handled; a role finds none in either case.
    await page.locator('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('Control+k');
    await dialog.waitFor();
    await expectAccessible(page);
  });

  it('opens in a narrow window, where the navigation is hidden', async () => {
    const { page } = await openAs(open, service, service.credentials.merchant, '/dashboard#/help');
    await page.setViewportSize({ width: 390, height: 844 });
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog', { name: 'Search or go to' }).waitFor({ state: 'visible' });
  });
});
