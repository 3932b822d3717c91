import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeInBrowser } from '#test/support/browser.ts';
import { findBarriers } from './axe.ts';

/** Tests the barriers that tests of screens report for pages that do have some. */
const show = async (page: Page, body: string) =>
  page.setContent(`<!doctype html><html lang="en"><head><title>A page</title><style>
    :root { color-scheme: light dark; }
    body { background: light-dark(#fff, #000); color: light-dark(#000, #fff); }
    .pale { color: light-dark(#555, #333); }
    .narrow { color: #000; }
    @media (min-width: 600px) { .narrow { color: #ddd; } }
    a { text-decoration: none; color: light-dark(#111, #eee); }
    .unseen { position: absolute; clip-path: inset(50%); }
  </style></head><body><main><h1>A page</h1>${body}</main></body></html>`);

const sorted = async (page: Page) => (await findBarriers(page)).map((one) => one.replace(/: .*: /, ' ')).sort();

const everywhere = (what: string) =>
  ['dark, 1280', 'dark, 320', 'light, 1280', 'light, 320'].map((where) => `${where} pixels ${what}`);

describeInBrowser('what a page keeps people out by', (open) => {
  it('is nothing where there is nothing', async () => {
    const { page } = await open();
    await show(page, '<p>Some words, and <b>others</b>.</p><p class="unseen">Nobody sees this.</p>');
    expect(await findBarriers(page)).toEqual([]);
  });

  it('is named with the width and the theme that it is found in', async () => {
    const { page } = await open();
    await show(page, '<p class="pale">Words</p><p class="narrow">Others</p><img src="data:,"><iframe></iframe>');
    expect(await sorted(page)).toEqual([
      '1280 pixels iframe',
      '1280 pixels img',
      '320 pixels iframe',
      '320 pixels img',
      'dark, 1280 pixels .pale',
      'dark, 320 pixels .pale',
      'light, 1280 pixels .narrow',
    ]);
  });

  it('is found in a text that looked the same where it stood before', async () => {
    const { page } = await open();
    await show(page, '<p>Words</p>');
    expect(await findBarriers(page)).toEqual([]);
    await show(page, '<div style="background: light-dark(#222, #ddd)"><p>Words</p></div>');
    expect(await sorted(page)).toEqual(everywhere('p'));
    await show(page, '<div style="opacity: 0.3"><p>Words</p></div>');
    expect(await sorted(page)).toEqual(everywhere('p'));
    await show(page, '<div id="host"></div>');
    const shadow = '<style>p { color: #777; background: #888 }</style><p>Words</p>';
    await page.evaluate(`document.getElementById('host').attachShadow({ mode: 'open' }).innerHTML = '${shadow}'`);
    expect(await sorted(page)).toEqual(everywhere('#host,p'));
  });

  it('is found each time', async () => {
    const { page } = await open();
    await show(page, '<p class="pale">Words</p>');
    const once = await findBarriers(page);
    expect(once).toHaveLength(2);
    expect(await findBarriers(page)).toEqual(once);
  });

  it('is found in links that only their color tells from the words around them', async () => {
    const { page } = await open();
    await show(page, '<p>Words with <a href="/">a link</a> among them.</p>');
    expect(await sorted(page)).toEqual(everywhere('a'));
  });
});
