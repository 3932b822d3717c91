import { expect, it } from 'vitest';
import { describeInBrowser } from '#test/support/browser.ts';
import { takePictures } from '#test/support/pictures.ts';
import { useStack } from '#test/support/stack.ts';
import { expectAccessible } from './axe.ts';
import { openAs } from './people.ts';

const service = await useStack();

describeInBrowser('an operator', (open) => {
  it('creates a merchant with a retailer and a site for alerts', async () => {
    const { page } = await openAs(open, service, service.credentials.admin, '/dashboard#/settings');
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
    expect(await page.getByRole('button', { name: 'New site' }).count()).toBe(0);
    await page.getByRole('button', { name: 'New merchant' }).click();
    await page.getByLabel('Name').fill('Tern & Vale');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Create the merchant' }).click();
    await page.getByText('Tern & Vale was created. Create its first site next.').waitFor();
    await page.getByText('Create the first one.').waitFor();
    await page.getByRole('button', { name: 'New site' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Vale Online');
    await page.getByLabel('Name of the retailer').fill('Vale');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Create the site' }).click();
    await page.getByRole('heading', { name: 'The site was created' }).waitFor();
    await expectAccessible(page);
    await takePictures(page, 'site-created');
    await page.getByRole('button', { name: 'I have saved them' }).click();
    await page.getByRole('heading', { level: 1, name: 'Vale Online' }).waitFor();
    await page.getByRole('button', { name: 'Use it for alerts' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Use it for alerts' }).click();
    await page.getByLabel('New alerts go to').waitFor();
    const token = await service.tokenOf('admin');
    const { body } = await service.call('/api/v3/site/list', { token, body: { size: 100 } });
    expect(body['list']).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          name: 'Vale Online',
          type: 'alert',
          retailer_name: 'Vale',
          merchant_name: 'Tern & Vale',
        }),
      ]),
    );
  });

  it('is the only one who sees the button for merchants', async () => {
    const { page } = await openAs(open, service, service.credentials.merchant, '/dashboard#/settings');
    await page.getByRole('button', { name: 'New site' }).waitFor();
    expect(await page.getByRole('button', { name: 'New merchant' }).count()).toBe(0);
  });
});
