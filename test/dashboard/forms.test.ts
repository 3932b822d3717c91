import type { Locator, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeInBrowser } from '#test/support/browser.ts';
import { useStack } from '#test/support/stack.ts';
import { findBarriers } from './axe.ts';
import { openAs, signInAs } from './people.ts';

/**
 * Forms: the other options of a rule's refund are kept, whoever set them; changes of two people are not lost; refusals appear at
 * their fields.
 */
const service = await useStack();

const patience = { timeout: 20_000 };

const options = {
  cancel: 'Cancel the subscription that the charge came from',
  block: 'Block the card and the e-mail address',
  hold: 'Hold the order in its shop, if it is not shipped yet',
  leave: 'Leave what is already refunded or charged back to people',
};

const save = async (page: Page) => {
  await page.getByRole('button', { name: 'Try it on the last 30 days' }).click();
  await page.getByRole('status', { name: 'What it would have done' }).waitFor();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
};
const findRule = async (name: string) => {
  const { sid } = service.credentials.site;
  const { body } = await service.call('/api/v3/service_alerts/rules/list', {
    token: await service.tokenOf('merchant'),
    body: { sid },
  });
  const list = body['list'] as { rule_id: number; name: string; action: object; conditions: object; version: number }[];
  return list.find((rule) => rule.name === name);
};

describeInBrowser('the form of a rule that refunds', (open) => {
  it('accepts further actions, shows them again, and leaves them as they were', async () => {
    const { page } = await openAs(open, service);
    await page.goto(`${service.url}/dashboard#/rules/new?sid=${service.credentials.site.sid}`);
    await page.getByLabel('Name').fill('Refund and end it');
    await page.getByLabel('Value').last().fill('60');
    await page.getByLabel(options.cancel).check();
    await page.getByLabel(options.block).check();
    await save(page);
    await page.getByText('Version 1').waitFor();
    expect(await findRule('Refund and end it')).toMatchObject({
      action: { type: 'refund', cancel_subscription: true, block: true },
    });
    await page.getByRole('button', { name: 'Edit' }).click();
    const boxes = () => Promise.all(Object.values(options).map((label) => page.getByLabel(label).isChecked()));
    expect(await boxes()).toEqual([true, true, false, false]);
    await page.getByLabel(options.block).uncheck();
    await page.getByLabel(options.leave).check();
    await save(page);
    await page.getByText('Version 2').waitFor();
    await page.getByText('then: refund it, leave what is settled and cancel the subscription').waitFor();
    expect((await findRule('Refund and end it'))?.action).toEqual({
      ...{ type: 'refund', already: 'leave', cancel_subscription: true },
    });
  });

  it('asks a decline for none of it, and says since when its codes are in force', async () => {
    const { page } = await openAs(open, service);
    await page.goto(`${service.url}/dashboard#/rules/new?sid=${service.credentials.site.sid}`);
    await page.getByLabel(options.block).check();
    await page.getByLabel('Then').selectOption('decline');
    expect(await page.getByLabel(options.block).count()).toBe(0);
    await page.getByText('Codes of the network, in force since 2024-06-18.').waitFor();
  });
});

