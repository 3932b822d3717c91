import { expect, it } from 'vitest';
import { describeInBrowser } from '#test/support/browser.ts';
import { providerAAlert, sendSigned } from '#test/support/personas.ts';
import { takePictures } from '#test/support/pictures.ts';
import { useStack } from '#test/support/stack.ts';
import { expectAccessible } from '../axe.ts';
import { openAs } from '../people.ts';

/** An operator's round: what fails at networks, processors and endpoints, and the way to mend it. */
const service = await useStack({ withPast: true });

describeInBrowser('an operator', (open) => {
  it('finds a failing endpoint, a processor and a message that could not be read, and mends each', async () => {
    const token = await service.tokenOf('admin');
    const alertapiurl = service.sinks.url('down');
    service.sinks.answer('down', { status: 503 });
    await service.call('/api/v3/site/mid/1/rid/1/sid/1/alert', { token, body: { alertapiurl } });
    await sendSigned(service, 'provider_a', providerAAlert(service));
    expect((await sendSigned(service, 'provider_a', { strange: true })).status).toBe(400);
    expect(
      (
        await sendSigned(
          service,
          'provider_a',
          providerAAlert(service, { amount: { value: 'many', currencyCode: 'USD' } }),
        )
      ).status,
    ).toBe(400);
    await service.untilIdle();
    const connections = [{ kind: 'sandbox', label: 'Sandbox of the shop', sids: null }];
    await service.call('/api/v3/merchant/1/connections', { token, body: { connections } });

    const { page, errors } = await openAs(open, service, service.credentials.admin, '/dashboard#/admin/merchants');
    const demo = () => page.getByRole('table', { name: 'Merchants' }).getByRole('row', { name: /^Demo/ });
    await demo().getByText('Endpoint fails').waitFor();
    await page.getByRole('link', { name: 'Status' }).click();
    const part = (name: string) => page.getByRole('region', { name, exact: true });
    await part('Endpoints of merchants')
      .getByText(/503, since/)
      .waitFor();
    await part('Networks').getByText('seen').first().waitFor();
    await part('Networks')
      .getByText(/^\d+ of the newest \d+ answers accepted, \d+%/)
      .first()
      .waitFor();
    await part('Processors').getByRole('button', { name: 'Test all' }).click();
    await part('Processors').getByText('It works').first().waitFor();
    await expectAccessible(page);
    await takePictures(page, 'status');
    for (let one = 1; one <= 50; one += 1) {
      await service.call('/api/v3/merchant/create', { token, body: { name: `Merchant ${one}` } });
    }
    // The one whose amount is no number becomes an alert; the other is none.
    const message = (problem: RegExp) => part('Networks').getByRole('listitem').filter({ hasText: problem });
    await message(/amount\.value: /)
      .getByRole('button', { name: 'Correct …' })
      .click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('amount.value', { exact: true }).waitFor();
    await expectAccessible(page);
    await takePictures(page, 'quarantined');
    await dialog.getByRole('button', { name: 'Send it in again' }).click();
    await dialog.getByRole('alert').waitFor();
    await dialog.getByLabel('amount.value', { exact: true }).fill('361.56');
    await dialog.getByRole('button', { name: 'Send it in again' }).click();
    await page.getByText('The message is accepted.').waitFor();
    await page.waitForURL(/#\/alerts\/\d+$/);
    await page.goBack();
    await part('Networks').getByRole('button', { name: 'Dismiss …' }).click();
    await page.getByLabel('Reason').fill('No alert');
    await expectAccessible(page);
    await page.getByRole('dialog').getByRole('button', { name: 'Dismiss', exact: true }).click();
    await page.getByText('The message is dismissed.').waitFor();
    await part('Networks').getByText('could not be read').waitFor({ state: 'detached' });
    await part('Processors').getByText('Only the newest 50 merchants').waitFor();
    await part('Endpoints of merchants')
      .getByRole('link', { name: /notifications? failed/ })
      .click();
    const deliveries = page.getByRole('table', { name: 'Deliveries' }).getByRole('row');
    await deliveries.nth(1).waitFor();
    expect(page.url()).toContain('state=FAILED');
    await deliveries.filter({ hasText: /Delivered|Cancelled/ }).waitFor({ state: 'detached' });
    await page.getByRole('heading', { level: 1, name: 'The endpoint of 1 site fails' }).waitFor();
    const home = () => page.getByRole('region', { name: 'Connections' });
    await page.goto(page.url().replace(/#.*/, '#/'));
    await home()
      .getByRole('link', { name: /notifications? failed/ })
      .waitFor();

    // The endpoint accepts the next one: no screen calls it failing, although the first still waits for its next attempt.
    service.sinks.answer('down', { status: 200 });
    await sendSigned(service, 'provider_a', providerAAlert(service));
    await service.untilIdle();
    await page.reload();
    await home().getByText('None fails.').waitFor();
    // As it is once that one is given up.
    await page.route('**/api/v3/notifications/list', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, body: (await response.text()).replaceAll('"PENDING"', '"EXPIRED"') });
    });
    for (const [path, well] of [
      ['deliveries', 'No endpoint fails'],
      ['admin/status', 'None fails.'],
    ]) {
      await page.goto(page.url().replace(/#.*/, `#/${path}`));
      await page.getByText(String(well)).waitFor();
      await page.getByRole('link', { name: /^\d+ notifications? w.+ not delivered$/ }).waitFor();
    }
    await page.getByRole('link', { name: 'Merchants' }).last().click();
    await page.getByRole('button', { name: 'Next page' }).click();
    await demo().getByText('Well').waitFor();
    // The correction that still lacked a number.
    expect(errors).toEqual([expect.stringContaining('status of 400')]);
  });
});
