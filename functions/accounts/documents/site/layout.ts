import { escapeHtml } from '#core/kernel/html.ts';
import { siteSections } from './catalog.ts';
import type { Heading } from './markdown.ts';

/**
 * Where a page is. `base`: what leads from its address to the site's folder, `docs/` or empty. `extension`: of the addresses of pages. `home`: the
 * address of the front page. `dashboard`: that of the dashboard; null on a site that is served without one.
 */
export type SitePlace = { base: string; extension: string; home: string; dashboard: string | null };

type Shell = SitePlace & {
  title: string;
  /** Of the current page; empty for the front page. */
  slug: string;
  body: string;
  headings?: readonly Heading[];
  /** Additional scripts and styles, by their names on the site. */
  scripts?: readonly string[];
  styles?: readonly string[];
};

/** The address of a page, seen from another. */
export const siteAddress = ({ base, extension }: Pick<SitePlace, 'base' | 'extension'>, slug: string): string =>
  `${base}${slug}${extension}`;

const linkTo = (shell: Shell, slug: string, title: string): string => {
  const current = slug === shell.slug ? ' aria-current="page"' : '';
  return `<a href="${siteAddress(shell, slug)}"${current}>${escapeHtml(title)}</a>`;
};

const renderNavigation = (shell: Shell): string =>
  siteSections
    .map(({ title, pages }) => {
      const links = pages.map(({ slug, title: name }) => `<li>${linkTo(shell, slug, name)}</li>`);
      return `<h2>${title}</h2>\n<ul>\n${links.join('\n')}\n</ul>`;
    })
    .join('\n');

const renderContents = (headings: readonly Heading[] = []): string => {
  const shown = headings.filter(({ level }) => level === 2);
  if (shown.length < 2) return '';
  const links = shown.map(({ id, text }) => `<li><a href="#${id}">${escapeHtml(text)}</a></li>`);
  return `<nav class="contents" aria-label="On this page"><h2>On this page</h2><ul>${links.join('\n')}</ul></nav>`;
};

/** A shield with a clock's hand, in the colour of the product. */
const siteIcon = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><path fill="#0f5e63" d="M16 2 4 7v9c0 7 5 12 12 14 7-2 12-7 12-14V7z"/><path fill="none" stroke="#fff" stroke-width="3" stroke-linecap="round" d="M16 9v8l5 4"/></svg>',
)}`;

/** A page of the site around its content. Its text needs no script; scripts add search, copying, and tabs that agree with each other. */
export const renderSitePage = (shell: Shell): string => {
  const { base, home, dashboard, title, body, headings, scripts = [], styles = [] } = shell;
  const linked = [...styles, 'docs.css', 'text.css']
    .map((name) => `<link rel="stylesheet" href="${base}${name}">`)
    .join('\n');
  const loaded = ['docs.js', ...scripts].map((name) => `<script src="${base}${name}" defer></script>`).join('\n');
  const contents = renderContents(headings);
  return `<!doctype html>
<html lang="en" data-base="${base}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)} · Forewarn</title>
<link rel="icon" href="${siteIcon}">
${linked}
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header class="top">
<a class="logo" href="${home}">Forewarn <span>Docs</span></a>
<search><input type="search" placeholder="Search the documentation" aria-label="Search the documentation" disabled><div class="found" hidden></div></search>
<nav class="links" aria-label="Site">
<a class="to-menu" href="#menu">Menu</a>
${linkTo(shell, 'quickstart', 'Quickstart')}
${linkTo(shell, 'reference', 'API reference')}
${dashboard === null ? '' : `<a href="${dashboard}">Dashboard</a>`}
</nav>
</header>
<div class="frame${contents === '' ? ' wide' : ''}">
<main id="content">
${body}
</main>
${contents}
<nav id="menu" class="menu" aria-label="Documentation">
${renderNavigation(shell)}
</nav>
</div>
${loaded}
</body>
</html>
`;
};

/** Pages of the site load from their own origin only, and cannot be framed. */
export const sitePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');
