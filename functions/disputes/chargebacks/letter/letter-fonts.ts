import * as fontkit from '@cantoo/fontkit';
import { letterFontFiles } from './letter-font-files.ts';

/**
 * The fonts of letters to banks: Noto and, where its packages are large, smaller ones, all under free licences. A letter opens and embeds
 * what it uses of them. Scripts whose marks have to be placed one above another (Thai, the scripts of India) are not among them.
 */

export type Weight = 'plain' | 'bold';

/** Smaller files first. Text with kana is Japanese: its other characters are drawn as Japan writes them. */
const fontNames = (weight: Weight, text: string): string[] => {
  const names = Object.keys(letterFontFiles);
  const ofWeight = names.filter((name) => name.startsWith('serif') && name.includes('700') === (weight === 'bold'));
  const others = names.filter((name) => !name.startsWith('serif'));
  const isJapanese = /[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text);
  return [...ofWeight, ...others].sort((left, right) =>
    isJapanese ? 0 : Number(left === 'japanese.woff') - Number(right === 'japanese.woff'),
  );
};

export type ReadFont = (name: string) => Promise<Uint8Array>;

/** `isCovered`: whether a font has a character. `bytes`: as they are embedded. */
export type OpenFont = { name: string; bytes: Uint8Array; isCovered(character: string): boolean };

const opened = new Map<string, OpenFont>();

/** A font is read once in the life of a function's process. */
const open = async (name: string, read: ReadFont): Promise<OpenFont> => {
  const known = opened.get(name);
  if (known) return known;
  const bytes = await read(name);
  const font = fontkit.create(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  if (!('hasGlyphForCodePoint' in font)) throw new Error(`${name} is a collection of fonts.`);
  const isCovered = (character: string) => font.hasGlyphForCodePoint(character.codePointAt(0) ?? 0);
  opened.set(name, { name, bytes, isCovered });
  return { name, bytes, isCovered };
};

/** Characters that say how others are joined or directed; they are not drawn. */
const unseen = /\p{Default_Ignorable_Code_Point}/gu;

/** Text as letters show it: composed, without control characters other than line ends. */
export const drawableText = (text: string): string =>
  text
    .normalize('NFC')
    .replace(/\r\n?/g, '\n')
    .replace(unseen, '')
    .replace(/[^\P{Cc}\n]|[\u2028\u2029]/gu, ' ');

export type Coverage = { fonts: OpenFont[]; unshown: string[] };

/** Opens the fonts that a text needs, in the order in which they are preferred, and names the characters that none of them has. */
export const coverText = async (text: string, weight: Weight, read: ReadFont): Promise<Coverage> => {
  const clean = drawableText(text);
  let missing = [...new Set(clean)].filter((one) => one !== '\n');
  const fonts: OpenFont[] = [];
  for (const name of fontNames(weight, clean)) {
    if (missing.length === 0) break;
    const font = await open(name, read);
    const left = missing.filter((one) => !font.isCovered(one));
    if (left.length < missing.length) fonts.push(font);
    missing = left;
  }
  return { fonts, unshown: missing };
};
