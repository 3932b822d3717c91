import { deflateRawSync, deflateSync } from 'node:zlib';
import { PDFDocument } from '@cantoo/pdf-lib';
import { describe, expect, it } from 'vitest';
import type { Assembled } from '#disputes/chargebacks/evidence/chargeback-evidence.ts';
import { makeEvidencePdf } from '#disputes/chargebacks/evidence/evidence-pdf.ts';
import { examineFile } from '#disputes/chargebacks/files/evidence-file.ts';
import { letterSources } from './letter-sources.ts';

/** Files whose contents expand, repeat or nest without end. Each is made here, and most are below a megabyte. */

const zeros = (megabytes: number): Buffer => deflateSync(Buffer.alloc(megabytes * 1_000_000), { level: 9 });
const bomb = zeros(200);

const chunk = (type: string, data: Buffer): Buffer => {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  return Buffer.concat([length, Buffer.from(type, 'latin1'), data, Buffer.alloc(4)]);
};
type Png = { width?: number; height?: number; depth?: number; color?: number; interlace?: number };
const header = ({ width = 1, height = 1, depth = 8, color = 6, interlace = 0 }: Png): Buffer => {
  const data = Buffer.alloc(13);
  data.writeUInt32BE(width, 0);
  data.writeUInt32BE(height, 4);
  data.set([depth, color, 0, 0, interlace], 8);
  return chunk('IHDR', data);
};
const png = (of: Png, data: Buffer, ...more: Buffer[]): Buffer =>
  Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    header(of),
    ...more,
    chunk('IDAT', data),
    chunk('IEND', Buffer.alloc(0)),
  ]);
const onePixel = deflateSync(Buffer.alloc(5));

const jpeg = (width: number, height: number, marker = 0xc0): Buffer => {
  const frame = Buffer.from([0xff, marker, 0, 17, 8, 0, 0, 0, 0, 3, 1, 0x22, 0, 2, 0x11, 1, 3, 0x11, 1]);
  frame.writeUInt16BE(height, 5);
  frame.writeUInt16BE(width, 7);
  const app = Buffer.from([0xff, 0xe0, 0, 4, 1, 2]);
  return Buffer.concat([Buffer.from([0xff, 0xd8]), app, Buffer.from([0xff]), frame, Buffer.from([0xff, 0xd9])]);
};

const stream = (dictionary: string, data: Buffer): Buffer =>
  Buffer.concat([
    Buffer.from(`<< ${dictionary} /Length ${data.length} >>\nstream\n`),
    data,
    Buffer.from('\nendstream'),
  ]);
const pdf = (...objects: (string | Buffer)[]): Buffer =>
  Buffer.concat([
    Buffer.from('%PDF-1.7\n'),
    ...objects.flatMap((one, at) => [Buffer.from(`${at + 1} 0 obj\n`), Buffer.from(one), Buffer.from('\nendobj\n')]),
    Buffer.from('trailer << /Root 1 0 R >>\n%%EOF'),
  ]);
const catalog = '<< /Type /Catalog /Pages 2 0 R >>';
const page = '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] >>';
const pages = (kids: string, more = ''): string => `<< /Type /Pages /Count 1 /Kids [${kids}] ${more} >>`;
const onePage = [catalog, pages('3 0 R'), page] as const;
const objectStream = (count: number, text: string, more = ''): Buffer =>
  stream(`/Type /ObjStm /N ${count} /First 16 /Filter /FlateDecode ${more}`, deflateSync(Buffer.from(text)));
const nested = Array.from({ length: 60 }, (_, at) => pages(`${at + 3} 0 R`));
/** Each of seven levels names the next one nine times: 4.8 million pages. */
const doubled = Array.from({ length: 7 }, (_, at) => pages(`${at + 3} 0 R `.repeat(9)));
const bulk = `/X [${'(x) '.repeat(200_000)}]`;

