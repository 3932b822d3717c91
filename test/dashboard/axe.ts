import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

type Violation = { id: string; help: string; nodes: readonly { target: readonly string[]; failureSummary?: string }[] };

const everyRule = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** A theme changes colors and nothing else. */
const rulesOfColor = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] };

/** What keeps people out of what a page shows now, by the rules of WCAG 2.2 A and AA. */
const violationsOf = async (page: Page, runOnly: object): Promise<string[]> => {
  // Half a megabyte, which stays until the page is loaded anew.
  if (await page.evaluate('typeof axe === "undefined"')) await page.evaluate(axe.source);
  const options = JSON.stringify({ runOnly, resultTypes: ['violations'] });
  const found = await page.evaluate<Violation[]>(`axe.run(document, ${options}).then(({ violations }) => violations)`);
  return found.map(
    ({ id, help, nodes }) => `${id}: ${help}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`,
  );
};

const overflowOf = (page: Page) =>
  page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth');

const themes = [
  ['light', everyRule],
  ['dark', rulesOfColor],
] as const;

/** Who a page, as it is shown now, keeps out, and by what: in both themes, in a narrow window and in a wide one. */
export const barriersOf = async (page: Page): Promise<string[]> => {
  const found: string[] = [];
  for (const width of [320, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    // What a page does about its new size it does within a frame.
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
    // What the page's head half covers when it is scrolled counts as too small to be hit.
    await page.evaluate('scrollTo(0, 0)');
    const overflow = await overflowOf(page);
    if (overflow > 0) found.push(`${width} pixels: ${overflow} pixels too wide`);
    for (const [colorScheme, rules] of themes) {
      await page.emulateMedia({ colorScheme });
      found.push(...(await violationsOf(page, rules)).map((one) => `${colorScheme}, ${width} pixels: ${one}`));
    }
  }
  return found;
};

export const expectAccessible = async (page: Page): Promise<void> => expect(await barriersOf(page)).toEqual([]);
