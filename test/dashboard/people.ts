import type { Page } from 'playwright-core';
import type { Open, Opened } from '#test/support/browser.ts';
import type { TestStack } from '#test/support/stack.ts';

/** The users of the dashboard in tests. */

export type Person = { username: string; password: string };

/** Signs in on a page, wherever it is; by default the demo merchant's manager. */
export const signInAs = async (
  page: Page,
  service: TestStack,
  { username, password }: Person = service.credentials.merchant,
  path = '/dashboard',
): Promise<void> => {
  await page.goto(`${service.url}${path}`);
  await page.getByLabel('Username').fill(username);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('navigation', { name: 'Main' }).waitFor();
};

/** Opens a page and signs in there; see signInAs. */
export const openAs = async (open: Open, service: TestStack, person?: Person, path?: string): Promise<Opened> => {
  const opened = await open();
  await signInAs(opened.page, service, person, path);
  return opened;
};

/** The rows of the queue. */
export const queueRows = (page: Page) => page.getByRole('list', { name: /^Alerts:/ }).getByRole('listitem');

/** The number of the alert that a row is about. */
export const alertOfRow = async (row: ReturnType<typeof queueRows>): Promise<string> =>
  String(await row.getAttribute('data-row'));

/** The pane of the open alert, with its answers. */
export const findPane = (page: Page) => page.locator('.pane');

/** Sends the pending answers at once. */
export const sendNow = (page: Page) => page.getByRole('button', { name: 'Send now' }).first().click();

type Disputed = { alert_id: number; amount: string; provider_case_id: string };

/** An alert about one of the payments that the past has made. */
export const disputedAlert = async (service: TestStack, number = 1): Promise<Disputed> => {
  const caseId = `PRESENT${String(number).padStart(18, '0')}`;
  const { body } = await service.call('/api/v3/service_alerts/alerts', {
    token: await service.tokenOf('merchant'),
    body: { status: 'OPEN', size: 200 },
  });
  const list = body['list'] as Disputed[];
  const found = list.find(({ provider_case_id }) => provider_case_id === caseId);
  if (!found) throw new Error('The past has no disputed payment.');
  return found;
};

export const alertDetails = async (service: TestStack, alertId: number | string): Promise<Record<string, unknown>> =>
  (
    await service.call(`/api/v3/service_alerts/alert/${alertId}/details`, {
      token: await service.tokenOf('merchant'),
    })
  ).body;
