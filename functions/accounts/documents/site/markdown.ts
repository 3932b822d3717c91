import { Marked, type Token, type Tokens } from 'marked';
import { escapeHtml } from '#core/kernel/html.ts';
import { siteDownloads, sitePages } from './catalog.ts';

/** A heading of a page, with the id by which links find it. */
export type Heading = { level: number; id: string; text: string };
export type RenderedPage = { html: string; headings: readonly Heading[] };

/** The same id that GitHub gives a heading, so that links work in both places. */
const toHeadingId = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-');

const plainText = (tokens: readonly Token[]): string =>
  tokens
    .map((token) => ('tokens' in token && token.tokens ? plainText(token.tokens) : 'text' in token ? token.text : ''))
    .join('');

/** Returns a function that gives each heading of a page its id; equal headings get a number. */
export const createHeadingIds = (): ((heading: readonly Token[]) => string) => {
  const seen = new Map<string, number>();
  return (heading) => {
    const id = toHeadingId(plainText(heading));
    const count = seen.get(id) ?? 0;
    seen.set(id, count + 1);
    return count === 0 ? id : `${id}-${count}`;
  };
};

/** `docs/guides/../three-ds.md` as `docs/three-ds.md`. */
const resolvePath = (from: string, target: string): string => {
  const parts = from.split('/').slice(0, -1);
  for (const part of target.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '.') parts.push(part);
  }
  return parts.join('/');
};

const isOutside = (href: string): boolean => /^[a-z]+:/.test(href);

/** The local stack's address, as pages name it. */
const localAddress = 'http://127.0.0.1:3000/';

/**
 * Where a link of a page leads on the site; one to the local stack leads to the service that serves the page, whatever its port; undefined if the site does not have the file. `file`: the page's path in the repository. `extension`: of
 * the site's pages, such as `.html`.
 */
export const siteLinkOf = (href: string, file: string, extension: string): string | undefined => {
  if (extension === '' && href.startsWith(localAddress)) return `../${href.slice(localAddress.length)}`;
  if (isOutside(href) || href.startsWith('#')) return href;
  const [target = '', fragment] = href.split('#');
  const path = resolvePath(file, target);
  const anchor = fragment === undefined ? '' : `#${fragment}`;
  const page = sitePages.find((one) => one.file === path);
  if (page) return `${page.slug}${extension}${anchor}`;
  if (path === 'docs/openapi.json') return `reference${extension}`;
  return Object.entries(siteDownloads).find(([, one]) => one === path)?.[0];
};

/** The word in a fence's info string after `tab=`: blocks that follow each other and have one are shown as tabs. */
const findTabName = ({ lang = '' }: Tokens.Code): string | undefined => /\btab=(\S+)/.exec(lang)?.[1];
const isBlank = (token: Token | undefined): boolean => token?.type === 'space';

const codeHtml = ({ text, lang = '' }: Tokens.Code): string => {
  const [language = ''] = lang.split(' ');
  const label = language === 'output' ? '<p class="output">Output</p>' : '';
  return `${label}<pre tabindex="0" data-language="${escapeHtml(language)}"><code>${escapeHtml(text)}</code></pre>\n`;
};

const tabsHtml = (codes: readonly Tokens.Code[], name: string): string => {
  const tabs = codes.map((code, index) => {
    const [id, tab] = [`${name}-${index}`, findTabName(code) ?? ''];
    const checked = index === 0 ? ' checked' : '';
    const input = `<input type="radio" name="${name}" id="${id}" value="${escapeHtml(tab)}"${checked}>`;
    return `${input}<label for="${id}">${escapeHtml(tab)}</label><div class="tab">${codeHtml(code)}</div>`;
  });
  return `<fieldset class="tabs"><legend>Language</legend>${tabs.join('\n')}</fieldset>\n`;
};

/** Joins blocks of code that are tabs of each other into one token. */
const joinTabs = (tokens: readonly Token[]): Token[] => {
  const joined: Token[] = [];
  let codes: Tokens.Code[] = [];
  const close = () => {
    if (codes.length > 0) joined.push({ type: 'html', raw: '', text: tabsHtml(codes, `tabs${joined.length}`) });
    codes = [];
  };
  for (const token of tokens) {
    if (token.type === 'code' && findTabName(token as Tokens.Code)) codes.push(token as Tokens.Code);
    else if (!(isBlank(token) && codes.length > 0)) {
      close();
      joined.push(token);
    }
  }
  close();
  return joined;
};

/**
 * Renders a page's Markdown, which is the repository's own and may contain HTML. Links lead to the site's pages; a link to a file that the site does
 * not have becomes plain text.
 */
export const renderMarkdown = (
  text: string,
  { file, extension }: { file: string; extension: string },
): RenderedPage => {
  const headings: Heading[] = [];
  const idFor = createHeadingIds();
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth }) {
        const heading = { level: depth, id: idFor(tokens), text: plainText(tokens) };
        headings.push(heading);
        const self =
          depth > 1 ? ` <a class="anchor" href="#${heading.id}" aria-label="Link to this section">#</a>` : '';
        return `<h${depth} id="${heading.id}">${this.parser.parseInline(tokens)}${self}</h${depth}>\n`;
      },
      link({ href, tokens }) {
        const inner = this.parser.parseInline(tokens);
        const target = siteLinkOf(href, file, extension);
        return target === undefined ? inner : `<a href="${escapeHtml(target)}">${inner}</a>`;
      },
      code: (code) => codeHtml(code),
      table(token) {
        const cells = (row: readonly Tokens.TableCell[], tag: string) =>
          row.map((cell) => `<${tag}>${this.parser.parseInline(cell.tokens)}</${tag}>`).join('');
        const rows = token.rows.map((row) => `<tr>${cells(row, 'td')}</tr>`).join('\n');
        const head = `<thead><tr>${cells(token.header, 'th')}</tr></thead>`;
        return `<div class="table" tabindex="0"><table>${head}<tbody>\n${rows}\n</tbody></table></div>\n`;
      },
    },
  });
  const html = marked.parser(joinTabs(marked.lexer(text)));
  return { html, headings };
};
