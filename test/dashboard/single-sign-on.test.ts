import { expect, it } from 'vitest';
import { describeInBrowser } from '#test/support/browser.ts';
import { takePictures } from '#test/support/pictures.ts';
import { useStack } from '#test/support/stack.ts';
import { findBarriers } from './axe.ts';
import { signInAs } from './people.ts';

const service = await useStack();

describeInBrowser('single sign-on', (open) => {
  it('is set up by a manager, and signs their people in at the test issuer', async () => {
    const { mid } = service.credentials.site;
    const manager = await open();
    await signInAs(manager.page, service);
    await manager.page.goto(`${service.url}/dashboard#/single-sign-on`);
    const form = manager.page.locator('form');
    await form.getByLabel('Issuer').fill(`${service.url}/_local/oidc`);
    await form.getByLabel('Client ID').fill('forewarn');
    await form.getByLabel('Client secret').fill('test-issuer-secret');
    await form.getByLabel('E-mail domains').fill('demo.example');
    await form.getByLabel('Groups of managers').fill('forewarn-managers');
    expect(await findBarriers(manager.page)).toEqual([]);
    await takePictures(manager.page, 'sso-settings');
    await form.getByRole('button', { name: 'Save' }).click();
    await manager.page.getByText('Single sign-on was saved.').waitFor();

    const { page } = await open();
    await page.goto(`${service.url}/dashboard?sso=${mid}`);
    await page.getByLabel('Merchant number').waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await takePictures(page, 'sso-sign-in');
    await page.getByRole('button', { name: 'Go to your identity provider' }).click();
    await page.getByRole('heading', { name: 'Test issuer' }).waitFor();
    await takePictures(page, 'sso-issuer');
    await page.getByRole('link', { name: 'Mia Manager' }).click();
    await page.getByRole('navigation', { name: 'Main' }).waitFor();
    await page.getByText('Mia Manager').first().waitFor();
    expect(new URL(page.url()).search).toBe('');
    await page.reload();
    await page.getByRole('navigation', { name: 'Main' }).waitFor();
  });

  it('has a person confirm at the issuer that it is them, and returns to the screen', async () => {
    const { page } = await open();
    await page.goto(`${service.url}/dashboard?sso=${service.credentials.site.mid}`);
    await page.getByRole('button', { name: 'Go to your identity provider' }).click();
    await page.getByRole('link', { name: 'Sam Stale' }).click();
    await page.getByRole('navigation', { name: 'Main' }).waitFor();
    await page.goto(`${service.url}/dashboard#/single-sign-on`);
    await page.getByRole('button', { name: 'Save' }).click();
    const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' });
    expect(await findBarriers(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Continue at your identity provider' }).click();
    await page.getByRole('link', { name: 'Sam Stale' }).click();
    await page.getByRole('heading', { name: 'Single sign-on' }).waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Single sign-on was saved.').waitFor();
  });

  it('signs an operator in at the test issuer, and has them confirm there that it is them', async () => {
    const { page } = await open();
    await page.goto(`${service.url}/dashboard`);
    await page.getByRole('button', { name: 'Use single sign-on' }).click();
    await page.getByRole('button', { name: 'Sign in as an operator of this service' }).click();
    await page.getByRole('link', { name: 'Oren Operator' }).click();
    await page.getByRole('navigation', { name: 'Main' }).waitFor();
    await page.getByText('Oren Operator').first().waitFor();
    await page.goto(`${service.url}/dashboard#/users`);
    await page.getByRole('button', { name: /All merchants/ }).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /Demo Merchant/ })
      .click();
    const add = async () => {
      await page.getByRole('button', { name: 'Add a user' }).click();
      const form = page.getByRole('dialog', { name: 'Add a user' });
      await form.getByLabel('Username').fill('added');
      await form.getByLabel('Name', { exact: true }).fill('Ada Added');
      await form.getByRole('button', { name: 'Add' }).click();
    };
    await add();
    const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' });
    await dialog.getByRole('button', { name: 'Continue at your identity provider' }).click();
    await page.getByRole('link', { name: 'Oren Operator' }).click();
    await page.getByRole('heading', { level: 1, name: 'Users' }).waitFor();
    await add();
    await page.getByRole('dialog', { name: 'Link to set their password' }).waitFor();
  });

  it('asks operators for no merchant behind their link, and refuses merchants’ people there', async () => {
    const { page } = await open();
    await page.goto(`${service.url}/dashboard?sso=operators`);
    const button = page.getByRole('button', { name: 'Sign in as an operator of this service' });
    await button.waitFor();
    expect(await page.getByLabel('Merchant number').count()).toBe(0);
    expect(await findBarriers(page)).toEqual([]);
    await takePictures(page, 'sso-operators');
    await button.click();
    await page.getByRole('link', { name: 'Mia Manager' }).click();
    await page.getByText('of a domain that is not admitted here').waitFor();
  });

  it('gives the reason when it refuses a person', async () => {
    const { page } = await open();
    await page.goto(`${service.url}/dashboard`);
    await page.getByRole('button', { name: 'Use single sign-on' }).click();
    await page.getByLabel('Merchant number').fill('999999');
    await page.getByRole('button', { name: 'Go to your identity provider' }).click();
    await page.getByText('this merchant has no single sign-on').waitFor();
    await page.getByLabel('Merchant number').fill(String(service.credentials.site.mid));
    await page.getByRole('button', { name: 'Go to your identity provider' }).click();
    await page.getByRole('link', { name: 'Eve Elsewhere' }).click();
    await page.getByText('of a domain that is not admitted here').waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await takePictures(page, 'sso-refused');
  });
});
