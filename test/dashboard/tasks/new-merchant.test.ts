import type { Locator, Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { describeInBrowser } from '#test/support/browser.ts';
import { takePictures } from '#test/support/pictures.ts';
import { useStack } from '#test/support/stack.ts';
import { expectAccessible } from '../axe.ts';
import { sendNow, signInAs } from '../people.ts';

/** The first hour of a merchant: from an empty tenant to the first answered test alert. */
const service = await useStack();
let admin: string;
let mid: number;
const manager = { username: 'nora', password: 'correct horse battery' };
beforeAll(async () => {
  admin = await service.tokenOf('admin');
  const call = async (path: string, body: object) => (await service.call(path, { token: admin, body })).body;
  mid = Number((await call('/api/v3/merchant/create', { name: 'Tern & Vale', alerts: true }))['mid']);
  const person = { username: manager.username, name: 'Nora New', role: 'manager', mid };
  const link = String((await call('/api/v3/users/create', person))['setup_url']).split('token=')[1];
  await service.call('/api/v3/users/password', { body: { token: link, password: manager.password } });
});

/** Records that the networks have enrolled the descriptor, as an operator does. */
const confirmEnrollment = async (descriptor: string): Promise<void> => {
  const body = { mid: [mid], offset: 0, size: 10 };
  const list = await service.call('/api/v3/service_alerts/descriptor_enrollments', { token: admin, body });
  const [request] = list.body['list'] as { enrollment_request_id: number }[];
  for (const provider of ['provider_a', 'provider_b']) {
    const path = `/api/v3/service_alerts/descriptor_enrollment/${request?.enrollment_request_id}/item`;
    const item = { provider, descriptor, status: 'ENROLLED' };
    expect((await service.call(path, { token: admin, body: item })).status).toBe(200);
  }
};

/** Most clicks that the way may take: two seconds each are a minute, which leaves four to read and type. */
const clicksAtMost = 30;

describeInBrowser('a new merchant', (open) => {
  it('answers its first test alert after a few clicks', async () => {
    const { page } = await open();
    let clicks = 0;
    const click = async (what: Locator) => {
      clicks += 1;
      await what.click();
    };
    const home = async (done: number) => {
      await click(page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Home' }));
      await page.getByRole('heading', { name: `First steps, ${done} of 7 done` }).waitFor();
    };
    const button = (name: string, within: Page | Locator = page) => within.getByRole('button', { name, exact: true });
    const dialog = page.getByRole('dialog');
    await signInAs(page, service, manager);
    await page.getByRole('heading', { name: 'First steps, 0 of 7 done' }).waitFor();
    await takePictures(page, 'first-steps');

    await click(page.getByRole('link', { name: 'Create a site for alerts' }));
    await click(button('New site'));
    await dialog.getByLabel('Name', { exact: true }).fill('Vale Online');
    await dialog.getByLabel('Name of the retailer').fill('Vale');
    await click(button('Create the site'));
    await click(button('I have saved them'));
    await click(button('Use it for alerts'));
    await click(button('Use it for alerts', dialog));
    await page.getByLabel('New alerts go to').fill(service.sinks.url('vale'));
    await click(button('Save'));
    await page.getByText('The settings are saved.').waitFor();
    // Before the networks have enrolled anything, which takes days.
    await click(button('Send a test now'));
    await page.getByText(/Accepted, 200/).waitFor();

    await home(3);
    await click(page.getByRole('link', { name: 'Enroll a descriptor' }));
    await click(button('Enroll a descriptor'));
    await dialog.getByLabel('Descriptor').fill('TERN VALE');
    await expectAccessible(page);
    await takePictures(page, 'first-enrollment');
    await click(button('Request it', dialog));
    await dialog.waitFor({ state: 'detached' });
    await confirmEnrollment('TERN VALE');

    await home(4);
    await expectAccessible(page);
    await takePictures(page, 'first-steps-test');
    await click(page.getByRole('link', { name: 'Send a test alert' }));
    await dialog.getByLabel('Goes to').selectOption({ label: 'The descriptor TERN VALE' });
    await dialog.getByLabel('Amount').fill('12.50');
    await click(button('Send it', dialog));
    await page.getByRole('heading', { name: 'Notifications' }).waitFor();
    const alertId = /alerts\/(\d+)/.exec(page.url())?.[1] ?? '';
    await service.untilIdle();
    await page.reload();
    // The answer of the endpoint is next to the alert.
    await page.getByText(/Accepted, 200/).waitFor();
    expect(service.sinks.got('vale')).toHaveLength(2);
    await takePictures(page, 'first-alert');

    await click(page.getByRole('button', { name: 'Decline with evidence…' }));
    await dialog.getByLabel('Reason').selectOption('902.002');
    await click(button('Send the answer'));
    await sendNow(page);
    await expect.poll(async () => status(alertId), { timeout: 20_000 }).toBe('DECLINED');

    await click(page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Home' }));
    await page.getByRole('heading', { level: 1, name: /due within six hours/ }).waitFor();
    await page.getByRole('heading', { name: /^First steps/ }).waitFor({ state: 'detached' });
    expect(clicks).toBeLessThanOrEqual(clicksAtMost);
  });
});

const status = async (alertId: string): Promise<unknown> => {
  const path = `/api/v3/service_alerts/alert/${alertId}/details`;
  return (await service.call(path, { token: admin })).body['status'];
};
