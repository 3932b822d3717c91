import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeInBrowser } from '#test/support/browser.ts';
import { useStack } from '#test/support/stack.ts';
import { alertDetails, alertOfRow, disputedAlert, queueRows, signInAs } from './people.ts';

/**
 * Each main task by the keyboard alone: what has the focus is seen wherever Tab leads, and after a dialog it is where it was
 * before, or on the title of what is shown then.
 */
const service = await useStack({ withPast: true });

const patience = { timeout: 20_000 };
const title = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor();

/** Until a dialog is gone. The browser hides it and gives the focus back a moment before the page knows that it is closed. */
const isGone = (page: Page, title = '') =>
  page.locator('dialog').filter({ hasText: title }).first().waitFor({ state: 'detached' });

type Focused = { name: string; isSeen: boolean };

/**
 * Returns the focused element by its accessible name, none where the page ends; and whether it is visible: a ring, and nothing
 * over it.
 */
const focused = (page: Page) =>
  page.evaluate<Focused>(`(() => {
    const one = document.activeElement;
    if (one === document.body) return { name: '', isSeen: true };
    const label = one.getAttribute('aria-label') ?? (one.labels?.[0]?.textContent || one.textContent) ?? '';
    const { outlineStyle, outlineWidth } = getComputedStyle(one);
    const { left, top, width, height } = one.getClientRects()[0] ?? new DOMRect();
    const over = document.elementFromPoint(left + width / 2, top + height / 2);
    const isSeen = outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2 && over !== null && (one.contains(over) || over.contains(one));
    return { name: label.trim(), isSeen };
  })()`);
const focusedName = async (page: Page) => (await focused(page)).name;

/** Moves the focus with Tab until it is on what is named; everything on the way is seen to have it. */
const tabTo = async (page: Page, name: string | RegExp, key = 'Tab') => {
  const passed: string[] = [];
  for (let presses = 0; presses < 150; presses += 1) {
    await page.keyboard.press(key);
    const one = await focused(page);
    if (!one.isSeen) throw new Error(`Nobody sees that ${one.name} has the focus.`);
    if (typeof name === 'string' ? one.name === name : name.test(one.name)) return;
    passed.push(one.name.slice(0, 30));
  }
  throw new Error(`Tab does not lead to ${name}, but to ${[...new Set(passed)].join(', ')}.`);
};

/** Returns how many steps down the focused list the choice is that begins with these words. */
const stepsTo = async (page: Page, words: string): Promise<number> => {
  const list = 'document.activeElement';
  const labels = await page.evaluate<string[]>(`[...${list}.options].map(({ label }) => label.trim())`);
  const at = labels.findIndex((label) => label.startsWith(words));
  if (at === -1) throw new Error(`No choice begins with ${words}.`);
  return at - (await page.evaluate<number>(`${list}.selectedIndex`));
};

/** Chooses in the list that has the focus, by arrow keys: letters are forgotten after a second, which slow machines take between two. */
const choose = async (page: Page, words: string): Promise<void> => {
  for (let presses = 0; presses < 100; presses += 1) {
    const steps = await stepsTo(page, words);
    if (steps === 0) return;
    await page.keyboard.press(steps > 0 ? 'ArrowDown' : 'ArrowUp');
  }
  throw new Error(`Arrow keys do not lead to ${words}.`);
};

