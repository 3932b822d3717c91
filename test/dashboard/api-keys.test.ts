import { expect, it } from 'vitest';
import { describeInBrowser } from '#test/support/browser.ts';
import { takePictures } from '#test/support/pictures.ts';
import { useStack } from '#test/support/stack.ts';
import { findBarriers } from './axe.ts';
import { openAs, signInAs } from './people.ts';

const service = await useStack();

describeInBrowser('the API keys of a merchant', (open) => {
  it('creates a key, shows it once, and revokes it', async () => {
    const { page } = await openAs(open, service);
    await page.goto(`${service.url}/dashboard#/api-keys`);
    await page.getByText('Create a key for each program').waitFor();
    await page.getByRole('button', { name: 'Create a key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Order system');
    await dialog.getByRole('button', { name: 'Create', exact: true }).click();
    await dialog.locator('fieldset .problem').waitFor();
    await dialog.getByLabel('Read alerts').check();
    await dialog.getByLabel('Only from addresses').fill('127.0.0.1/32, ::1, 10.0.0.0/33');
    await dialog.getByRole('button', { name: 'Create', exact: true }).click();
    await dialog.getByText('must be an IP address or a range').first().waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await takePictures(page, 'api-key-new');
    await dialog.getByLabel('Only from addresses').fill('127.0.0.1/32, ::1');
    await dialog.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByRole('dialog', { name: 'Your API key' }).waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await takePictures(page, 'api-key-shown');
    const key = String(await dialog.locator('.code').textContent());
    expect(key).toMatch(/^fwk_\d+_[\w-]{43}$/);
    await dialog.getByRole('button', { name: 'I have copied it' }).click();
    await page.getByRole('table', { name: 'API keys' }).getByText('Order system').waitFor();
    expect(await page.content()).not.toContain(key);
    expect((await service.call('/api/v3/service_alerts/alerts', { token: key, body: {} })).status).toBe(200);
    expect((await service.call('/api/v3/site/list', { token: key, body: {} })).body['code']).toBe('permission_missing');
    expect(await findBarriers(page)).toEqual([]);
    await takePictures(page, 'api-keys');
    await page.getByRole('button', { name: 'Revoke Order system' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke', exact: true }).click();
    await page.getByRole('table').getByText('Revoked').waitFor();
    await service.clock.advance('PT1M');
    const refused = await service.call('/api/v3/service_alerts/alerts', { token: key, body: {} });
    expect(refused.body['code']).toBe('token_revoked');
  });

  it('tells an analyst that managers create them', async () => {
    const { page } = await open();
    const token = await service.tokenOf('merchant');
    const person = { username: 'ann.analyst', name: 'Ann Analyst', role: 'analyst' };
    const { body } = await service.call('/api/v3/users/create', { token, body: person });
    const password = 'correct horse battery';
    const link = String(body['setup_url']).split('token=')[1];
    await service.call('/api/v3/users/password', { body: { token: link, password } });
    await signInAs(page, service, { username: String(body['username']), password });
    await page.goto(`${service.url}/dashboard#/api-keys`);
    await page.getByText('Managers create and revoke API keys.').waitFor();
  });
});
