import { readFileSync } from 'node:fs';
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

type Violation = { id: string; help: string; nodes: readonly { target: readonly string[] }[] };

const inPage = readFileSync(new URL('axe-in-page.mjs', import.meta.url), 'utf8');
const rulesOfColor = ['color-contrast', 'link-in-text-block'];
/** Every rule but those of color, which a theme changes and nothing else. */
const otherRules = {
  // Half a second for each frame, as none has axe in it that would answer.
  iframes: false,
  resultTypes: ['violations'],
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
  rules: Object.fromEntries(rulesOfColor.map((id) => [id, { enabled: false }])),
};

const worded = (found: readonly Violation[]): string[] =>
  found.map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`);

/** What keeps people out of what a page shows now, by the rules of WCAG 2.2 A and AA. */
const violationsOf = async (page: Page): Promise<string[]> =>
  worded(
    await page.evaluate<Violation[]>(
      `axe.run(document, ${JSON.stringify(otherRules)}).then(({ violations }) => violations)`,
    ),
  );

/** Looks of texts that have contrast enough, whichever page they are on. */
const fitLooks = new Set<string>();

const colorViolationsOf = async (page: Page): Promise<string[]> => {
  const { violations, fit } = await page.evaluate<{ violations: Violation[]; fit: string[] }>(
    `colorBarriers(${JSON.stringify([...fitLooks])})`,
  );
  for (const look of fit) fitLooks.add(look);
  return worded(violations);
};

const overflowOf = (page: Page) =>
  page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth');

/** In an order that changes the theme as seldom as can be: all of the page is styled and drawn anew for it. */
const windows = [
  [320, ['light', 'dark']],
  [1280, ['dark', 'light']],
] as const;

/** Who a page, as it is shown now, keeps out, and by what: in both themes, in a narrow window and in a wide one. */
export const barriersOf = async (page: Page): Promise<string[]> => {
  const found: string[] = [];
  // Half a megabyte, which stays until the page is loaded anew.
  if (await page.evaluate('typeof axe === "undefined"')) await page.evaluate(`${axe.source};{${inPage}}`);
  for (const [width, themes] of windows) {
    await page.setViewportSize({ width, height: 800 });
    // What a page does about its new size it does within a frame.
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
    // What the page's head half covers when it is scrolled counts as too small to be hit.
    await page.evaluate('scrollTo(0, 0)');
    const overflow = await overflowOf(page);
    if (overflow > 0) found.push(`${width} pixels: ${overflow} pixels too wide`);
    found.push(...(await violationsOf(page)).map((one) => `${width} pixels: ${one}`));
    for (const colorScheme of themes) {
      await page.emulateMedia({ colorScheme });
      found.push(...(await colorViolationsOf(page)).map((one) => `${colorScheme}, ${width} pixels: ${one}`));
    }
  }
  return found;
};

export const expectAccessible = async (page: Page): Promise<void> => expect(await barriersOf(page)).toEqual([]);
