import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

type Violation = { id: string; help: string; nodes: readonly { target: readonly string[]; failureSummary?: string }[] };

/** What keeps people out of what a page shows now, by the rules of WCAG 2.2 A and AA. */
const violationsOf = async (page: Page): Promise<string[]> => {
  await page.evaluate(axe.source);
  const found = await page.evaluate<Violation[]>(
    `axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] }).then(({ violations }) => violations)`,
  );
  return found.map(
    ({ id, help, nodes }) => `${id}: ${help}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`,
  );
};

const overflowOf = (page: Page) =>
  page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth');

/** Who a page, as it is shown now, keeps out, and by what: in both themes, in a narrow window and in a wide one. */
export const barriersOf = async (page: Page): Promise<string[]> => {
  const found: string[] = [];
  for (const width of [320, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    const overflow = await overflowOf(page);
    if (overflow > 0) found.push(`${width} pixels: ${overflow} pixels too wide`);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      found.push(...(await violationsOf(page)).map((violation) => `${colorScheme}, ${width} pixels: ${violation}`));
    }
  }
  return found;
};

export const expectAccessible = async (page: Page): Promise<void> => expect(await barriersOf(page)).toEqual([]);