describeInBrowser('by the keyboard alone', (open) => {
  /** Signed in, and where one wants to be: that is not what is looked at here. */
  const begin = async (path: string) => {
    const opened = await open();
    await signInAs(opened.page, service);
    await opened.page.goto(`${service.url}/dashboard#${path}`);
    return opened;
  };

  it('answers an alert', async () => {
    const { alert_id: id } = await disputedAlert(service, 2);
    const { page } = await begin(`/alerts/${id}`);
    const reason = page.getByRole('dialog').getByLabel('Reason');
    await page.getByRole('button', { name: 'Other answer…' }).waitFor();
    await tabTo(page, 'Other answer…');
    await page.keyboard.press('Enter');
    await reason.waitFor();
    await page.keyboard.press('Escape');
    await isGone(page);
    await expect.poll(() => focusedName(page), patience).toBe('Other answer…');
    // Closed by its button as well as by Escape.
    await page.keyboard.press('Enter');
    await reason.waitFor();
    await expect.poll(() => focusedName(page), patience).toBe('Outcome');
    await tabTo(page, 'Close', 'Shift+Tab');
    await page.keyboard.press('Enter');
    await expect.poll(() => focusedName(page), patience).toBe('Other answer…');
    await page.keyboard.press('e');
    await reason.waitFor();
    await expect.poll(() => focusedName(page), patience).toBe('Outcome');
    await choose(page, 'In pro');
    await tabTo(page, 'Reason');
    await choose(page, '999');
    await tabTo(page, 'Note for colleagues (optional)');
    await page.keyboard.type('Asked the shop.');
    await tabTo(page, 'Send the answer');
    await page.keyboard.press('Enter');
    await isGone(page);
    await expect.poll(() => focusedName(page), patience).toBe('Other answer…');
    await page.getByRole('button', { name: 'Send now' }).waitFor();
    await page.keyboard.press('s');
    await page.getByRole('main').getByText('In progress').first().waitFor();
    await expect
      .poll(() => alertDetails(service, id), patience)
      .toMatchObject({ status: 'WIP', merchant_notes: 'Asked the shop.' });
  });

  it('refunds a part', async () => {
    const { alert_id: id } = await disputedAlert(service, 1);
    const { page } = await begin(`/alerts/${id}`);
    await page.getByRole('button', { name: 'Refund another amount…' }).waitFor();
    await tabTo(page, 'Refund another amount…');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByLabel('Amount in USD').waitFor();
    await expect.poll(() => focusedName(page), patience).toBe('Amount in USD');
    await page.keyboard.press('Control+a');
    await page.keyboard.type('70.00');
    await tabTo(page, 'Refund and answer');
    await page.keyboard.press('Enter');
    await isGone(page);
    await page.getByRole('button', { name: 'Send now' }).waitFor();
    await page.keyboard.press('s');
    await page.getByText('$70.00 refunded. The network is notified.').waitFor();
    await expect.poll(async () => (await alertDetails(service, id))['status'], patience).toBe('RESOLVED');
    expect(await alertDetails(service, id)).toMatchObject({ alert_outcome_amount: '70.00' });
  });

  it('refunds all of a payment by one key', async () => {
    const { alert_id: id } = await disputedAlert(service, 3);
    const { page } = await begin(`/alerts/${id}`);
    await page.getByRole('button', { name: 'Refund $35.00 and notify Visa' }).waitFor();
    await page.getByRole('heading', { name: 'Refund. No delivery can be proven.' }).waitFor();
    await page.keyboard.press('1');
    await page.getByText('Refunding $35.00 to Visa •••• 4242').waitFor();
    expect(await alertDetails(service, id)).toMatchObject({ status: 'OPEN' });
    await page.getByRole('button', { name: 'Send now' }).waitFor();
    await page.keyboard.press('s');
    await page.getByText('$35.00 refunded. The network is notified.').waitFor();
    await expect.poll(async () => (await alertDetails(service, id))['status'], patience).toBe('RESOLVED');
  });

  it('declines ten at once in fewer than fifteen keys, and shows what each will say', async () => {
    const { page } = await begin('/queue');
    await queueRows(page).nth(10).waitFor();
    const ids = await Promise.all(Array.from({ length: 10 }, (_, n) => alertOfRow(queueRows(page).nth(n))));
    let presses = 0;
    const press = async (key: string) => {
      presses += 1;
      await page.keyboard.press(key);
    };
    await press('x');
    for (const _ of ids.slice(1)) await press('j');
    await press('X');
    await page.getByRole('button', { name: 'Decline 10' }).waitFor();
    await press('3');
    await page.getByRole('dialog').getByLabel('Reason').waitFor();
    expect(presses).toBeLessThan(15);
    await tabTo(page, 'Reason');
    await choose(page, '902.002');
    await tabTo(page, 'Answer 10');
    await page.keyboard.press('Enter');
    await isGone(page);
    await page.getByRole('button', { name: 'Send now' }).waitFor();
    await page.keyboard.press('s');
    await page.getByText('10 alerts answered, 0 not.').waitFor();
    for (const id of ids)
      expect(await alertDetails(service, id)).toMatchObject({ status: 'DECLINED', reason_code: '902.002' });
  });

  it('replays a notification', async () => {
    const { page } = await begin('/deliveries?state=EXPIRED');
    await page.getByRole('table', { name: 'Deliveries' }).getByRole('row').nth(1).waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Attempts' }).waitFor();
    await expect.poll(() => focusedName(page), patience).toBe('New alert');
    await tabTo(page, 'Replay');
    await page.keyboard.press('Enter');
    await page.getByText('Sent again: Accepted, 200.').waitFor();
    expect(await focusedName(page)).toBe('Replay');
  });

  it('makes a rule after a dry run', async () => {
    const { page } = await begin('/rules?sid=1');
    await page.getByRole('table', { name: 'Rules', exact: true }).waitFor();
    await tabTo(page, 'New rule');
    await page.keyboard.press('Enter');
    await title(page, 'New rule');
    await tabTo(page, 'Name');
    await page.keyboard.type('Decline what is dear');
    await tabTo(page, 'Remove condition 1');
    await page.keyboard.press('Enter');
    await tabTo(page, 'Value');
    await page.keyboard.type('60');
    await tabTo(page, 'Then');
    await choose(page, 'Decl');
    await tabTo(page, 'Try it on the last 30 days');
    await page.keyboard.press('Enter');
    await page.getByRole('status', { name: 'What it would have done' }).waitFor();
    // The same button saves once that was seen.
    await expect.poll(() => focusedName(page), patience).toBe('Save');
    await page.keyboard.press('Enter');
    await title(page, 'Decline what is dear');
  });

  it('adds a user, and hands over the link', async () => {
    const { page } = await begin('/users');
    await page.getByRole('button', { name: 'Add a user' }).waitFor();
    await tabTo(page, 'Add a user');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await expect.poll(() => focusedName(page), patience).toBe('Username');
    await page.keyboard.type('kay');
    await tabTo(page, 'Name');
    await page.keyboard.type('Kay Keys');
    await tabTo(page, 'Role');
    await choose(page, 'Dev');
    await tabTo(page, 'Add');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Link to set their password' }).waitFor();
    await tabTo(page, 'Done');
    await page.keyboard.press('Enter');
    await isGone(page);
    await expect.poll(() => focusedName(page), patience).toBe('Add a user');
    await page.getByRole('table', { name: 'Users' }).getByText('Developer').waitFor();
  });

  it('switches a user off once that is confirmed', async () => {
    const username = `quinn@m${service.credentials.site.mid}`;
    await service.call('/api/v3/users/create', {
      token: await service.tokenOf('merchant'),
      body: { username, name: 'Quinn Quits', role: 'analyst' },
    });
    const { page } = await begin('/users');
    const isOff = async () => {
      const { body } = await service.call('/api/v3/users/list', { token: await service.tokenOf('merchant') });
      return (body['list'] as { username: string; disabled: boolean }[]).find((one) => one.username === username)
        ?.disabled;
    };
    await page.getByRole('button', { name: `Change ${username}` }).waitFor();
    await tabTo(page, `Change ${username}`);
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await tabTo(page, 'May no longer sign in');
    await page.keyboard.press('Space');
    await tabTo(page, 'Save');
    await page.keyboard.press('Enter');
    const question = page.getByRole('dialog', { name: `Switch off ${username}?` });
    await question.waitFor();
    // A person who reconsiders keeps what they filled in, and nothing has happened.
    await tabTo(page, 'Not now');
    await page.keyboard.press('Enter');
    await isGone(page, `Switch off ${username}?`);
    await expect.poll(() => focusedName(page), patience).toBe('Save');
    expect(await isOff()).toBe(false);
    await page.keyboard.press('Enter');
    await question.waitFor();
    await tabTo(page, 'Switch off');
    await page.keyboard.press('Enter');
    await page.getByText(`${username} was changed.`).waitFor();
    await isGone(page);
    await expect.poll(() => focusedName(page), patience).toBe(`Change ${username}`);
    expect(await isOff()).toBe(true);
  });

  it('disables a rule once that is confirmed', async () => {
    const { page } = await begin('/rules?sid=1');
    const opener = page.getByRole('button', { name: /^Disable / }).first();
    const label = (await opener.getAttribute('aria-label')) ?? '';
    await tabTo(page, label);
    await page.keyboard.press('Enter');
    const question = page.getByRole('dialog', { name: `${label}?` });
    await question.waitFor();
    await page.keyboard.press('Escape');
    await isGone(page, `${label}?`);
    await expect.poll(() => focusedName(page), patience).toBe(label);
    await page.keyboard.press('Enter');
    await question.waitFor();
    await tabTo(page, 'Disable it');
    await page.keyboard.press('Enter');
    await page.getByText(/ is off now\.$/).waitFor();
    await isGone(page, `${label}?`);
    await expect.poll(() => focusedName(page), patience).toBe(label.replace('Disable', 'Enable'));
  });

  it('exports a report', async () => {
    const { page } = await begin('/reports');
    await page.getByRole('button', { name: 'Last month' }).waitFor();
    await tabTo(page, 'Last month');
    await page.keyboard.press('Enter');
    await page
      .getByRole('rowheader', { name: / Apr 2026$/ })
      .first()
      .waitFor();
    await tabTo(page, 'CSV', 'Shift+Tab');
    const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')]);
    expect(readFileSync(await download.path(), 'utf8')).toContain('2026-04-');
    expect(await focusedName(page)).toBe('CSV');
  });

  it('rotates a secret after a fresh sign-in', async () => {
    const { page } = await begin('/help');
    await service.clock.advance('PT20M');
    await page.goto(`${service.url}/dashboard#/settings/${service.credentials.site.sid}`);
    await page.getByRole('button', { name: 'Rotate the rcode' }).waitFor();
    await tabTo(page, 'Rotate the rcode');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await tabTo(page, 'Rotate it');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Confirm that it is you' }).waitFor();
    await tabTo(page, 'Password');
    await page.keyboard.type(service.credentials.merchant.password);
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'The new rcode' }).waitFor();
    await tabTo(page, 'I have saved it');
    await page.keyboard.press('Enter');
    await isGone(page);
    await expect.poll(() => focusedName(page), patience).toBe('Rotate the rcode');
  });
});
