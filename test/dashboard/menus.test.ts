import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeInBrowser } from '#test/support/browser.ts';
import { useStack } from '#test/support/stack.ts';
import { expectAccessible } from './axe.ts';
import { openAs } from './people.ts';

const service = await useStack();

const account = (page: Page) => page.getByRole('button', { name: 'Mara Manager' });
const signOut = (page: Page) => page.getByRole('button', { name: 'Sign out', exact: true });
const places = (page: Page) => page.getByRole('navigation', { name: 'Main' });

describeInBrowser('the menus', (open) => {
  it('close the account menu by Escape, by a press outside and by navigation', async () => {
    const { page, errors } = await openAs(open, service, service.credentials.merchant, '/dashboard#/help');
    const isClosed = () => signOut(page).waitFor({ state: 'detached' });
    await account(page).click();
    await signOut(page).waitFor();
    await expectAccessible(page);
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.keyboard.press('Escape');
    await isClosed();
    expect(page.url()).toContain('#/help');
    expect(await account(page).evaluate((one) => one === one.ownerDocument.activeElement)).toBe(true);
    await account(page).click();
    await page.getByRole('heading', { level: 1, name: 'Help' }).click();
    await isClosed();
    await account(page).click();
    await page.getByRole('link', { name: 'Your account and second factor' }).click();
    await page.getByRole('heading', { level: 1, name: 'Your account' }).waitFor();
    await isClosed();
    expect(errors).toEqual([]);
  });

  it('show the places most used as tabs on a phone, and all of them on demand', async () => {
    const { page, errors } = await openAs(open, service, service.credentials.merchant, '/dashboard#/help');
    await page.setViewportSize({ width: 390, height: 844 });
    await places(page).waitFor({ state: 'hidden' });
    const tabs = page.getByRole('navigation', { name: 'Tabs' });
    const more = tabs.getByRole('button', { name: 'More' });
    await more.click();
    await places(page).waitFor();
    await expectAccessible(page);
    await page.setViewportSize({ width: 390, height: 844 });
    await page.keyboard.press('Escape');
    await places(page).waitFor({ state: 'hidden' });
    await more.click();
    await places(page).waitFor();
    await page.mouse.click(200, 20);
    await places(page).waitFor({ state: 'hidden' });
    await more.click();
    await places(page).getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
    await places(page).waitFor({ state: 'hidden' });
    await tabs.getByRole('link', { name: 'Payments' }).click();
    await page.getByRole('heading', { level: 1, name: 'Payments' }).waitFor();
    expect(errors).toEqual([]);
  });

  it('put the focus on the first field of a dialog, not on the way out', async () => {
    const { page } = await openAs(open, service, service.credentials.merchant, '/dashboard#/users');
    await page.getByRole('button', { name: 'Add a user' }).click();
    const field = page.getByRole('dialog').getByLabel('Username');
    await expect.poll(() => field.evaluate((one) => one === one.ownerDocument.activeElement)).toBe(true);
  });
});
