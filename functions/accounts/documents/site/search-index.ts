import { Marked, type Token } from 'marked';
import type { SitePage } from './catalog.ts';
import { createHeadingIds } from './markdown.ts';

/** A section of a page as the search reads it: its address, page, heading and words. */
type SearchEntry = { href: string; page: string; heading: string; text: string };

const wordsOf = (token: Token): string => ('text' in token ? String(token.text) : '').replace(/[`*_|#\n]+/g, ' ');

/** The sections of a page. `extension`: of the site's pages. */
export const searchEntriesOf = ({ title, slug }: SitePage, markdown: string, extension: string): SearchEntry[] => {
  const idOf = createHeadingIds();
  const entries: SearchEntry[] = [];
  for (const token of new Marked().lexer(markdown)) {
    const last = entries.at(-1);
    if (token.type === 'heading') {
      const href = `${slug}${extension}#${idOf(token.tokens ?? [])}`;
      entries.push({ href, page: title, heading: wordsOf(token).trim(), text: '' });
    } else if (last) last.text = `${last.text} ${wordsOf(token)}`.trim();
  }
  return entries;
};
