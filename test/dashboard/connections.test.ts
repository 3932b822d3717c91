import { CreateSecretCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { expect, it, onTestFinished } from 'vitest';
import { milliseconds } from '#core/kernel/clock.ts';
import { describeInBrowser } from '#test/support/browser.ts';
import { startFakeMerchantService } from '#test/support/fake-merchant-service.ts';
import { startFakeStripe } from '#test/support/fake-stripe.ts';
import { takePictures } from '#test/support/pictures.ts';
import { useStack } from '#test/support/stack.ts';
import { useServer } from '#test/support/use-server.ts';
import { findBarriers } from './axe.ts';
import { openAs } from './people.ts';

const service = await useStack();
const shop = await useServer(startFakeMerchantService());

describeInBrowser('the connections of a merchant', (open) => {
  it('connects a service, tests it, imports its past, and shows what follows from that', async () => {
    const now = service.clock.now().getTime();
    for (let n = 0; n < 120; n += 1) {
      const at = now - (n + 25) * milliseconds.day;
      shop.charge({ minor: 2500, at, descriptor: `TEASHOP*${n}`, isChargedBack: n % 12 === 0 });
    }
    const { page } = await openAs(open, service);
    await page.goto(`${service.url}/dashboard#/settings`);
    await page.getByRole('link', { name: 'Connections' }).click();
    await page.getByText('No processor is connected.').waitFor();
    await takePictures(page, 'connections-empty');
    await page.getByRole('button', { name: 'Connect a processor' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Processor').selectOption('http');
    await dialog.getByLabel('Name').fill('Our charges');
    await dialog.getByLabel('Address of your service').fill('http://localhost');
    await dialog.getByLabel('Secret').fill('short');
    await dialog.getByRole('button', { name: 'Connect', exact: true }).click();
    await dialog.getByText('must be whsec_').first().waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await takePictures(page, 'connection-new');
    await dialog.getByLabel('Address of your service').fill(shop.url);
    await dialog.getByLabel('Secret').fill(shop.secret);
    await dialog.getByRole('button', { name: 'Connect', exact: true }).click();
    await page.getByRole('heading', { name: 'Our charges' }).waitFor();
    await page.getByRole('button', { name: 'Test Our charges' }).click();
    await page.getByText('It works').waitFor();
    await page.getByRole('button', { name: 'Import the past year' }).click();
    await page.getByText('Imported', { exact: true }).waitFor();
    await page.getByText('TEASHOP*', { exact: true }).waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await page.getByRole('button', { name: 'Estimate the past year' }).click();
    await page.getByText(/Refund small disputes: 0 chargebacks avoided/).waitFor();
    await page.getByText('What this assumes').click();
    await page.getByText('An alert would have come in time for 60 % of the disputes.').waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await takePictures(page, 'connection-imported');
    await page.getByRole('button', { name: 'Request their enrollment' }).click();
    await page.getByText('The enrollment was requested.').waitFor();
    await page.getByRole('button', { name: 'Remove Our charges' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
    await page.getByText('No processor is connected.').waitFor();
  });

  it('registers the webhooks of a processor that has an API for that', async () => {
    const stripe = await startFakeStripe();
    onTestFinished(() => stripe[Symbol.asyncDispose]());
    const { mid } = service.credentials.site;
    const credentials = { secret_key: stripe.secretKey, base_url: stripe.url };
    const connections = [
      { kind: 'stripe', label: 'The shop', credentials },
      { kind: 'sandbox', label: 'Trial' },
    ];
    const token = await service.tokenOf('merchant');
    await service.call(`/api/v3/merchant/${mid}/connections`, { token, body: { connections } });
    const { page } = await openAs(open, service);
    await page.goto(`${service.url}/dashboard#/connections`);
    await page.getByRole('button', { name: 'Register webhooks of The shop' }).click();
    await page.getByText(/^The shop: /).waitFor();
    await page.getByRole('heading', { name: 'Trial' }).waitFor();
    expect(await page.getByRole('button', { name: 'Register webhooks of Trial' }).count()).toBe(0);
    expect(await findBarriers(page)).toEqual([]);
  });

  it('offers an analyst only the actions of the role', async () => {
    shop.charge({ minor: 2500, at: service.clock.now().getTime() - 30 * milliseconds.day, descriptor: 'COFFEE*1' });
    const token = await service.tokenOf('merchant');
    const place = `/api/v3/merchant/${service.credentials.site.mid}/connections`;
    const credentials = { base_url: shop.url, secret: shop.secret };
    const { body: before } = await service.call(`${place}/details`, { token, body: {} });
    const connections = [{ kind: 'http', label: 'Mine', credentials }];
    const set = await service.call(place, { token, body: { connections, version: before['version'] } });
    const [{ id }] = set.body['connections'] as [{ id: string }];
    await service.call(`${place}/${id}/import`, { token, body: {} });
    const person = { username: 'ann.analyst', name: 'Ann Analyst', role: 'analyst' };
    const { body } = await service.call('/api/v3/users/create', { token, body: person });
    const password = 'correct horse battery';
    const link = String(body['setup_url']).split('token=')[1];
    await service.call('/api/v3/users/password', { body: { token: link, password } });
    const { page } = await openAs(open, service, { username: String(body['username']), password });
    await page.goto(`${service.url}/dashboard#/connections`);
    await page.getByText('COFFEE*', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Estimate the past year' }).waitFor();
    for (const name of ['Request their enrollment', 'Import the past year again', 'Connect a processor']) {
      expect(await page.getByRole('button', { name }).count(), name).toBe(0);
    }
  });

  it('shows a generated secret once', async () => {
    const { page } = await openAs(open, service);
    await page.goto(`${service.url}/dashboard#/connections`);
    await page.getByRole('button', { name: 'Connect a processor' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Processor').selectOption('http');
    await dialog.getByLabel('Address of your service').fill(shop.url);
    await dialog.getByRole('button', { name: 'Connect', exact: true }).click();
    await page.getByRole('dialog', { name: 'The secret of your service' }).waitFor();
    expect(await page.getByRole('dialog').locator('.code').textContent()).toMatch(/^whsec_/);
    expect(await findBarriers(page)).toEqual([]);
  });

  it('connects an account by a sign-in at Stripe, and says so if it is not completed', async () => {
    await using stripe = await startFakeStripe();
    const app = { client_id: stripe.signIns.clientId, secret_key: stripe.secretKey, base_url: stripe.url };
    const Name = process.env['PROCESSOR_APPS_SECRET_ID'];
    const SecretString = JSON.stringify({ stripe: app });
    await new SecretsManagerClient({}).send(new CreateSecretCommand({ Name, SecretString }));
    // Functions keep a secret for five minutes.
    await service.clock.advance('PT6M');
    const { page } = await openAs(open, service);
    await page.goto(`${service.url}/dashboard#/connections`);
    await page.getByRole('button', { name: 'Connect a processor' }).click();
    await page.getByRole('dialog').getByLabel('Processor').selectOption('stripe');
    expect(await findBarriers(page)).toEqual([]);
    await takePictures(page, 'connection-sign-in');
    await page.getByRole('button', { name: 'Sign in at Stripe' }).click();
    await page.getByText('Stripe: connected.').waitFor();
    await page.getByText(stripe.signIns.account).waitFor();
    expect(new URL(page.url()).search).toBe('');
    await page.getByRole('button', { name: 'Test Stripe' }).click();
    await page.getByText('It works').waitFor();
    await page.goto(`${service.url}/dashboard?state=connection.stripe.1&error=access_denied`);
    await page.getByText('Stripe was not connected: the sign-in was not completed.').waitFor();
  });
});
