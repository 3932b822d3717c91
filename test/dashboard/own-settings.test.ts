import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeInBrowser } from '#test/support/browser.ts';
import { takePictures } from '#test/support/pictures.ts';
import { startStack, type TestStack } from '#test/support/stack.ts';
import { expectAccessible } from './axe.ts';
import { signInAs, unexpectedOf } from './people.ts';

let service: TestStack;
beforeAll(async () => {
  service = await startStack();
});
afterAll(() => service.stop());

describeInBrowser('the e-mails that a person gets', (open) => {
  it('come once a day and in their time zone if they choose so', async () => {
    const { page, errors } = await open();
    await signInAs(page, service, service.credentials.merchant, '/dashboard#/account');
    await page.getByLabel('Time zone of deadlines').selectOption('Europe/Berlin');
    await page.getByLabel('New and changed alerts').selectOption('daily');
    await expectAccessible(page);
    await takePictures(page, 'own-settings');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Your settings are saved.').waitFor();
    await page.reload();
    await page.getByLabel('Time zone of deadlines').waitFor();
    expect(await page.getByLabel('Time zone of deadlines').inputValue()).toBe('Europe/Berlin');
    expect(await page.getByLabel('New and changed alerts').inputValue()).toBe('daily');
    const token = await service.tokenOf('merchant');
    const { body } = await service.call('/api/v3/users', { token, body: {} });
    expect(body).toMatchObject({ time_zone: 'Europe/Berlin', alert_emails: 'daily' });
    expect(unexpectedOf(errors)).toEqual([]);
  });
});
