import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeInBrowser } from '../support/browser.ts';
import { startStack, type TestStack } from '../support/stack.ts';

let service: TestStack;
beforeAll(async () => {
  service = await startStack();
});
afterAll(() => service.stop());

describeInBrowser('the dashboard', (open) => {
  it('lets a person in who has the password, and nobody else', async () => {
    const { page, outside, errors } = await open();
    await page.goto(`${service.url}/`);
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    const { username, password } = service.credentials.merchant;
    await page.getByLabel('Username').fill(username);
    await page.getByLabel('Password', { exact: true }).fill('not the password');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('Wrong username or password').waitFor();
    expect(await page.getByLabel('Username').inputValue()).toBe(username);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Help' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/dashboard');
    const refusals = errors.filter((error) => !error.includes('401 (Unauthorized)'));
    expect([outside, refusals]).toEqual([[], []]);
  });
});
