import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { endpointAdvice } from '#lib/dashboard/screens/endpoint-advice.ts';
import { describeInBrowser } from '#test/support/browser.ts';
import { takePictures } from '#test/support/pictures.ts';
import { useStack } from '#test/support/stack.ts';
import { expectAccessible } from './axe.ts';
import { openAs } from './people.ts';

const service = await useStack();

const findCard = (page: Page) =>
  page.locator('.card', { has: page.getByRole('heading', { name: 'Test the endpoint' }) });

/** Enters an address for new alerts and tests it. */
const tryOut = async (page: Page, url: string) => {
  await page.getByLabel('New alerts go to').fill(url);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await findCard(page).getByText(url).waitFor();
  await findCard(page).getByRole('button', { name: 'Send a test now' }).click();
};

describeInBrowser('an endpoint that is entered', (open) => {
  it('is tested at once, with its answer and what to change', async () => {
    const { page } = await openAs(
      open,
      service,
      service.credentials.merchant,
      `/dashboard#/settings/${service.credentials.site.sid}`,
    );
    service.sinks.answer('strict', { status: 401 });
    await tryOut(page, service.sinks.url('strict'));
    await findCard(page).getByText('Refused, 401').waitFor();
    await findCard(page).getByText('Compare the token with the one that your endpoint expects.').waitFor();
    await expectAccessible(page);
    await takePictures(page, 'endpoint-test');
    expect(service.sinks.got('strict')[0]?.headers).toHaveProperty('webhook-signature');

    await tryOut(page, service.sinks.url('open'));
    await findCard(page).getByText('Accepted, 200').waitFor();
    await findCard(page)
      .getByText(/after \d+ ms/)
      .waitFor();
    expect(service.sinks.got('open')).toHaveLength(1);

    await tryOut(page, 'http://127.0.0.1:1/hook');
    await findCard(page).getByText('No connection').waitFor();
    await findCard(page).getByText('Check that the server runs').waitFor();
    await findCard(page).getByRole('link', { name: 'The test alert' }).click();
    await page.waitForURL(/#\/alerts\/\d+/);
  });
});

type Case = [attempt: Parameters<typeof endpointAdvice>[0], words: RegExp];
const unsent = [
  'url_refused',
  'address_refused',
  'request_invalid',
  'dns',
  'connect',
  'tls',
  'timeout',
  'reset',
  'protocol',
] as const;
const cases: Case[] = [
  [{ status: 200, error: null }, /accepts alerts/],
  [{ status: 404, error: 'http_status' }, /path/],
  [{ status: 422, error: 'http_status' }, /200 to 299/],
  [{ status: 503, error: 'http_status' }, /log/],
  [{ status: 302, error: 'redirect' }, /redirects/],
  ...unsent.map((error): Case => [{ status: null, error }, /\w+ .+\.$/]),
];

describe('the advice about an endpoint', () => {
  it.each(cases)('names what to change for %j', (attempt, words) => expect(endpointAdvice(attempt)).toMatch(words));
});
