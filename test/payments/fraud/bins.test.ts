import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { keys } from '#core/platform/table/keys.ts';
import { getItem } from '#core/platform/table/table.ts';
import { type BinTable, countryOfBin, readBinTable, toBin } from '#payments/fraud/bins/bins.ts';
import { putBins, rangesOfDigits } from '#payments/fraud/bins/bins-store.ts';
import { useCommand } from '#test/support/command.ts';
import { useEmulator } from '#test/support/table.ts';

useEmulator();

const head = ['iin_start', 'iin_end', 'country'];
const record = (iin_start: string, iin_end: string, country: string) => ({
  line: 2,
  fields: { iin_start, iin_end, country },
});
const aTable = (...lines: [string, string, string][]): BinTable => {
  const table = readBinTable(
    head,
    lines.map((line) => record(...line)),
  );
  if (Array.isArray(table)) throw new Error(table.join());
  return table;
};
const countryIn = ({ ranges }: BinTable, number: string): string | null =>
  countryOfBin(ranges.get(number.slice(0, 6)) ?? [], toBin(number));

describe('a table of BINs', () => {
  it('tells the country of the narrowest range that holds a card’s first eight digits', () => {
    const table = aTable(
      ['4000', '4000', 'US'],
      ['400000', '400000', 'GB'],
      ['40000027', '40000027', 'de'],
      ['510000', '510099', 'FR'],
    );
    expect(countryIn(table, '4000002760000016')).toBe('DE');
    expect(countryIn(table, '4000000000000002')).toBe('GB');
    expect(countryIn(table, '4000990000000002')).toBe('US');
    expect(countryIn(table, '5100504444444444')).toBe('FR');
    expect(countryIn(table, '5101000000000000')).toBeNull();
    expect(countryIn(table, '378282246310005')).toBeNull();
  });

  it('is found as if every range were looked at', () => {
    // Numbers to the base of three: an expression would be parsed again for each line.
    const digits = (length: number) =>
      fc
        .integer({ min: 0, max: 3 ** (length - 4) - 1 })
        .map((number) => `4000${number.toString(3).padStart(length - 4, '0')}`);
    const line = fc
      .integer({ min: 5, max: 8 })
      .chain((length) => fc.tuple(digits(length), digits(length), fc.constantFrom('US', 'DE', 'FR')))
      .map(([a, b, country]): [string, string, string] => (a <= b ? [a, b, country] : [b, a, country]));
    fc.assert(
      fc.property(fc.array(line, { maxLength: 12 }), digits(8), (lines, bin) => {
        const holding = lines
          .map(([from, to, country]) => ({ from: from.padEnd(8, '0'), to: to.padEnd(8, '9'), country }))
          .filter(({ from, to }) => Number(from) <= Number(bin) && Number(bin) <= Number(to));
        const narrowest = Math.min(...holding.map(({ from, to }) => Number(to) - Number(from)));
        const countries = holding
          .filter(({ from, to }) => Number(to) - Number(from) === narrowest)
          .map(({ country }) => country);
        const found = countryIn(aTable(...lines), `${bin}00000000`);
        if (countries.length === 0) expect(found).toBeNull();
        else expect(countries).toContain(found);
      }),
    );
  });

  it('knows the heads that such tables have, whatever their capitals and spaces', () => {
    const table = readBinTable(
      ['BIN', 'Brand', ' isoCode2 '],
      [{ line: 2, fields: { BIN: '457173', Brand: 'VISA', ' isoCode2 ': 'DK' } }],
    );
    expect(Array.isArray(table) ? table : countryIn(table, '4571736000000000')).toBe('DK');
    expect(readBinTable(['number', 'land'], [])).toEqual([expect.stringMatching(/^the head must name .*bin.*country/)]);
  });

  it('leaves out lines that say nothing it could use, and counts them', () => {
    const { ranges, skipped } = aTable(
      ['400000', '', ''],
      ['400000', '', 'AN'],
      ['4000001234', '4000001234', 'US'],
      ['4000000000', '4000009999', 'DE'],
    );
    expect([...ranges]).toEqual([['400000', [{ from: '40000000', to: '40000099', country: 'DE' }]]]);
    expect(skipped).toEqual({ withoutCountry: 2, tooFine: 1 });
  });

  it.each([
    ['400', '400', 'US', 'line 2: the first digits must be 4 to 11 digits'],
    ['4000x0', '', 'US', 'line 2: the first digits must be 4 to 11 digits'],
    ['400000', '40000', 'US', 'line 2: both ends of the range must have as many digits'],
    ['400001', '400000', 'US', 'line 2: the range must end where it begins or later'],
    ['4000', '4999', 'US', 'line 2: the range must not hold more than 1000 times six digits'],
  ])('refuses %s to %s in %s', (from, to, country, problem) => {
    expect(readBinTable(head, [record(from, to, country)])).toEqual([problem]);
  });
});

