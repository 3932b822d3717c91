import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

type Violation = { id: string; help: string; nodes: readonly { target: readonly string[] }[] };

// Half as long as the other, which every page would have to read.
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const inPage = readFileSync(new URL('axe-in-page.mjs', import.meta.url), 'utf8');

const worded = ({ id, help, nodes }: Violation): string =>
  `${id}: ${help}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`;

/** The rules that a theme affects. */
const rulesOfColor = ['color-contrast', 'link-in-text-block'];

/** Looks of texts that have contrast enough, whichever page they are on. */
const fitLooks = new Set<string>();

/** Returns the barriers of a page by the rules of WCAG 2.2 A and AA; in the same window, by those of color. */
const findViolations = async (page: Page, isNewWindow: boolean): Promise<Violation[]> => {
  const { violations, fit } = await page.evaluate<{ violations: Violation[]; fit: string[] }>(
    `findBarriers(${JSON.stringify([...fitLooks])}, ${isNewWindow})`,
  );
  for (const look of fit) fitLooks.add(look);
  return violations;
};

/** A page adapts to its new size within a frame; what its header half covers after scrolling counts as too small to be hit. */
const measureOverflow = (page: Page) =>
  page.evaluate<number>(`new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))).then(() => {
    scrollTo(0, 0);
    return document.documentElement.scrollWidth - document.documentElement.clientWidth;
  })`);

/** In an order that changes the theme as seldom as possible: each change styles and draws the whole page again. */
const narrowFirst = [
  [320, ['light', 'dark']],
  [1280, ['dark', 'light']],
] as const;
const wideFirst = [
  [1280, ['light', 'dark']],
  [320, ['dark', 'light']],
] as const;

/** Begins with the window that there is, and stays in the other: half as many windows for who looks at one page after the other. */
export const barriersFromHere = (page: Page): Promise<string[]> =>
  findBarriers(page, page.viewportSize()?.width === 1280 ? wideFirst : narrowFirst);

/** Returns the barriers of a page as it is shown now: in both themes, in a narrow window and in a wide one, where it stays. */
export const findBarriers = async (
  page: Page,
  windows: typeof narrowFirst | typeof wideFirst = narrowFirst,
): Promise<string[]> => {
  const found: string[] = [];
  // It stays until the page is reloaded.
  if (await page.evaluate('typeof axe === "undefined"')) await page.evaluate(`${axe};{${inPage}}`);
  for (const [width, themes] of windows) {
    await page.setViewportSize({ width, height: 800 });
    const overflow = await measureOverflow(page);
    if (overflow > 0) found.push(`${width} pixels: ${overflow} pixels too wide`);
    for (const [n, colorScheme] of themes.entries()) {
      await page.emulateMedia({ colorScheme });
      for (const violation of await findViolations(page, n === 0)) {
        const where = rulesOfColor.includes(violation.id) ? `${colorScheme}, ${width} pixels` : `${width} pixels`;
        found.push(`${where}: ${worded(violation)}`);
      }
    }
  }
  return found;
};

export const expectAccessible = async (page: Page): Promise<void> => expect(await findBarriers(page)).toEqual([]);
