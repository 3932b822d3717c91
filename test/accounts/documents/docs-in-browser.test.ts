import * as v from 'valibot';
import { expect, it } from 'vitest';
import { describeInBrowser, findChromium, planRun } from '#test/support/browser.ts';
import { useStack } from '#test/support/stack.ts';

const service = await useStack();

const Document = v.object({
  tags: v.array(v.object({ name: v.string() })),
  paths: v.record(v.string(), v.record(v.string(), v.unknown())),
  webhooks: v.record(v.string(), v.record(v.string(), v.unknown())),
});
const documentAt = async (url: string) => v.parse(Document, await (await fetch(url)).json());
const headingsIn = async (url: string): Promise<string[]> => (await documentAt(url)).tags.map(({ name }) => name);
const operationsIn = async (url: string): Promise<number> => {
  const { paths, webhooks } = await documentAt(url);
  return [...Object.values(paths), ...Object.values(webhooks)].flatMap((path) => Object.keys(path)).length;
};

describeInBrowser('the documentation', (open) => {
  it('shows its pages without any script, and calls no other origin', async () => {
    const { page, provoked } = await open();
    provoked.push(/ERR_FAILED/);
    await page.route('**/*.js', (route) => route.abort());
    await page.goto(`${service.url}/docs`);
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Forewarn documentation');
    await page.getByRole('main').getByRole('link', { name: 'Take payments' }).click();
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Take payments');
  });

  it('finds a section by words, and opens it by keyboard', async () => {
    const { page, errors } = await open();
    await page.goto(`${service.url}/docs/quickstart`);
    await page.keyboard.press('/');
    await page.keyboard.type('idempotency keys');
    await page.locator('.found a').first().waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL('**/docs/errors#idempotency-keys');
    await page.getByLabel('Search the documentation').fill('xyzzyquux');
    await page.getByText('Nothing found for').waitFor();
    expect(errors).toEqual([]);
  });

  it('keeps the chosen language, and fills in the demo merchant', async () => {
    const { page, errors } = await open();
    await page.goto(`${service.url}/docs/quickstart`);
    await page.locator('.tabs label', { hasText: 'PHP' }).first().click();
    expect(await page.locator('.tabs input[value="PHP"]:checked').count()).toBe(await page.locator('.tabs').count());
    await page.reload();
    expect(await page.locator('.tabs input[value="PHP"]').first().isChecked()).toBe(true);
    await page
      .locator('pre', { hasText: service.credentials.payment_site.rcode })
      .first()
      .waitFor({ state: 'attached' });
    expect(await page.locator('pre', { hasText: 'YOUR_' }).count()).toBe(0);
    expect(errors).toEqual([]);
  });

  it.each([320, 390])('fits a screen of %i pixels', async (width) => {
    const { page } = await open();
    await page.setViewportSize({ width, height: 844 });
    for (const name of ['docs', 'docs/quickstart', 'docs/payments', 'docs/error-codes']) {
      await page.goto(`${service.url}/${name}`);
      expect(await page.evaluate('document.documentElement.scrollWidth'), name).toBe(width);
    }
  });
});

describeInBrowser('the API reference', (open) => {
  it('finds an operation, shows how it is called, and calls the service', async () => {
    const { page, errors } = await open();
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.goto(`${service.url}/docs/reference`);
    await page.locator('.opblock-tag-section').first().waitFor({ timeout: 60_000 });
    const headings = await page.locator('.opblock-tag').all();
    const names = await Promise.all(headings.map((heading) => heading.getAttribute('data-tag')));
    expect(names).toEqual(await headingsIn(`${service.url}/openapi.json`));
    expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe('rgb(17, 26, 27)');
    await page.getByPlaceholder('Filter by tag').fill('gettoken');
    await page.locator('.opblock-tag').first().click();
    await page.getByText('/api/v2/index.php/gettoken').first().click();
    await page.getByText('Python', { exact: true }).waitFor();
    const { username, password } = service.credentials.merchant;
    await page.locator('textarea.body-param__text').fill(JSON.stringify({ username, password }));
    await page.getByRole('button', { name: 'Execute' }).click();
    await page.locator('.live-responses-table .response-col_status', { hasText: '200' }).waitFor({ timeout: 30_000 });
    expect(errors).toEqual([]);
  });

  it('fits a phone, whichever operation is open', async () => {
    const { page } = await open();
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(`${service.url}/docs/reference`);
    await page.locator('.opblock-tag').first().waitFor({ timeout: 60_000 });
    await page.locator('.opblock-tag').first().click();
    await page.locator('.opblock').first().click();
    await page.locator('.responses-table').first().waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    const filter = await page.getByPlaceholder('Filter by tag').boundingBox();
    expect(filter?.width, 'the words in the box are not cut off').toBeGreaterThan(300);
    expect(await page.locator('.response-col_links:visible').count()).toBe(0);
    await page.getByText('"code": "request_invalid"').first().waitFor();
    // The content that the page inserts for references still has the names of what they refer to.
    await page.locator('.responses-table').getByRole('tab', { name: 'Schema' }).last().click();
    await page.locator('.json-schema-2020-12__title', { hasText: /^Error$/ }).waitFor();
  });

  it('keeps every heading and operation on the page when all headings are open', async () => {
    const { page, errors } = await open();
    await page.goto(`${service.url}/docs/reference`);
    await page.locator('.opblock-tag').first().waitFor({ timeout: 60_000 });
    const names = await headingsIn(`${service.url}/openapi.json`);
    for (const name of names) await page.locator(`.opblock-tag[data-tag="${name}"]`).click();
    await page
      .locator('.opblock-tag-section.is-open')
      .nth(names.length - 1)
      .waitFor();
    expect(await page.locator('.opblock-tag').count()).toBe(names.length);
    expect(await page.locator('.opblock').count()).toBe(await operationsIn(`${service.url}/openapi.json`));
    expect(errors).toEqual([]);
  });
});

it('has a document that refers to nothing but itself, which the page counts on', async () => {
  const text = await (await fetch(`${service.url}/openapi.json`)).text();
  const references = [...text.matchAll(/"\$ref": ?"([^"]*)"/g)].map(([, reference = '']) => reference);
  expect(references.length).toBeGreaterThan(1000);
  expect(references.filter((reference) => !reference.startsWith('#/components/'))).toEqual([]);
});

it('finds Chromium by setting or PATH, and fails in CI if it is missing', () => {
  expect(findChromium({ CHROMIUM_PATH: '/opt/chromium', PATH: '' })).toBe('/opt/chromium');
  expect(findChromium({ PATH: '/nowhere' })).toBeUndefined();
  expect(planRun('/opt/chromium', { CI: 'true' })).toBe('run');
  expect(planRun(undefined, { CI: 'true' })).toBe('fail');
  expect(planRun(undefined, { CI: 'true', BROWSER_TESTS: 'skip' })).toBe('skip');
  expect(planRun(undefined, {})).toBe('skip');
});
