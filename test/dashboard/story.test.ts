import { execFile } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { describeInBrowser } from '#test/support/browser.ts';
import { startFakeWooCommerce } from '#test/support/fake-woocommerce.ts';
import { useStack } from '#test/support/stack.ts';
import { expectAccessible } from './axe.ts';
import { alertDetails, disputedAlert, openAs, queueRows, sendNow, signInAs } from './people.ts';

/** A day at the dashboard, from signing in to last month's report, against the local stack and its past. */
const service = await useStack({ withPast: true });

const patience = { timeout: 20_000 };
const rows = queueRows;
const title = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor();
const go = (page: Page, label: string) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: label, exact: false }).click();

const newUser = async (page: Page, username: string) => {
  await go(page, 'Users');
  await title(page, 'Users');
  await page.getByRole('button', { name: 'Add a user' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Username').fill(username);
  await dialog.getByLabel('Name', { exact: true }).fill('Anna Analyst');
  await dialog.getByLabel('Role').selectOption('analyst');
  await dialog.getByRole('button', { name: 'Add' }).click();
  const shown = page.getByRole('dialog', { name: 'Link to set their password' });
  await shown.getByText(`They sign in as ${username}@m`).waitFor();
  const url = String(await shown.locator('.code').textContent());
  await shown.getByRole('button', { name: 'Done' }).click();
  return url;
};

describeInBrowser('a day at the dashboard', (open) => {
  it('begins with what is due first, and refunds a part of what is disputed', async () => {
    const { page } = await openAs(open, service, service.credentials.merchant, '/dashboard#/queue');
    await rows(page).first().waitFor();
    const times = await page.evaluate<string[]>(
      `[...document.querySelectorAll('.row time.ring')].map((one) => one.dateTime)`,
    );
    expect(times.length).toBeGreaterThan(10);
    expect(times).toEqual(times.toSorted());

    const { alert_id: id } = await disputedAlert(service);
    await page.goto(`${service.url}/dashboard#/alerts/${id}`);
    await page.getByRole('button', { name: 'Refund another amount…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Amount in USD').fill('80.00');
    // Pressed twice, it is refunded once.
    await dialog.getByRole('button', { name: 'Refund and answer' }).dblclick();
    await sendNow(page);
    await page.getByText('$80.00 refunded. The network is notified.').waitFor();
    const outcome = async () => (await alertDetails(service, id))['provider_outcome'];
    await expect.poll(outcome, patience).toMatchObject({ state: 'ACCEPTED' });
    await page.reload();
    await page.getByRole('heading', { name: 'Sent to the network' }).waitFor();
    await page.getByText('Accepted').first().waitFor();
    expect(await alertDetails(service, id)).toMatchObject({ status: 'RESOLVED', alert_outcome_amount: '80.00' });
    const told = await (await fetch(`${service.url}/_local/networks/provider_a`)).text();
    expect(told.replaceAll('\\"', '"')).toMatch(/"value":80\b/);
    // The webhook that told the merchant of it.
    const updates = page.getByRole('link', { name: 'Status update' });
    await updates.first().waitFor();
    await updates.first().click();
    await page.getByRole('heading', { name: 'Attempts' }).waitFor();
    await page.getByText('Accepted, 200').waitFor();
  });

  it('refunds a charge at the merchant’s own processor, and notes why', async () => {
    const { mid, sid } = service.credentials.site;
    const token = await service.tokenOf('merchant');
    const connections = [{ kind: 'sandbox', label: 'The shop before' }];
    await service.call(`/api/v3/merchant/${mid}/connections`, { token, body: { connections } });
    const { body: made } = await service.call('/secure/alerts/service_dummy', {
      ...{ token, query: { sid: String(sid) } },
      body: {
        ...{ alert_type: 'FRAUD', amount: '45.20', currency: 'USD', descriptor: 'DEMO SHOP' },
        ...{ card: '411111xxxxxx1111', transaction_timestamp: '2026-05-02T01:00:00.000Z' },
      },
    });
    const { page } = await openAs(open, service);
    await page.goto(`${service.url}/dashboard#/alerts/${made['alert_id']}`);
    await page.getByText('May be the charge').first().waitFor();
    await page.getByText(/other charges of this card/).click();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Refund sbc_20260502_02' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Amount in USD').fill('45.00');
    await dialog.getByLabel('Note for colleagues').fill('A regular of ours.');
    await dialog.getByRole('button', { name: 'Refund and answer' }).dblclick();
    await sendNow(page);
    await page.getByText('$45.00 refunded').waitFor();
    await page.getByText('A regular of ours.').first().waitFor();
    await expect.poll(() => page.getByRole('heading', { name: 'Matched charge' }).count(), patience).toBe(0);
    expect(await alertDetails(service, String(made['alert_id']))).toMatchObject({
      ...{ status: 'RESOLVED', alert_outcome_amount: '45.00', merchant_notes: 'A regular of ours.' },
    });
  });

  it('declines ten at once, and replays a webhook that failed', async () => {
    const { page } = await openAs(open, service, service.credentials.merchant, '/dashboard#/queue');
    await rows(page).first().waitFor();
    for (let n = 0; n < 10; n += 1) await rows(page).nth(n).getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Decline 10', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Reason').selectOption('902.002');
    await dialog.getByRole('button', { name: 'Answer 10' }).click();
    await sendNow(page);
    await page.getByText('10 alerts answered, 0 not.').waitFor();

    await page.goto(`${service.url}/dashboard#/deliveries?state=EXPIRED`);
    await page.getByRole('table', { name: 'Deliveries' }).locator('tbody th a').first().click();
    await page.getByRole('heading', { name: 'Attempts' }).waitFor();
    const before = await page.locator('.timeline li').count();
    await page.getByRole('button', { name: 'Replay' }).click();
    await page.getByText('Sent again: Accepted, 200.').waitFor();
    // While an attempt is due, the list begins with it.
    await expect.poll(() => page.locator('.timeline li').first().textContent(), patience).toContain('Accepted, 200');
    expect(await page.locator('.timeline li').count()).toBe(before + 1);

    await page.goto(`${service.url}/dashboard#/deliveries`);
    await page.getByRole('button', { name: 'Replay what failed' }).click();
    const site = page.getByRole('dialog').getByLabel('Site');
    await expect.poll(() => site.inputValue(), patience).toBe(String(service.credentials.site.sid));
    await page.getByRole('dialog').getByRole('button', { name: 'Count them' }).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Replay \d+$/ })
      .click();
    await page.getByText('will be sent again').waitFor();
  });

  it('takes a notification along as a curl command, whose signature verifies at the receiver', async () => {
    const { page } = await openAs(open, service);
    await page.goto(`${service.url}/dashboard#/deliveries?state=EXPIRED`);
    await page.getByRole('table', { name: 'Deliveries' }).locator('tbody th a').first().click();
    await page.getByRole('button', { name: 'As curl' }).click();
    const command = String(await page.getByRole('dialog').locator('pre').textContent());
    const sink = service.sinks.got('demo').length;
    const signedBy = Number(/webhook-timestamp: (\d+)/.exec(command)?.[1]);
    // Not waited for by blocking: the sink is served by this very process. It fails where curl does.
    await promisify(execFile)('sh', ['-c', command.replace(/^curl /, 'curl --silent --fail ')]);
    const got = service.sinks.got('demo').at(sink);
    const headers = got?.headers ?? {};
    const key = Buffer.from(service.credentials.site.signing_secret.slice('whsec_'.length), 'base64');
    const signed = createHmac('sha256', key).update(
      `${headers['webhook-id']}.${headers['webhook-timestamp']}.${got?.body}`,
    );
    expect(headers['webhook-signature']).toBe(`v1,${signed.digest('base64')}`);
    expect(Number(headers['webhook-timestamp'])).toBe(signedBy);
  });

  it('accepts a chargeback, and says who did', async () => {
    const { page } = await openAs(open, service);
    await go(page, 'Chargebacks');
    await page.locator('.row a').first().click();
    await page.getByRole('button', { name: /^Accept the loss of/ }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Accept it' }).click();
    await page.getByText('The chargeback is no longer contested.').waitFor();
    await page.getByText(/demo accepted it/).waitFor();
    expect(await page.getByRole('button', { name: /^Accept/ }).count()).toBe(0);
  });

  it('takes the claim of a credit back, and claims it for another reason', async () => {
    const { page } = await openAs(open, service);
    await go(page, 'Reports');
    await page.getByRole('link', { name: 'Credits' }).click();
    await page.getByRole('table', { name: 'Credits' }).locator('tbody th a').first().click();
    const save = page.getByRole('dialog').getByRole('button', { name: 'Save' });
    await page.getByRole('button', { name: /^Change the credit/ }).click();
    await save.click();
    await page.getByRole('button', { name: /^Claim the credit/ }).click();
    await page.getByRole('dialog').getByLabel('Reason').selectOption('duplicate');
    await save.click();
    await page.getByRole('button', { name: /^Change the credit/ }).waitFor();
    await page.getByText('Repeats another alert').waitFor();
  });

  it('makes a rule after a look at what it would have done', async () => {
    const { page } = await openAs(open, service);
    await go(page, 'Rules');
    await page.getByLabel('Rules of').selectOption({ index: 1 });
    await page.getByRole('link', { name: 'New rule' }).click();
    await title(page, 'New rule');
    await page.getByLabel('Name').fill('Decline what is dear');
    await page.getByLabel('Value').last().fill('60');
    await page.getByLabel('Then').selectOption('decline');
    await page.getByRole('button', { name: 'Try it on the last 30 days' }).click();
    const result = page.getByRole('status', { name: 'What it would have done' });
    await result.waitFor();
    expect(await result.textContent()).toMatch(/it applies to [1-9]\d*/);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await title(page, 'Decline what is dear');
    await page.getByText('Version 1').waitFor();
  });

  it('rotates a secret after a fresh sign-in, which an analyst cannot', async () => {
    const { page } = await openAs(open, service);
    // After a person has been signed in for longer than a password counts as fresh.
    await service.untilIdle();
    await service.clock.advance('PT20M');
    await page.goto(`${service.url}/dashboard#/settings/${service.credentials.site.sid}`);
    await page.getByRole('button', { name: 'Rotate the rcode' }).click();
    await page.getByRole('button', { name: 'Rotate it' }).click();
    const again = page.getByRole('dialog', { name: 'Confirm that it is you' });
    await again.waitFor();
    await again.getByLabel('Password', { exact: true }).fill(service.credentials.merchant.password);
    await again.getByRole('button', { name: 'Continue' }).click();
    const shown = page.getByRole('dialog', { name: 'The new rcode' });
    await shown.waitFor();
    const rcode = String(await shown.locator('.code').textContent());
    expect(rcode.length).toBeGreaterThan(20);
    await shown.getByRole('button', { name: 'I have saved it' }).click();

    const link = await newUser(page, 'anna');
    const other = (await open()).page;
    await other.goto(link);
    await other.getByLabel('New password', { exact: true }).fill('correct horse battery');
    await other.getByRole('button', { name: 'Set the password' }).click();
    await other.getByText('Your password is set').waitFor();
    await signInAs(other, service, {
      username: `anna@m${service.credentials.site.mid}`,
      password: 'correct horse battery',
    });
    await other.goto(`${service.url}/dashboard#/settings/${service.credentials.site.sid}`);
    await title(other, 'Demo Shop');
    await other.getByText('New alerts go to').waitFor();
    expect(await other.getByRole('button', { name: /Rotate/ }).count()).toBe(0);
    await go(other, 'Users');
    await title(other, 'Users');
    expect(await other.getByRole('button', { name: 'Add a user' }).count()).toBe(0);
  });

  it('says whom a shop refuses, how banks show it, where its payments go, and what they cost', async () => {
    const { page } = await open();
    const { sid } = service.credentials.payment_site;
    await signInAs(page, service);
    const goTo = (name: string) => page.goto(`${service.url}/dashboard#/settings/${sid}/${name}`);
    await goTo('fraud-lists');
    await page.getByText('Add to “always refused”').click();
    await page.getByRole('textbox', { name: 'E-mail address' }).first().fill('mallory');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByText('must be an e-mail address').first().waitFor();
    await page.getByRole('textbox', { name: 'E-mail address' }).first().fill('Mallory@example.com');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('button', { name: 'Remove mallory@example.com' }).waitFor();
    await expectAccessible(page);

    await goTo('order-profile');
    await page.getByLabel('Support telephone').fill('+61 2 9999 1234');
    await page.getByLabel('City').fill('Sydney');
    await page.getByRole('button', { name: 'Save the profile' }).click();
    await page.getByText('The business profile is saved.').waitFor();
    const profile = await service.call(`/api/v3/site/${sid}/order-profile/details`, {
      token: await service.tokenOf('merchant'),
    });
    expect(profile.body).toMatchObject({ support_phone: '+61 2 9999 1234', address: { suburb_city: 'Sydney' } });

    await using woo = await startFakeWooCommerce();
    woo.order();
    await page.getByLabel('Import orders from').selectOption('WooCommerce');
    await page.getByLabel('Address of the shop').fill('ftp://shop.example');
    await page.getByLabel('Consumer key').fill(woo.consumerKey);
    await page.getByLabel('Consumer secret').fill(woo.consumerSecret);
    await page.getByRole('button', { name: 'Save the import' }).click();
    await page.getByText('must begin with https://').first().waitFor();
    await expectAccessible(page);
    await page.getByLabel('Address of the shop').fill(woo.url);
    await page.getByRole('button', { name: 'Save the import' }).click();
    await page.getByText('The import of orders is saved.').waitFor();
    expect(await page.getByLabel('Consumer secret').inputValue()).toBe('');
    await service.untilIdle();
    await page.reload();
    await page.getByText('Left out: card not known').waitFor();
    await page.getByText('…4567').waitFor();
    await page.getByLabel('Import orders from').selectOption('No import');
    await page.getByRole('button', { name: 'Save the import' }).click();
    await page.getByText('…4567').waitFor({ state: 'detached' });

    await goTo('processors');
    await page.getByRole('button', { name: 'Change them' }).click();
    await page.getByRole('button', { name: 'Add a processor' }).click();
    await page.getByLabel('Processor', { exact: true }).selectOption({ label: 'Sandbox' });
    await page.getByLabel('Mastercard').check();
    await page.getByLabel('Amounts up to').fill('12,50');
    await page.getByRole('button', { name: 'Save the processors' }).click();
    await page.getByText('must be a decimal such as 10.50').first().waitFor();
    await expectAccessible(page);
    await page.getByLabel('Amounts up to').fill('12.50');
    await page.getByRole('button', { name: 'Save the processors' }).click();
    await page.getByText('The processors are saved.').waitFor();
    const set = await service.call(`/api/v3/site/${sid}/processors/details`, { token: await service.tokenOf('admin') });
    expect(set.body['routes']).toMatchObject([{ processor: 'sandbox', schemes: ['MASTERCARD'], max: '12.50' }]);

    await goTo('fees');
    await page.getByText('Operators set it.').waitFor();
    expect(await page.getByRole('button', { name: 'Change the fees' }).count()).toBe(0);
    const operator = (await open()).page;
    await signInAs(operator, service, service.credentials.admin, `/dashboard#/settings/${sid}/fees`);
    for (const [card, percent] of [
      ['MASTERCARD', '1.5'],
      ['VISA', '2'],
    ] as const) {
      await operator.getByRole('button', { name: 'Change the fees' }).click();
      await operator.getByRole('button', { name: 'Add a fee' }).click();
      await operator.getByLabel('Card').last().selectOption(card);
      await operator.getByLabel('Percent').last().fill(percent);
      await operator.getByRole('button', { name: 'Save the fees' }).click();
      await operator.getByRole('rowheader', { name: card === 'VISA' ? 'Visa' : 'Mastercard' }).waitFor();
    }
    const fees = await service.call(`/api/v3/site/${sid}/fees/list`, { token: await service.tokenOf('merchant') });
    // An earlier choice stays chosen when another is added.
    expect(fees.body['fees']).toMatchObject([
      { paymethod: 'MASTERCARD', percentage: '1.5' },
      { paymethod: 'VISA', percentage: '2' },
    ]);
  });

  it('reads last month, and takes it along', async () => {
    const { page } = await openAs(open, service);
    await go(page, 'Reports');
    await title(page, /Reports|saved/);
    await page.getByRole('button', { name: 'Last month' }).click();
    const table = page.getByRole('table', { name: /^Alerts by the day/ });
    await table
      .getByRole('rowheader', { name: / Apr 2026$/ })
      .first()
      .waitFor();
    await page.locator('.chart polyline').nth(2).waitFor();
    const answerers = page.getByRole('table', { name: /^What rules answered/ });
    for (const name of ['Rules', 'People']) await answerers.getByRole('rowheader', { name }).waitFor();
    const days = await table.getByRole('rowheader').count();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'CSV' }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/^alerts-2026-04-01-2026-04-30-.*\.csv$/);
    const lines = readFileSync(await download.path(), 'utf8')
      .split('\r\n')
      .slice(0, -1);
    expect(lines[0]).toMatch(/^\uFEFF"date","received","resolved"/);
    expect(lines).toHaveLength(days + 1);
  });

  describe('by the keyboard alone', () => {
    /** Moves the focus with Tab until it is on what is named. */
    const tabTo = async (page: Page, name: string) => {
      for (let presses = 0; presses < 80; presses += 1) {
        await page.keyboard.press('Tab');
        const focused = await page.evaluate<string>(
          `(() => { const one = document.activeElement; return (one?.getAttribute('aria-label') ?? (one?.labels?.[0]?.textContent || one?.textContent) ?? '').trim(); })()`,
        );
        if (focused === name) return;
      }
      throw new Error(`Tab does not lead to ${name}.`);
    };

    it('refunds what is disputed, replays, tries a rule and reads a report', async () => {
      const { page } = await open();
      await page.goto(`${service.url}/dashboard`);
      await page.getByLabel('Username').waitFor();
      await tabTo(page, 'Username');
      await page.keyboard.type(service.credentials.merchant.username);
      await tabTo(page, 'Password');
      await page.keyboard.type(service.credentials.merchant.password);
      await page.keyboard.press('Enter');
      await title(page, /due within six hours|past/);
      await page.keyboard.press('g');
      await page.keyboard.press('q');
      await title(page, 'Queue');
      await rows(page).first().waitFor();

      const { alert_id: id } = await disputedAlert(service, 3);
      for (let moves = 0; moves < 60; moves += 1) {
        await page.keyboard.press('j');
        if (page.url().endsWith(`alert=${id}`)) break;
      }
      await page.getByRole('button', { name: 'Refund another amount…' }).waitFor();
      await page.keyboard.press('r');
      await page.getByRole('dialog').getByLabel('Amount in USD').waitFor();
      await tabTo(page, 'Refund and answer');
      await page.keyboard.press('Enter');
      await sendNow(page);
      await page.getByText('refunded. The network is notified.').waitFor();
      await service.untilIdle();
      expect(await alertDetails(service, id)).toMatchObject({ status: 'RESOLVED', reason_code: '100.001' });

      await page.keyboard.press('g');
      await page.keyboard.press('d');
      await title(page, /^(Deliveries|The endpoint)/);
      await page.getByRole('table', { name: 'Deliveries' }).waitFor();
      await page.keyboard.press('j');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Attempts' }).waitFor();
      await tabTo(page, 'Replay');
      await page.keyboard.press('Enter');
      await page.getByText(/^Sent again: /).waitFor();

      await page.keyboard.press('g');
      await page.keyboard.press('r');
      await title(page, /^(Rules|People)/);
      await page.keyboard.press('g');
      await page.keyboard.press('s');
      await title(page, /Reports|saved/);
      await tabTo(page, 'Last month');
      await page.keyboard.press('Enter');
      await page
        .getByRole('rowheader', { name: / Apr 2026$/ })
        .first()
        .waitFor();
      await page.keyboard.press('?');
      await title(page, 'Help');
    });
  });
});
