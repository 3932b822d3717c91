import { PDFPage } from '@cantoo/pdf-lib';
import { strFromU8, unzipSync } from 'fflate';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type Assembled, findReply, letterHeadOf } from '#disputes/chargebacks/evidence/chargeback-evidence.ts';
import { packArchive } from '#disputes/chargebacks/evidence/evidence-archive.ts';
import { makeEvidencePdf } from '#disputes/chargebacks/evidence/evidence-pdf.ts';
import { coverText } from '#disputes/chargebacks/letter/letter-fonts.ts';
import { unshownInLetter } from '#disputes/chargebacks/letter/missing-glyphs.ts';
import { breakLines, readParagraph, runsOfLine } from '#disputes/chargebacks/letter/text-runs.ts';
import { letterSources } from './letter-sources.ts';

const onePixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

const findUnshown = async (text: string) => (await coverText(text, 'plain', letterSources.readFont)).unshown;

describe('the fonts of a letter', () => {
  it.each([
    ['German and French', 'Überprüfung, façade, œuvre, „Zitat“, «citation», 5 €'],
    ['Polish, Turkish and Hungarian', 'Łódź, Ğüşü İstanbul, őrült űr'],
    ['Vietnamese', 'Tiếng Việt, Đường Nguyễn Huệ'],
    ['Greek', 'Ελληνικά, ΆΈΉΊΌΎΏ, ὦ'],
    ['Cyrillic', 'Київ, Москва, Љубљана, Қазақстан'],
    ['Hebrew', 'הזמנה נמסרה ביום שני'],
    ['Arabic, Persian and Urdu', 'السلام عليكم، پژوهش گرامی، ہے ٹ ڈ ں'],
    ['Japanese', '東京都千代田区、カタカナ・ひらがな。「株式会社」高橋'],
    ['Chinese', '北京市朝阳区，收件人签字。'],
    ['Korean', '서울특별시 강남구'],
    ['signs', '✓ ✗ → ≤ ≥ ± × ÷ • … – — № ™ © ® £ ¥ ¢ ½ °'],
    ['letters and accents apart', 'U\u0308berpru\u0308fung, e\u0301'],
    ['characters that are not drawn', 'a\u200bb\u00adc\ufeff\u202edef\u2069'],
  ])('have every character of %s', async (_, text) => {
    expect(await findUnshown(text)).toEqual([]);
  });

  it.each([
    ['😀', ['😀']],
    ['髙橋', ['髙']],
    ['ไทย หนึ่ง', [...new Set('ไทยหนึ่ง')]],
    ['अनुरोध', [...new Set('अनुरोध')]],
    ['a\u{1F468}\u200d\u{1F469}b', ['\u{1F468}', '\u{1F469}']],
  ])('name each character that they lack once: %s', async (text, unshown) => {
    expect(await findUnshown(`${text}${text}`)).toEqual(unshown);
  });

  it('are opened only as far as a text needs them', async () => {
    const { fonts } = await coverText('Order web-7004', 'plain', letterSources.readFont);
    expect(fonts.map(({ name }) => name)).toEqual(['serif-latin-400.woff']);
  });
});

describe('the direction of text', () => {
  const runs = (text: string) => runsOfLine(readParagraph(text), 0, text.length).map((run) => run.text);

  it.each([
    ['Order 42', ['Order 42']],
    ['the shop שלום', ['the shop ', 'שלום']],
    ['הזמנה 42 נמסרה', [' נמסרה', '42', 'הזמנה ']],
    ['הזמנה Walking boots נמסרה', [' נמסרה', 'Walking boots', 'הזמנה ']],
    ['say (שלום עולם) again', ['say (', 'שלום עולם', ') again']],
    ['הוא (אני) כאן', ['הוא )אני( כאן']],
  ])('is by the Unicode algorithm: %s', (text, expected) => {
    expect(runs(text)).toEqual(expected);
  });
});

describe('the lines of a paragraph', () => {
  const linesOf = (text: string, most: number) =>
    breakLines(text, (part) => [...part].length, most).map(([start, end]) => text.slice(start, end));

  it.each([
    ['', 5, ['']],
    ['one two three', 8, ['one two ', 'three']],
    ['one two', 7, ['one two']],
    ['abcdefghij', 4, ['abcd', 'efgh', 'ij']],
    ['東京都、千代田区', 3, ['東京', '都、千', '代田区']],
    ['😀😀😀', 2, ['😀😀', '😀']],
  ])('break %j at %i', (text, most, expected) => {
    expect(linesOf(text, most)).toEqual(expected);
  });
});

const assembled = (text: string, changes: Partial<Assembled> = {}) =>
  ({
    sender: letterHeadOf(
      {
        display_name: 'Hafen & Söhne',
        address: { address: 'Torstraße 1', postcode: '10119', suburb_city: 'Berlin', country: 'DE' },
        support_email: 'help@shop.example',
      },
      'Harbour GmbH',
    ),
    chargeback: {
      chargeback_id: 'cb_1',
      dispute_reference: 'dp_1',
      opened_at: '2026-05-01T12:00:00.000Z',
      network: 'visa',
      reason_code: '10.4',
      amount: '58.00',
      currency: 'USD',
      files: [],
    },
    payment: null,
    order_evidence: null,
    response: { text, is_edited: true },
    ...changes,
  }) as unknown as Assembled;

