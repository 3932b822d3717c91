import { Marked, type Token } from 'marked';
import type { SitePage } from './catalog.ts';

/** A section of a page, as the search sees it: address, page and heading, and its words. */
type SearchEntry = { href: string; page: string; heading: string; text: string };

const wordsOf = (token: Token): string => ('text' in token ? String(token.text) : '').replace(/[`*_|#\n]+/g, ' ');

/** The sections of a page. `ids`: of its headings, in their order. */
export const searchEntriesOf = (
  { title }: SitePage,
  markdown: string,
  { address, ids }: { address: string; ids: readonly string[] },
): SearchEntry[] => {
  const entries: SearchEntry[] = [];
  for (const token of new Marked().lexer(markdown)) {
    if (token.type === 'heading') {
      const id = ids[entries.length];
      entries.push({ href: `${address}#${id}`, page: title, heading: wordsOf(token).trim(), text: '' });
    } else {
      const last = entries.at(-1);
      if (last) last.text = `${last.text} ${wordsOf(token)}`.trim();
    }
  }
  return entries;
};