it('is kept by the first six digits, and a later table takes their place', async () => {
  await putBins(aTable(['457173', '457173', 'DK'], ['45717360', '45717360', 'SE'], ['510000', '510002', 'FR']).ranges);
  const known = async (digits: string) => (await rangesOfDigits(digits)).map(({ country }) => country);
  expect(await Promise.all(['457173', '45717360', '5100019'].map(known))).toEqual([['DK', 'SE'], ['DK', 'SE'], ['FR']]);
  await putBins(aTable(['45717300', '45717349', 'NO']).ranges);
  expect(await Promise.all(['457173', '45717360', '510001', '999999'].map(known))).toEqual([['NO'], [], ['FR'], []]);
});

describe('npm run bins', () => {
  const folder = mkdtempSync(join(tmpdir(), 'forewarn-bins-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const run = useCommand('bin/bins.ts');
  const bins = (...args: string[]) => run(args);
  const fileOf = (name: string, content: string): string => {
    const file = join(folder, name);
    writeFileSync(file, content);
    return file;
  };

  it('imports a file and says what is known', async () => {
    const file = fileOf(
      'ranges.csv',
      '\ufeffiin_start;bank;iin_end;country\n601100;"A; bank";601101;US\n621094;;;CN\n9;9;;\n'.replace(
        '9;9;;',
        '620000;;;',
      ),
    );
    expect(await bins('import', file)).toEqual({
      status: 0,
      err: '',
      out: '3 lines read, 3 rows written.\n1 lines were left out, as they name no country of ISO 3166-1.\n',
    });
    expect(await bins('show', '62109412')).toMatchObject({ status: 0, out: '62109400 to 62109499  CN\n' });
    expect(await bins('show', '620000')).toMatchObject({ status: 0, out: 'Nothing is known about 620000.\n' });
    const again = await bins('import', file, '--json');
    expect(JSON.parse(again.out)).toEqual({ lines: 3, rows: 3, left_out: { without_country: 1, too_fine: 0 } });
    const shown = await bins('show', '62109412', '--json');
    expect(JSON.parse(shown.out)).toEqual([{ from: '62109400', to: '62109499', country: 'CN' }]);
    expect(await bins('show', '620000', '--json')).toMatchObject({ status: 0, out: '[]\n' });
    expect(await getItem(keys.bins('601101'))).toMatchObject({ ranges: [['60110000', '60110199', 'US']] });
  });

  it.each([
    [['import', 'missing.csv'], 'missing.csv cannot be read (ENOENT).\n'],
    [['show', '4242'], 'Give six to eight digits: those a card number begins with.\n'],
    [['show', '4242424242424242'], 'Give six to eight digits: those a card number begins with.\n'],
    [['show'], 'show takes one argument: six to eight digits.\n'],
    [['drop', '424242'], 'There is no command drop; npm run bins -- --help lists them.\n'],
  ])('refuses %j', async (args, said) => {
    expect(await bins(...args)).toEqual({ status: 1, out: '', err: said });
  });

  it('says what is wrong with a file, and writes nothing of it', async () => {
    const file = fileOf('wrong.csv', 'bin\tcountry\n400009\tUS\n\n40\tUS\n');
    expect(await bins('import', file)).toMatchObject({
      status: 1,
      err: `${file} was not imported:\n  line 4: the first digits must be 4 to 11 digits\n`,
    });
    expect(await getItem(keys.bins('400009'))).toBeUndefined();
    const foreign = fileOf('foreign.csv', 'bin,country\n400009,XX\n');
    expect((await bins('import', foreign)).err).toContain('no line of it could be used');
    const wide = join(folder, 'wide.csv');
    writeFileSync(wide, Buffer.from('\ufeffbin,country\n400009,US\n', 'utf16le'));
    expect((await bins('import', wide)).err).toBe(`${wide} is not text in UTF-8.\n`);
    const quoted = fileOf('quoted.csv', 'bin,country\n"4000\n');
    expect(await bins('import', quoted)).toMatchObject({
      status: 1,
      err: expect.stringContaining('is not a CSV file'),
    });
  });

  it('explains itself', async () => {
    expect(await bins('--help')).toMatchObject({ status: 0, out: expect.stringContaining('import <file.csv>') });
  });
});