const hostile: readonly (readonly [string, () => Buffer, RegExp])[] = [
  ['PNG of one pixel that inflates to 200 MB', () => png({}, bomb), /expands/],
  [
    'PNG that inflates to twice its size',
    () => png({ width: 100, height: 100 }, deflateSync(Buffer.alloc(80_200))),
    /expands/,
  ],
  [
    'PNG of 2 billion pixels a side',
    () => png({ width: 2 ** 31 - 1, height: 2 ** 31 - 1 }, onePixel),
    /million pixels/,
  ],
  ['PNG of no pixels', () => png({ width: 0 }, onePixel), /damaged/],
  ['PNG of 24 million pixels in 16 bits', () => png({ width: 4_800, height: 5_000, depth: 16 }, onePixel), /million/],
  ['PNG of 11 million pixels in 16 bits', () => png({ width: 3_300, height: 3_333, depth: 16 }, onePixel), /8 bits/],
  ['interlaced PNG that inflates to 200 MB', () => png({ interlace: 1 }, bomb), /expands/],
  ['PNG with two headers', () => png({}, onePixel, header({ width: 9_999, height: 9_999 })), /damaged/],
  [
    'PNG whose text inflates to 200 MB',
    () => png({}, onePixel, chunk('zTXt', Buffer.concat([Buffer.from('a\0\0'), bomb]))),
    /expands/,
  ],
  [
    'PNG whose translated text inflates',
    () => png({}, onePixel, chunk('iTXt', Buffer.concat([Buffer.from('a\0\x01\0en\0b\0'), bomb]))),
    /expands/,
  ],
  ['animated PNG', () => png({}, onePixel, chunk('acTL', Buffer.alloc(8))), /animated/],
  [
    'PNG of iOS, without a limit of its own',
    () => png({}, deflateRawSync(Buffer.alloc(9)), chunk('CgBI', Buffer.alloc(4))),
    /iOS/,
  ],
  ['PNG with a truncated stream', () => png({}, onePixel.subarray(0, 6)), /damaged/],
  ['JPEG of 65,535 pixels a side', () => jpeg(65_535, 65_535), /million pixels/],
  ['progressive JPEG of 65,535 pixels a side', () => jpeg(65_535, 65_535, 0xc2), /million pixels/],
  ['JPEG without a size', () => Buffer.from([0xff, 0xd8, 0xff, 0xd9, 0, 0, 0, 0, 0, 0, 0, 0, 0]), /damaged/],
  [
    'PDF whose object stream inflates to 200 MB',
    () => pdf(...onePage, stream('/Type /ObjStm /N 1 /First 4 /Filter /FlateDecode', bomb)),
    /expands/,
  ],
  [
    'PDF whose object stream is named with escapes',
    () => pdf(...onePage, stream('/Type /Obj#53tm /N 1 /First 4 /Filter [/Fl#61teDecode]', bomb)),
    /expands/,
  ],
  [
    'PDF with object streams of 8 MB each',
    () =>
      pdf(
        ...onePage,
        ...Array.from({ length: 9 }, () => stream('/Type /ObjStm /N 0 /First 0 /Filter /FlateDecode', zeros(8))),
      ),
    /expands/,
  ],
  [
    'PDF whose object stream is compressed twice',
    () => pdf(...onePage, stream('/Type /ObjStm /N 1 /First 4 /Filter [/FlateDecode /FlateDecode]', deflateSync(bomb))),
    /unusual compression/,
  ],
  [
    'PDF whose object stream uses LZW by reference',
    () => pdf(...onePage, '/LZWDecode', stream('/Type /ObjStm /N 1 /First 4 /Filter 4 0 R', bomb)),
    /unusual compression/,
  ],
  [
    'PDF whose object stream counts 2 billion objects',
    () => pdf(...onePage, objectStream(2_000_000_000, '9 0 (x)')),
    /too many objects/,
  ],
  [
    'PDF whose list of objects has entries of no bytes',
    () => pdf(...onePage, stream('/Type /XRef /Size 2000000000 /W [0 0 0] /Filter /FlateDecode', onePixel)),
    /list of objects/,
  ],
  [
    'PDF whose page inflates to 200 MB',
    () =>
      pdf(catalog, pages('3 0 R'), page.replace(' >>', ' /Contents 4 0 R >>'), stream('/Filter /FlateDecode', bomb)),
    /expands/,
  ],
  ['PDF that names one page 60,000 times', () => pdf(catalog, pages('3 0 R '.repeat(60_000)), page), /500 pages/],
  ['PDF whose groups name each other nine times', () => pdf(catalog, ...doubled, page), /nested|500 pages/],
  ['PDF with a deeply nested page tree', () => pdf(catalog, ...nested, page), /nested/],
  ['PDF whose page tree contains itself', () => pdf(catalog, pages('2 0 R')), /nested/],
  [
    'PDF whose 400 pages inherit much',
    () => pdf(catalog, pages('3 0 R '.repeat(400), `/Resources << ${bulk} >>`), page),
    /repeats/,
  ],
  [
    'PDF whose page, named 400 times, is large',
    () => pdf(catalog, pages('3 0 R '.repeat(400)), page.replace(' >>', ` ${bulk} >>`)),
    /repeats/,
  ],
];

