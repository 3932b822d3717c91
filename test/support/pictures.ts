import { join } from 'node:path';
import type { Page } from 'playwright-core';

/** `SCREENSHOTS`: a folder for pictures of pages; without it, none are made. */
const folder = process.env['SCREENSHOTS'];

/** Takes pictures of a page on a phone and on a desktop, in both themes. */
export const takePictures = async (page: Page, name: string): Promise<void> => {
  if (folder === undefined) return;
  const before = page.viewportSize();
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.screenshot({ path: join(folder, `${name}-${width}-${colorScheme}.png`) });
    }
  }
  if (before) await page.setViewportSize(before);
};
