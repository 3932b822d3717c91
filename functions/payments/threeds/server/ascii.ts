/** Names as the schemes take them: ASCII only, see "Allowed characters" of https://docs.3dsecure.io. */

/** Letters that do not decompose into a base letter and a mark. */
const letters: Readonly<Record<string, string>> = {
  Æ: 'AE',
  æ: 'ae',
  Ð: 'D',
  ð: 'd',
  Đ: 'D',
  đ: 'd',
  Ħ: 'H',
  ħ: 'h',
  ı: 'i',
  ĸ: 'k',
  Ł: 'L',
  ł: 'l',
  Ŋ: 'N',
  ŋ: 'n',
  Œ: 'OE',
  œ: 'oe',
  Ø: 'O',
  ø: 'o',
  ẞ: 'SS',
  ß: 'ss',
  Þ: 'TH',
  þ: 'th',
  Ŧ: 'T',
  ŧ: 't',
  '‘': "'",
  '’': "'",
  '‚': "'",
  '“': '"',
  '”': '"',
  '–': '-',
  '—': '-',
  '−': '-',
};

/**
 * Text in ASCII, letters without their marks, at most `longest` characters; characters without an equivalent are left out. Null
 * if fewer than `least` characters are left.
 */
export const toAscii = (text: string | null | undefined, longest: number, least = 1): string | null => {
  const ascii = [...(text ?? '').normalize('NFKD')]
    .map((character) => letters[character] ?? character)
    .join('')
    // A line break or tab separates words, which would become one.
    .replace(/\s+/gu, ' ')
    .replace(/[^\x20-\x7e]/g, '')
    .replace(/ +/g, ' ')
    .trim()
    .slice(0, longest)
    .trim();
  return ascii.length < least ? null : ascii;
};
