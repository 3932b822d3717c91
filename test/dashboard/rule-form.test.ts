import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeInBrowser } from '../support/browser.ts';
import { startStack, type TestStack } from '../support/stack.ts';
import { signInAs, unexpectedOf } from './people.ts';

/** The form of a rule: what a refund wants besides is kept, whoever set it. */
let service: TestStack;
beforeAll(async () => {
  service = await startStack();
}, 200_000);
afterAll(() => service.stop());

const options = {
  cancel: 'Cancel the subscription that the charge came from',
  block: 'Block the card and the e-mail address',
  leave: 'Leave what is already refunded or charged back to people',
};

const save = async (page: Page) => {
  await page.getByRole('button', { name: 'Try it on the last 30 days' }).click();
  await page.getByRole('status', { name: 'What it would have done' }).waitFor();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
};
const ruleOf = async (name: string) => {
  const { sid } = service.credentials.site;
  const { body } = await service.call('/api/v3/service_alerts/rules/list', {
    token: await service.tokenOf('merchant'),
    body: { sid },
  });
  const list = body['list'] as { rule_id: number; name: string; action: object; version: number }[];
  return list.find((rule) => rule.name === name);
};

describeInBrowser('the form of a rule that refunds', (open) => {
  it('takes what is done besides, shows it again, and leaves it as it was', async () => {
    const { page, errors } = await open();
    await signInAs(page, service);
    await page.goto(`${service.url}/dashboard#/rules/new?sid=${service.credentials.site.sid}`);
    await page.getByLabel('Name').fill('Refund and end it');
    await page.getByLabel('Value').last().fill('60');
    await page.getByLabel(options.cancel).check();
    await page.getByLabel(options.block).check();
    await save(page);
    await page.getByText('Version 1').waitFor();
    expect(await ruleOf('Refund and end it')).toMatchObject({
      action: { type: 'refund', cancel_subscription: true, block: true },
    });
    const boxes = () => Promise.all(Object.values(options).map((label) => page.getByLabel(label).isChecked()));
    expect(await boxes()).toEqual([true, true, false]);
    await page.getByLabel(options.block).uncheck();
    await page.getByLabel(options.leave).check();
    await save(page);
    await page.getByText('Version 2').waitFor();
    await page.getByText('then: refund leave what is settled, cancel the subscription').waitFor();
    expect((await ruleOf('Refund and end it'))?.action).toEqual({
      ...{ type: 'refund', already: 'leave', cancel_subscription: true },
    });
    expect(unexpectedOf(errors)).toEqual([]);
  }, 200_000);

  it('asks a decline for none of it', async () => {
    const { page } = await open();
    await signInAs(page, service);
    await page.goto(`${service.url}/dashboard#/rules/new?sid=${service.credentials.site.sid}`);
    await page.getByLabel(options.block).check();
    await page.getByLabel('Then').selectOption('decline');
    expect(await page.getByLabel(options.block).count()).toBe(0);
  }, 200_000);
});
