import * as v from 'valibot';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeInBrowser, findChromium, planOf } from '../support/browser.ts';
import { startStack, type TestStack } from '../support/stack.ts';

let service: TestStack;
beforeAll(async () => {
  service = await startStack();
});
afterAll(() => service.stop());

const Document = v.object({ paths: v.record(v.string(), v.record(v.string(), v.object({ summary: v.string() }))) });
const summariesIn = async (url: string): Promise<string[]> => {
  const { paths } = v.parse(Document, await (await fetch(url)).json());
  return Object.values(paths).flatMap((methods) => Object.values(methods).map(({ summary }) => summary));
};

describeInBrowser('GET /docs', (open) => {
  it('shows every operation, and asks nobody but the service', async () => {
    const { page, outside, errors } = await open();
    await page.goto(`${service.url}/docs`);
    const summaries = await summariesIn(`${service.url}/openapi.json`);
    expect(summaries.length).toBeGreaterThan(50);
    await page.getByRole('heading', { name: summaries.at(-1) ?? '' }).waitFor();
    const text = await page.locator('body').textContent();
    expect(summaries.filter((summary) => !text?.includes(summary))).toEqual([]);
    // Redoc would show its maker's logo, from its maker's server: the page's policy does not let it ask.
    const unexpected = errors.filter((error) => !error.includes("'https://cdn.redoc.ly/redoc/logo-mini.svg' violates"));
    expect([outside, unexpected]).toEqual([[], []]);
  });
});

it('is found where it is named or on the PATH, and missed aloud', () => {
  expect(findChromium({ CHROMIUM_PATH: '/opt/chromium', PATH: '' })).toBe('/opt/chromium');
  expect(findChromium({ PATH: '/nowhere' })).toBeUndefined();
  expect(planOf('/opt/chromium', { CI: 'true' })).toBe('run');
  expect(planOf(undefined, { CI: 'true' })).toBe('fail');
  expect(planOf(undefined, { CI: 'true', BROWSER_TESTS: 'skip' })).toBe('skip');
  expect(planOf(undefined, {})).toBe('skip');
});