/** Accepted, because nothing says that they cannot be read elsewhere; left out of the packet. */
const unreadable: readonly (readonly [string, () => Buffer])[] = [
  ['PDF with an array nested a million times', () => pdf(...onePage, '['.repeat(1_000_000))],
  ['PDF with 300,000 objects that never end', () => pdf(...onePage, '1 0 obj ) '.repeat(300_000))],
  ['PDF with a truncated stream', () => pdf(...onePage).subarray(0, 60)],
];

const good: readonly (readonly [string, () => Buffer | Promise<Buffer>])[] = [
  ['PNG', () => png({}, onePixel)],
  ['interlaced PNG', () => png({ interlace: 1 }, onePixel)],
  [
    'PNG with a text',
    () => png({}, onePixel, chunk('zTXt', Buffer.concat([Buffer.from('a\0\0'), deflateSync(Buffer.from('b'))]))),
  ],
  [
    'PNG of a page at 300 dots per inch',
    () => png({ width: 2_480, height: 3_508 }, deflateSync(Buffer.alloc((4 * 2_480 + 1) * 3_508))),
  ],
  ['JPEG of 48 million pixels', () => jpeg(8_000, 6_000)],
  ['PDF with object streams', async () => Buffer.from(await manyPages(3, true))],
  ['PDF of 300 pages', async () => Buffer.from(await manyPages(300, false))],
  [
    'PDF whose page has a damaged stream',
    () =>
      pdf(
        catalog,
        pages('3 0 R'),
        page.replace(' >>', ' /Contents 4 0 R >>'),
        stream('/Filter /FlateDecode', Buffer.from('?')),
      ),
  ],
];

const manyPages = async (count: number, useObjectStreams: boolean): Promise<Uint8Array> => {
  const document = await PDFDocument.create();
  for (let at = 0; at < count; at += 1) document.addPage([300, 200]).drawText('A receipt');
  return document.save({ useObjectStreams });
};

const assembled = {
  sender: { name: 'Harbour Shop', lines: [], policies: [] },
  chargeback: {
    dispute_reference: 'dp_1',
    opened_at: '2026-05-02T12:00:00.000Z',
    network: 'visa',
    reason_code: '10.4',
    amount: '1.00',
    currency: 'USD',
  },
  response: { text: 'We ask the issuer to reverse it.' },
} as unknown as Assembled;
const packet = (...files: Buffer[]) =>
  makeEvidencePdf(
    assembled,
    files.map((bytes, at) => ({
      ...{ kind: 'other', name: `file ${at}`, bytes },
      type: bytes.includes('%PDF-') ? 'application/pdf' : bytes[0] === 0xff ? 'image/jpeg' : 'image/png',
    })),
    letterSources,
  );

describe('a file that expands, repeats or nests', () => {
  it.each(hostile)('is refused, and left out of a packet: %s', async (_, make, words) => {
    const bytes = make();
    expect(bytes.length).toBeLessThan(4_500_000);
    expect(await examineFile(bytes)).toEqual({ refused: expect.stringMatching(words) });
    expect(await packet(bytes)).toMatchObject({ pages: 1, leftOut: ['file 0'] });
  });

  it.each(unreadable)('is accepted but left out of a packet: %s', async (_, make) => {
    const bytes = make();
    expect(await examineFile(bytes)).toEqual({ type: 'application/pdf' });
    expect(await packet(bytes)).toMatchObject({ pages: 1, leftOut: ['file 0'] });
  });
});

it.each(good)('an ordinary file is accepted: %s', async (_, make) => {
  expect(await examineFile(await make())).toMatchObject({ type: expect.any(String) });
});

it('a packet includes ordinary files, and leaves out those for which it has no room', async () => {
  const long = Buffer.from(await manyPages(400, true));
  const wide = png({ width: 4_000, height: 2_900, color: 0 }, deflateSync(Buffer.alloc(4_001 * 2_900)));
  expect(await packet(long, wide, long, long, wide, wide)).toMatchObject({
    pages: 1 + 400 + 1 + 400 + 1,
    leftOut: ['file 3', 'file 5'],
  });
});