describeInBrowser('a rule that two people change at once', (open) => {
  const below = (value: number) => ({
    all: [{ fact: 'amount', operator: 'lessThan', value, params: { currency: 'USD' } }],
  });
  /** Both have it open; the first has saved it under another name, and the second then saves as well. */
  const both = async (name: string) => {
    const { body } = await service.call('/api/v3/service_alerts/rules/create', {
      token: await service.tokenOf('merchant'),
      body: {
        sid: service.credentials.site.sid,
        ...{ name, mode: 'shadow', action: { type: 'review' } },
        conditions: below(20),
      },
    });
    const [first, second] = [await open(), await open()];
    for (const [{ page }, person] of [
      [first, 'merchant'],
      [second, 'admin'],
    ] as const) {
      await signInAs(page, service, service.credentials[person]);
      await page.goto(`${service.url}/dashboard#/rules/${body['rule_id']}`);
      await page.getByText('Version 1').waitFor();
      await page.getByRole('button', { name: 'Edit' }).click();
    }
    await first.page.getByLabel('Name').fill(`${name}, theirs`);
    await save(first.page);
    await first.page.getByText('Version 2').waitFor();
    await second.page.getByLabel('Value').fill('30');
    await second.page.getByLabel('Value').press('Tab');
    await save(second.page);
    const dialog = second.page.getByRole('dialog', { name: 'Another person changed this rule' });
    await dialog.waitFor();
    return { ...second, dialog };
  };
  const cellsOf = (dialog: Locator) =>
    dialog
      .locator('tbody tr')
      .evaluateAll((rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent)));

  it('is shown in both states, of which the second person keeps theirs', async () => {
    const { page, dialog } = await both('Small ones');
    expect(await cellsOf(dialog)).toEqual([
      ['Name Differs', 'Small ones', 'Small ones, theirs'],
      ['When it applies Differs', 'the amount is below $30', 'the amount is below $20'],
      ['Then ', 'leave it to people', 'leave it to people'],
      ['Mode ', 'On trial', 'On trial'],
    ]);
    expect(await findBarriers(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Save mine' }).press('Enter');
    await page.getByText('Version 3').waitFor();
    await dialog.waitFor({ state: 'detached' });
    expect(await findRule('Small ones')).toMatchObject({
      version: 3,
      conditions: below(30),
    });
  });

  it('loses nothing that was typed until the stored one is taken', async () => {
    const { page, dialog } = await both('Tiny ones');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(await page.getByLabel('Value').inputValue()).toBe('30');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await dialog.getByRole('button', { name: 'Take theirs' }).click();
    await page.getByText('Version 2').waitFor();
    await page.getByRole('button', { name: 'Edit' }).click();
    await expect.poll(() => page.getByLabel('Value').inputValue(), patience).toBe('20');
    expect(await page.getByLabel('Name').inputValue()).toBe('Tiny ones, theirs');
    expect(await findRule('Tiny ones, theirs')).toMatchObject({ version: 2 });
  });
});

describeInBrowser('a form that is refused', (open) => {
  const openFees = async () => {
    const opened = await open();
    const { page } = opened;
    await signInAs(page, service, service.credentials.admin);
    await page.goto(`${service.url}/dashboard#/settings/${service.credentials.payment_site.sid}/fees`);
    await page.getByRole('button', { name: 'Change the fees' }).click();
    for (const n of [1, 2]) {
      await page.getByRole('button', { name: 'Add a fee' }).click();
      await page.getByRole('group', { name: `Fee ${n}` }).waitFor();
    }
    return opened;
  };
  const focusedIs = (field: Locator) => field.evaluate((element) => element === element.ownerDocument.activeElement);

  it('names its fields as the page does, marks them and begins at the first', async () => {
    const { page } = await openFees();
    const field = (n: number, label: string) => page.getByRole('group', { name: `Fee ${n}` }).getByLabel(label);
    await field(2, 'Percent').fill('much');
    await field(2, 'Plus per payment').fill('more');
    await page.getByRole('button', { name: 'Save the fees' }).click();
    const box = page.getByRole('alert');
    await box.getByText('Fee 2, Percent: must be').waitFor();
    expect(await box.textContent()).toContain('; Fee 2, Plus per payment: must be');
    expect(await box.textContent()).not.toContain('fees.1');
    await expect.poll(() => focusedIs(field(2, 'Percent')), patience).toBe(true);
    expect(await page.locator('[aria-invalid]').count()).toBe(2);
    expect(await field(2, 'Percent').getAttribute('aria-invalid')).toBe('true');
    expect(await findBarriers(page)).toEqual([]);
  });

  it('keeps the name of what it has no field for', async () => {
    const { page } = await openFees();
    await page.route('**/fees', (route) =>
      route.fulfill({
        status: 400,
        json: { msg: 'Bad Request', details: 'fees.0.fixed: is too much; fees.0.tax: is missing' },
      }),
    );
    await page.getByRole('button', { name: 'Save the fees' }).click();
    await page.getByText('Fee 1, Plus per payment: is too much; fees.0.tax: is missing').waitFor();
  });
});

describeInBrowser('the settings of a site that takes payments', (open) => {
  const detailsOf = async () => {
    const { sid } = service.credentials.payment_site;
    const token = await service.tokenOf('merchant');
    const { body } = await service.call(`/api/v3/site/${sid}/details`, { token, body: {} });
    return body['settings'];
  };

  it('are changed by a manager, who keeps what the form does not show', async () => {
    const { page } = await openAs(open, service);
    await page.goto(`${service.url}/dashboard#/settings/${service.credentials.payment_site.sid}`);
    const allowed = page.getByLabel('Allow refunds');
    await allowed.waitFor();
    const before = await detailsOf();
    expect(await allowed.isChecked()).toBe(true);
    await allowed.uncheck();
    await page.getByLabel('Accept payments without the security code').check();
    await page.getByLabel('Days for refunds (0: no limit)').fill('30');
    await page.getByLabel('Signature of the body').selectOption('Required');
    await page.getByLabel('Chargebacks are mailed to').fill('risk@shop.example, cfo@shop.example');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('The settings are saved.').waitFor();
    const changed = { allow_refund: 0, skip_ccv: 1, allow_refund_time: 30, signature: 'required' };
    const mailed = { cbreportemail: 'risk@shop.example,cfo@shop.example' };
    const after = await detailsOf();
    expect(after).toMatchObject({ ...Object(before), ...changed, ...mailed });
    // The retailer's applies.
    expect(after).not.toHaveProperty('margin_percentage');
    expect(await findBarriers(page)).toEqual([]);
  });

  it('mark the field that is refused', async () => {
    const { page } = await openAs(open, service);
    await page.goto(`${service.url}/dashboard#/settings/${service.credentials.payment_site.sid}`);
    const field = page.getByLabel('Payments are mailed to');
    await field.fill('nobody');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('must be e-mail addresses separated by commas').first().waitFor();
    expect(await field.getAttribute('aria-invalid')).toBe('true');
  });
});