describe('the text of a letter', () => {
  it('names the address of an order, and says that it was sent only where a delivery says so', () => {
    const shipping = { name: 'Ada', address: 'Street 1', suburb_city: 'Berlin', country: 'DE' };
    const textWith = (deliveries: object[]) => {
      const order = { reference: 'web-1', order_date: '2026-04-01T10:00:00.000Z', amount: '58.00', currency: 'USD' };
      const evidence = { order: { ...order, items: [], shipping, deliveries }, ce3: { qualified: false } };
      return findReply(assembled('', { order_evidence: evidence } as unknown as Partial<Assembled>)).text;
    };
    expect(textWith([])).toContain('Delivery address: Ada, Street 1, Berlin, DE.');
    expect(textWith([])).not.toMatch(/sent|shipped|delivered/);
    expect(textWith([{ status: 'delivered', delivered_at: '2026-04-03T10:00:00.000Z' }])).toContain('delivered');
  });
});

describe('a letter', () => {
  afterEach(() => void vi.restoreAllMocks());

  it('begins with the logo of the shop, and is whole without one that cannot be read', async () => {
    const draw = vi.spyOn(PDFPage.prototype, 'drawImage');
    const logo = { type: 'image/png', bytes: onePixel } as const;
    expect(await makeEvidencePdf(assembled('Text.'), [], { ...letterSources, logo })).toMatchObject({
      ...{ leftOut: [], isLogoLeftOut: false },
    });
    expect(draw).toHaveBeenCalledOnce();
    const damaged = { ...logo, bytes: onePixel.subarray(0, 40) };
    expect(await makeEvidencePdf(assembled('Text.'), [], { ...letterSources, logo: damaged })).toMatchObject({
      ...{ leftOut: [], isLogoLeftOut: true },
    });
  });

  it('names the terms of checkout and delivery before the policies', () => {
    const more = { checkoutTerms: 'A box is ticked.', deliveryTerms: 'Within five days.' };
    expect(letterHeadOf({ refund_policy: 'Ask.' }, 'Shop', more).policies).toEqual([
      'At checkout: A box is ticked.',
      'Delivery: Within five days.',
      'Refund policy: Ask.',
    ]);
  });

  const drawn = async (text: string) => {
    const draw = vi.spyOn(PDFPage.prototype, 'drawText');
    await makeEvidencePdf(assembled(text), [], letterSources);
    return draw.mock.calls.map(([part, options]) => ({ part, x: options?.x ?? 0, y: options?.y ?? 0 }));
  };

  it('has who writes, to which dispute and when, and the text as it was written', async () => {
    const words = 'مرحبا – Ünïcode ✓ 日本 €5';
    const shown = (await drawn(`We delivered it.\n${words}`)).map(({ part }) => part).join('');
    for (const one of [
      'Hafen & Söhne',
      'Torstraße 1, 10119 Berlin, DE',
      'help@shop.example',
      '2 May 2026',
      'Response to dispute dp_1, Visa 10.4',
      '58.00 USD disputed on 1 May 2026',
      'We delivered it.',
      'مرحبا',
      'Ünïcode',
      '日本',
      '€5',
    ])
      expect(shown).toContain(one);
    expect(shown).not.toContain('?');
  });

  it('sets Hebrew and Arabic from the right edge', async () => {
    const pieces = await drawn('שלום עולם\nHello');
    const xOf = (word: string) => pieces.find(({ part }) => part.includes(word))?.x ?? 0;
    expect(xOf('Hello')).toBe(64);
    expect(xOf('שלום')).toBeGreaterThan(400);
  });

  it('goes on over as many pages as it needs, and is the same each time', async () => {
    const long = assembled('It was delivered, and the customer signed for it.\n'.repeat(120));
    const first = await makeEvidencePdf(long, [], letterSources);
    expect(first.pages).toBe(3);
    expect(Buffer.compare((await makeEvidencePdf(long, [], letterSources)).bytes, first.bytes)).toBe(0);
  });

  it('names what it cannot show, in the head, the text and the names of files', async () => {
    const files = [{ kind: 'other', name: 'scan ไ.png' }];
    const evidence = assembled('Thank you 😀', { sender: { name: 'Shop अ', lines: [], policies: [] } });
    Object.assign(evidence.chargeback, { files });
    expect(await unshownInLetter(evidence, letterSources)).toEqual(['अ', '😀', 'ไ']);
  });

  it('keeps the letters of file names in the archive, and no path', () => {
    const bytes = new Uint8Array([1]);
    for (const [name, kept] of [
      ['Scan an der Tür – Überprüfung 日本.png', 'Scan an der Tür – Überprüfung 日本.png'],
      ['../../etc/passwd', '_/../etc/passwd'.replaceAll('/', '_')],
      ['a\u202egnp.exe', 'a_gnp.exe'],
      ['..hidden', '_hidden'],
      ['CON: a|b?.pdf. ', 'CON_ a_b_.pdf_'],
      [`${'证'.repeat(120)}.pdf`, `${'证'.repeat(65)}.pdf`],
      ['x'.repeat(300), 'x'.repeat(200)],
    ] as const) {
      const zip = packArchive(assembled('x'), bytes, [{ kind: 'other', name, type: 'image/png', bytes }]);
      expect(Object.keys(unzipSync(zip))).toContain(`files/other-${kept}`);
      expect(strFromU8(unzipSync(zip)['statement.txt'] ?? bytes)).toBe('x\n');
    }
  });
});
