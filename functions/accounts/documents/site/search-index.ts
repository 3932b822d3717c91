import { Marked, type Token, type Tokens } from 'marked';
import { asFields } from '#core/kernel/is-object.ts';
import type { SitePage } from './catalog.ts';
import { createHeadingIds } from './markdown.ts';

/** A section of a page, a row that has a name, or an operation as the search reads it: its address, page, heading and plain words. `code`: of its samples, which is found but not shown. */
export type SearchEntry = { href: string; page: string; heading: string; text: string; code?: string };

const isTable = (token: Token): token is Tokens.Table => token.type === 'table';
const isList = (token: Token): token is Tokens.List => token.type === 'list';
const spaces = (words: readonly string[]): string => words.join(' ').replace(/\s+/g, ' ').trim();

/** The words of a token as a reader sees them. */
const readTokenText = (token: Token): string => {
  if (isTable(token)) return spaces([token.header, ...token.rows].flat().map((cell) => wordsOfAll(cell.tokens)));
  if (isList(token)) return spaces(token.items.map((item) => wordsOfAll(item.tokens)));
  if (token.type === 'html') return spaces([String(token.raw).replace(/<!--.*?-->|<[^>]*>/gs, ' ')]);
  if ('tokens' in token && token.tokens) return wordsOfAll(token.tokens);
  return 'text' in token ? String(token.text) : '';
};
const wordsOfAll = (tokens: readonly Token[]): string => spaces([tokens.map(readTokenText).join('')]);

/** Rows to which links lead, such as those of error codes: each is found by itself. */
const namedRows = (token: Token, { title, slug }: SitePage, extension: string): SearchEntry[] =>
  !isTable(token)
    ? []
    : token.rows.flatMap(([first, ...others]) => {
        const [, id] = /<a id="([^"]+)">/.exec(first?.text ?? '') ?? [];
        if (first === undefined || id === undefined) return [];
        const text = spaces(others.map((cell) => wordsOfAll(cell.tokens)));
        return [{ href: `${slug}${extension}#${id}`, page: title, heading: wordsOfAll(first.tokens), text }];
      });

/** The sections of a page. `extension`: of the site's pages. */
export const searchEntriesOf = (page: SitePage, markdown: string, extension: string): SearchEntry[] => {
  const { title, slug } = page;
  const idOf = createHeadingIds();
  const entries: SearchEntry[] = [];
  const rows: SearchEntry[] = [];
  for (const token of new Marked().lexer(markdown)) {
    const last = entries.at(-1);
    if (token.type === 'heading') {
      const href = `${slug}${extension}#${idOf(token.tokens ?? [])}`;
      entries.push({ href, page: title, heading: readTokenText(token), text: '' });
    } else if (last && token.type === 'code') last.code = spaces([last.code ?? '', token.text]);
    else if (last) last.text = spaces([last.text, readTokenText(token)]);
    rows.push(...namedRows(token, page, extension));
  }
  return [...entries, ...rows];
};

type Json = Readonly<Record<string, unknown>>;
/** The names of a body's fields, or of an answer's. */
const fieldNames = (part: unknown, schemas: Json): string[] =>
  Object.values(asFields(asFields(part)['content'])).flatMap((media) => {
    const name =
      String(asFields(asFields(media)['schema'])['$ref'])
        .split('/')
        .at(-1) ?? '';
    return Object.keys(asFields(asFields(schemas[name])['properties']));
  });

/** The operations of the API document, each at its place in the reference. */
export const searchEntriesOfOperations = (document: string, extension: string): SearchEntry[] => {
  const { paths, components } = asFields(JSON.parse(document));
  const schemas = asFields(asFields(components)['schemas']);
  return Object.entries(asFields(paths)).flatMap(([path, methods]) =>
    Object.entries(asFields(methods)).map(([method, operation]) => {
      const { operationId, tags, summary, description, requestBody, responses } = asFields(operation);
      const names = [...fieldNames(requestBody, schemas), ...fieldNames(asFields(responses)['200'], schemas)];
      return {
        href: `reference${extension}#/${Array.isArray(tags) ? tags[0] : ''}/${operationId}`,
        page: 'API reference',
        heading: `${summary} (${method.toUpperCase()} ${path})`,
        text: spaces([String(description ?? ''), ...new Set(names)]),
      };
    }),
  );
};
