import { type SitePage, sitePages, siteSources } from './catalog.ts';
import { renderFrontPage } from './front-page.ts';
import { renderSitePage, type SitePlace } from './layout.ts';
import { renderMarkdown } from './markdown.ts';
import { searchEntriesOf, searchEntriesOfOperations } from './search-index.ts';

/** Reads a source of the site by its name: `<slug>.md`, a script, a style or a download. */
export type ReadFile = (name: string) => Promise<string>;

const types: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json; charset=utf-8',
};
const contentTypeOf = (name: string): string => types[name.split('.').at(-1) ?? ''] ?? 'text/plain; charset=utf-8';

const referenceName = ({ extension }: SitePlace): string => `reference${extension}`;
const pageNamed = (name: string, { extension }: SitePlace): SitePage | undefined =>
  sitePages.find(({ slug }) => name === `${slug}${extension}`);
/** A file that is made from all pages. */
const made: readonly string[] = ['search.json'];

/** The content type of a file of the site by its name; undefined if there is no such file. */
export const siteTypeOf = (name: string, place: SitePlace): string | undefined => {
  if (name === referenceName(place) || pageNamed(name, place)) return contentTypeOf('.html');
  return made.includes(name) || Object.hasOwn(siteSources, name) ? contentTypeOf(name) : undefined;
};

/** `document`: the address of the API document, seen from the page. */
const renderReferenceBody = (document: string): string => `<h1>API reference</h1>
<p class="lead">Every operation, its fields and its errors. Calls that you try here are made to this service. The document itself is
<a href="${document}">openapi.json</a>.</p>
<noscript><p>The list of operations needs JavaScript.</p></noscript>
<div id="reference" data-document="${document}"><p>Reading the document…</p></div>`;

const renderPage = async (page: SitePage, read: ReadFile, place: SitePlace): Promise<string> => {
  const { slug, title, file } = page;
  const { html: body, headings } = renderMarkdown(await read(`${slug}.md`), { file, extension: place.extension });
  const asMarkdown = `<p class="as-markdown"><a href="${slug}.md">This page as Markdown</a></p>`;
  return renderSitePage({ ...place, title, slug, body: `${body}${asMarkdown}`, headings });
};

const buildSearchIndex = async (read: ReadFile, { extension }: SitePlace): Promise<string> => {
  const entries = await Promise.all(
    sitePages.map(async (page) => searchEntriesOf(page, await read(`${page.slug}.md`), extension)),
  );
  return JSON.stringify([...entries.flat(), ...searchEntriesOfOperations(await read('openapi.json'), extension)]);
};

/** The front page. */
export const siteFront = (place: SitePlace): string =>
  renderSitePage({ ...place, title: 'Documentation', slug: '', body: renderFrontPage(place) });

const referencePage = (place: SitePlace): string =>
  renderSitePage({
    ...place,
    title: 'API reference',
    slug: 'reference',
    body: renderReferenceBody(place.dashboard === null ? 'openapi.json' : '../openapi.json'),
    styles: ['swagger-ui.css', 'reference.css'],
    scripts: ['swagger-ui.js', 'reference.js'],
  });

/** The text of a file of the site by its name, which `siteTypeOf` knows. */
export const siteText = async (name: string, read: ReadFile, place: SitePlace): Promise<string> => {
  if (name === 'search.json') return buildSearchIndex(read, place);
  if (name === referenceName(place)) return referencePage(place);
  const page = pageNamed(name, place);
  return page ? renderPage(page, read, place) : read(name);
};

/** The name of every file of the site but the front page. */
export const siteFileNames = (place: SitePlace): readonly string[] => [
  ...sitePages.map(({ slug }) => `${slug}${place.extension}`),
  referenceName(place),
  ...Object.keys(siteSources),
  ...made,
];
