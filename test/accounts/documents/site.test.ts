import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { sitePages, siteSources } from '#accounts/documents/site/catalog.ts';
import { siteFileNames } from '#accounts/documents/site/documentation.ts';
import type { SitePlace } from '#accounts/documents/site/layout.ts';
import { renderMarkdown, siteLinkOf } from '#accounts/documents/site/markdown.ts';
import { operations } from '#functions/operations.ts';
import { llmsText } from '#lib/openapi/llms-text.ts';
import { useStack } from '#test/support/stack.ts';
import { getPage } from './get-page.ts';

const service = await useStack();

const get = (path: string) => getPage(`${service.url}${path}`);
const served: SitePlace = { base: '', extension: '', home: '../docs', dashboard: '../dashboard' };

const listLinks = (html: string): string[] =>
  [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address = '']) => address.replaceAll('&amp;', '&'));
const listIds = (html: string): string[] => [...html.matchAll(/\bid="([^"]+)"/g)].map(([, id = '']) => id);

const addresses = ['/docs', ...siteFileNames(served).map((name) => `/docs/${name}`)];

describe('the documentation site', () => {
  it.each(addresses)('serves %s from its own origin only', async (address) => {
    const { status, type, policy, text } = await get(address);
    expect(status).toBe(200);
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/https?:/);
    if (type?.startsWith('text/html')) expect(text).toMatch(/<h1[ >]/);
  });

  it('has no link without a page, section or file behind it', async () => {
    const pages = new Map<string, string>();
    const pageAt = async (url: string): Promise<string | undefined> => {
      const known = pages.get(url);
      if (known !== undefined) return known;
      const { status, text } = await get(url);
      if (status !== 200) return undefined;
      pages.set(url, text);
      return text;
    };
    const broken: string[] = [];
    for (const address of ['/docs', ...sitePages.map(({ slug }) => `/docs/${slug}`), '/docs/reference']) {
      const html = (await pageAt(address)) ?? '';
      for (const link of listLinks(html)) {
        const { origin, pathname, hash } = new URL(link, `${service.url}${address}`);
        if (origin !== service.url || pathname.startsWith('/_local/')) continue;
        const target = await pageAt(pathname);
        const isFound =
          target !== undefined && (hash === '' || listIds(target).includes(decodeURIComponent(hash.slice(1))));
        if (!isFound) broken.push(`${address}: ${link}`);
      }
    }
    expect(broken).toEqual([]);
  });

  it('has a page for every guide', () => {
    const files = readdirSync('docs/guides').filter((name) => name.endsWith('.md') && name !== 'README.md');
    const guides = sitePages.flatMap(({ file }) =>
      file.startsWith('docs/guides/') ? [file.slice('docs/guides/'.length)] : [],
    );
    expect(guides.sort()).toEqual(files.sort());
  });

  it('finds sections by their words', async () => {
    const { type, text } = await get('/docs/search.json');
    expect(type).toBe('application/json; charset=utf-8');
    const entries = JSON.parse(text) as { href: string; page: string; heading: string; text: string }[];
    expect(entries.find(({ heading }) => heading === 'Verify it')).toMatchObject({
      href: 'receive-alerts#verify-it',
      page: 'Receive alerts',
      text: expect.stringContaining('webhook-signature'),
    });
    expect(entries.filter(({ href }) => href.endsWith('#undefined'))).toEqual([]);
  });

  it('serves each page as Markdown, as it is in the repository', async () => {
    const { type, text } = await get('/docs/receive-alerts.md');
    expect(type).toBe('text/plain; charset=utf-8');
    expect(text).toBe(readFileSync('docs/guides/receive-alerts.md', 'utf8'));
  });

  it('describes API, webhooks, commands and pages to language models', async () => {
    const { text } = await get('/docs/llms.txt');
    expect(text).toBe(llmsText(operations, readFileSync('docs/cli.md', 'utf8')));
    expect(text).toContain('`POST /api/v3/service_alerts/alerts`: List alerts (token, or API key with `alerts:read`)');
    expect(text).toContain('- `new_alert`: A new alert');
    expect(text).toContain('- `npm run trigger -- fraud 12.00`: ');
    expect((await get('/docs')).text).toContain('llms.txt');
    for (const { slug, title } of sitePages) expect(text).toContain(`[${title}](${slug}.md)`);
  });

  it('serves nothing else, and compresses what it serves', async () => {
    expect((await get('/docs/package.json')).status).toBe(404);
    const plain = await fetch(`${service.url}/docs/docs.css`, { headers: { 'accept-encoding': 'identity' } });
    expect([plain.headers.get('content-type'), plain.headers.get('content-encoding')]).toEqual([
      'text/css; charset=utf-8',
      null,
    ]);
    expect(Object.keys(siteSources)).toContain('docs.css');
  });
});

describe('the static copy of the site', () => {
  it('has every page and file, and links only among them', async () => {
    const out = mkdtempSync(join(tmpdir(), 'site-'));
    const { stdout } = await promisify(execFile)(process.execPath, ['bin/docs.ts', '--out', out, '--json']);
    const files = readdirSync(out);
    expect(JSON.parse(stdout).files.toSorted()).toEqual(files.toSorted());
    for (const name of [...siteFileNames({ ...served, extension: '.html' }), 'index.html', 'openapi.json'])
      expect(files).toContain(name);
    const broken = files
      .filter((name) => name.endsWith('.html'))
      .flatMap((name) => listLinks(readFileSync(join(out, name), 'utf8')).map((link) => `${name}: ${link}`))
      .filter(
        (line) =>
          !/: (?:https?:|data:|mailto:|#)/.test(line) && !files.includes(line.replace(/^.*: /, '').replace(/#.*/, '')),
      );
    expect(broken).toEqual([]);
  });
});

describe('a page written in Markdown', () => {
  const render = (text: string) => renderMarkdown(text, { file: 'docs/guides/x.md', extension: '' });

  it('gives headings the ids that GitHub gives them, also for equal headings', () => {
    const { headings } = render('# One `two`: *three*\n\n## Again\n\n## Again');
    expect(headings.map(({ id }) => id)).toEqual(['one-two-three', 'again', 'again-1']);
  });

  it('joins blocks of code with tabs into one group, of which the first is shown', () => {
    const { html } = render('```sh tab=curl\na\n```\n\n```js tab=Node\nb\n```\n\n```output\nc\n```');
    expect(html.match(/type="radio"/g)).toHaveLength(2);
    expect(html.match(/ checked/g)).toHaveLength(1);
    expect(html).toContain('<p class="output">Output</p>');
  });

  it('escapes code', () => expect(render('```\n<b>&\n```').html).toContain('&lt;b&gt;&amp;'));

  it.each([
    ['receive-alerts.md#verify-it', 'receive-alerts.html#verify-it'],
    ['../three-ds.md', 'three-ds.html'],
    ['receivers/receiver.py', 'receiver.py'],
    ['https://example.com/a', 'https://example.com/a'],
    ['#here', '#here'],
    ['../../functions/operations.ts', undefined],
  ])('leads %s to %s', (href, target) => expect(siteLinkOf(href, 'docs/guides/x.md', '.html')).toBe(target));

  it('to the local stack leads to the service that serves the page', () => {
    const dashboard = 'http://127.0.0.1:3000/dashboard';
    expect(siteLinkOf(dashboard, 'docs/quickstart.md', '')).toBe('../dashboard');
    expect(siteLinkOf(dashboard, 'docs/quickstart.md', '.html')).toBe(dashboard);
  });
});
