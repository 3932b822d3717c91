import { globSync, readFileSync } from 'node:fs';
import { parseAst } from 'vitest/node';

/** The texts of the dashboard's sources, read by a parser. */

/** A text that the sources hand to translation. `one`: the singular of a text with a number. */
export type SourceText = { key: string; one: string | null };
/** A text that people see without translation. */
export type BareText = { file: string; text: string };

type Node = { readonly type: string; readonly start: number; readonly end: number } & Readonly<Record<string, unknown>>;
type Source = { file: string; program: Node };

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value;

const childNodes = (node: Node): Node[] => Object.values(node).flat().filter(isNode);

const root = new URL('../../lib/dashboard/', import.meta.url);

/** The mechanism and the catalogues have no texts of their own. */
const listSources = (): Source[] =>
  globSync('**/*.{ts,tsx}', { cwd: root })
    .filter((file) => !file.startsWith('language/'))
    .sort()
    .map((file) => ({
      file,
      program: parse(readFileSync(new URL(file, root), 'utf8'), file.endsWith('x') ? 'tsx' : 'ts'),
    }));

const parse = (source: string, lang: 'ts' | 'tsx' = 'tsx'): Node => {
  const program: unknown = parseAst(source, { lang });
  if (!isNode(program)) throw new Error('The source cannot be parsed.');
  return program;
};

const readCallee = (node: Node): string => {
  const callee = node['callee'];
  return isNode(callee) && callee.type === 'Identifier' ? String(callee['name']) : '';
};

const readArguments = (node: Node): Node[] => [node['arguments']].flat().filter(isNode);

const readLiteral = (node: Node | undefined): string | undefined =>
  node?.type === 'Literal' && typeof node['value'] === 'string' ? node['value'] : undefined;

/** The argument that is the key, by the name of the function. */
const keyArguments: Readonly<Record<string, number>> = { translate: 0, compose: 0, translateCount: 2 };

const findTexts = (node: Node): SourceText[] => {
  const inside = childNodes(node).flatMap(findTexts);
  const place = node.type === 'CallExpression' ? keyArguments[readCallee(node)] : undefined;
  if (place === undefined) return inside;
  const given = readArguments(node);
  const key = readLiteral(given[place]);
  if (key === undefined) throw new Error(`${readCallee(node)} needs a literal: a catalogue has none for other texts.`);
  return [{ key, one: place === 0 ? null : (readLiteral(given[1]) ?? null) }, ...inside];
};

/** Returns every text of a source once. Throws where the text is no literal, which no catalogue could have. */
export const listTextsIn = (source: string): SourceText[] => unique(findTexts(parse(source)));

const unique = (texts: readonly SourceText[]): SourceText[] => [
  // A text that is used both with a number and without one remains twice: its catalogue cannot serve both.
  ...new Map(texts.map((text) => [`${text.one === null} ${text.key}`, text])).values(),
];

/** Returns every text that the dashboard translates, once. */
export const listTexts = (): SourceText[] => unique(listSources().flatMap(({ program }) => findTexts(program)));

/** Attributes and properties whose texts people read. */
const readAttributes = [
  ...['label', 'title', 'placeholder', 'alt', 'legend', 'summary', 'caption', 'note', 'hint', 'empty'],
  ...['aria-label', 'aria-description', 'aria-roledescription', 'aria-valuetext', 'aria-placeholder'],
];
const isReadAttribute = (name: string): boolean => readAttributes.includes(name);
/** `note` is also a field of the API. */
const isReadProperty = (name: string): boolean => (isReadAttribute(name) && name !== 'note') || name === 'text';

/** Names, codes and formats that are the same in every language. */
const names = /\b(UTC|RDR|Visa|Mastercard|Forewarn|API|URL|curl|JSON|CSV|PDF|ZIP|rcode|USD|EUR)\b/g;

const hasWords = (text: string): boolean => /\p{L}{2}|^\p{L}$/u.test(text.replace(names, ''));

/** The literal texts of an expression, apart from what it hands to functions, and from what it only compares. */
const bareLiterals = (node: Node): string[] => {
  if (node.type === 'CallExpression' || node.type === 'JSXElement' || node.type === 'JSXFragment') return [];
  if (node.type === 'BinaryExpression' && node['operator'] !== '+') return [];
  if (['MemberExpression', 'ObjectExpression', 'ArrayExpression', 'ArrowFunctionExpression'].includes(node.type))
    return [];
  if (node.type === 'ConditionalExpression')
    return [node['consequent'], node['alternate']].filter(isNode).flatMap(bareLiterals);
  if (node.type === 'TemplateElement') return [String((node['value'] as { cooked: string }).cooked)];
  const text = readLiteral(node);
  return text === undefined ? childNodes(node).flatMap(bareLiterals) : [text];
};

const readName = (node: unknown): string => (isNode(node) ? String(node['name'] ?? node['value'] ?? '') : '');

const ownBareTexts = (node: Node): string[] => {
  if (node.type === 'JSXText') return [String(node['value']).trim()];
  const value = node['value'];
  // Names of fields have no spaces.
  if (node.type === 'JSXAttribute' && isNode(value) && readName(node['name']) === 'name')
    return bareLiterals(value).filter((text) => /\s\p{L}/u.test(text));
  if (node.type === 'JSXAttribute' && isNode(value))
    return isReadAttribute(readName(node['name'])) ? bareLiterals(value) : [];
  if (node.type === 'Property' && isNode(value))
    return isReadProperty(readName(node['key'])) ? bareLiterals(value) : [];
  if (node.type === 'JSXElement' || node.type === 'JSXFragment')
    return childNodes(node)
      .filter(({ type }) => type === 'JSXExpressionContainer')
      .flatMap(bareLiterals);
  return node.type === 'CallExpression' && readCallee(node) === 'say'
    ? readArguments(node).slice(0, 1).flatMap(bareLiterals)
    : [];
};

/** Commands and settings are the same in every language. */
const isCode = (node: Node): boolean =>
  node.type === 'JSXElement' && isNode(node['openingElement']) && readName(node['openingElement']['name']) === 'code';

const findBareTexts = (node: Node): string[] =>
  isCode(node) ? [] : [...ownBareTexts(node).filter(hasWords), ...childNodes(node).flatMap(findBareTexts)];

/** Returns the texts of a source that people would see in English in every language. */
export const listBareTextsIn = (source: string): string[] => findBareTexts(parse(source));

export const listBareTexts = (): BareText[] =>
  listSources().flatMap(({ file, program }) => findBareTexts(program).map((text) => ({ file, text })));
