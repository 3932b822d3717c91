import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { applyMapping, type ProviderMapping, unreadPaths } from '#disputes/providers/mapping/mapping.ts';
import { readMappingFile, readProviderMappings } from '#lib/build/provider-mappings.ts';
import { readSettings } from '#lib/cloud/settings.ts';
import { tryMapping } from '#lib/local/imports/mapping-trial.ts';
import { alertAt, seedClaims, seedEnrolledSite, sendBody } from '#test/disputes/alerts/seed.ts';
import { ask, useOperations } from '#test/support/operations.ts';

useOperations();

const folder = mkdtempSync(join(tmpdir(), 'forewarn-mappings-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const putFile = (name: string, content: unknown): string => {
  const path = join(folder, name);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
};

describe('the mappings of the documentation', () => {
  const names = readdirSync('docs/mappings').filter((name) => !name.endsWith('.sample.json'));
  it.each(names)('%s maps its sample to a message that the provider accepts', (name) => {
    const mapping = readMappingFile(`docs/mappings/${name}`);
    const sample: unknown = JSON.parse(readFileSync(`docs/mappings/${name.replace('.json', '.sample.json')}`, 'utf8'));
    expect(tryMapping(mapping, sample)).toMatchObject({ problem: null });
  });
});

describe('applyMapping', () => {
  const apply = (fields: ProviderMapping['fields'], sent: unknown) => applyMapping({ provider: 'rdr', fields }, sent);

  it('reads nested fields, list entries and quoted names', () => {
    const sent = { case: { id: 'C1' }, amounts: [{ value: 5 }, { value: 7 }], 'Card Number': '4111' };
    const fields = { id: '$.case.id', second: '$.amounts[1].value', card: "$['Card Number']" };
    expect(apply(fields, sent)).toEqual({ id: 'C1', second: 7, card: '4111' });
  });

  it('leaves out fields whose path leads nowhere, or to an empty text or null', () => {
    expect(apply({ a: '$.a', b: '$.b.c', c: '$.c', d: '$.d[0]' }, { b: null, c: '', d: [] })).toEqual({});
  });

  it('replaces words, keeps unknown ones, or uses the default for them', () => {
    const words = { yes: 'ACCEPTED' };
    expect(apply({ a: { from: '$.a', words } }, { a: 'yes' })).toEqual({ a: 'ACCEPTED' });
    expect(apply({ a: { from: '$.a', words } }, { a: 'maybe' })).toEqual({ a: 'maybe' });
    expect(apply({ a: { from: '$.a', words, default: 'DECLINED' } }, { a: 'maybe' })).toEqual({ a: 'DECLINED' });
    expect(apply({ a: { from: '$.a', default: 'X' } }, {})).toEqual({ a: 'X' });
  });

  it('sets constants, and nests fields with dotted names', () => {
    expect(apply({ 'amount.value': '$.sum', 'amount.currencyCode': { value: 'USD' } }, { sum: '5.00' })).toEqual({
      amount: { value: '5.00', currencyCode: 'USD' },
    });
  });

  it('never reads what objects inherit', () => {
    expect(apply({ a: '$.constructor', b: '$.__proto__' }, {})).toEqual({});
  });

  it('replaces no word by what objects inherit', () => {
    const mapping: ProviderMapping = { provider: 'provider_b', fields: { kind: { from: '$.a', words: { x: 'y' } } } };
    expect(applyMapping(mapping, { a: 'constructor' })).toEqual({ kind: 'constructor' });
  });

  it('names the paths that it does not read', () => {
    const mapping = { provider: 'rdr', fields: { id: '$.id', currency: { from: '$.sum.currency' } } };
    expect(unreadPaths(mapping, { id: 1, sum: { value: 5, currency: 'USD' }, 'a b': [2] })).toEqual([
      '$.sum.value',
      "$['a b'][0]",
    ]);
  });
});

describe('a stage with a mapping', () => {
  const mapped = (sid: number, change: object = {}) => ({
    case: { number: `C-${sid}`, type: 'DISPUTE', networkDescriptor: `SHOP ${sid}`, accountNumber: '423234xxxxxx3773' },
    sum: '39.99',
    day: '2026-05-01',
    ...change,
  });
  const mapping = {
    provider: 'provider_b',
    fields: {
      status: { value: 'NEW' },
      caseId: '$.case.number',
      caseType: '$.case.type',
      descriptor: '$.case.networkDescriptor',
      accountNumber: '$.case.accountNumber',
      transactionAmount: '$.sum',
      transactionCurrency: { value: 'USD' },
      transactionDate: '$.day',
    },
  };
  afterEach(() => {
    delete process.env['PROVIDER_MAPPINGS'];
  });

  it("stores a reseller's message as an alert of the provider", async () => {
    process.env['PROVIDER_MAPPINGS'] = readProviderMappings(putFile('b.json', mapping));
    const site = await seedEnrolledSite(91);
    await seedClaims('provider_b', 'EXACT', `SHOP ${site.sid}`, site);
    const { status, body } = await sendBody('provider_b', mapped(site.sid));
    expect({ status, body }).toMatchObject({ status: 200, body: { matched: true } });
    const { providerAlert } = await alertAt((body as { alert_id: number }).alert_id);
    expect(providerAlert).toMatchObject({ caseId: `C-${site.sid}`, amount: '39.99', currency: 'USD' });
  });

  it('quarantines what it cannot read as it was sent, and accepts a corrected message in the same form', async () => {
    process.env['PROVIDER_MAPPINGS'] = readProviderMappings(putFile('b.json', mapping));
    const site = await seedEnrolledSite(92);
    const sent = mapped(site.sid, { sum: 'unknown' });
    expect((await sendBody('provider_b', sent)).status).toBe(400);
    const { list } = (await ask('alerts/list-quarantine', { body: { provider: 'provider_b' } })).body as {
      list: [{ id: string }];
    };
    const { id } = list[0];
    const params = { id };
    const message = mapped(site.sid);
    expect(await ask('alerts/resubmit-quarantined', { params, body: { message } })).toMatchObject({ status: 200 });
  });

  it('leaves the messages of other providers as they are', async () => {
    process.env['PROVIDER_MAPPINGS'] = readProviderMappings(putFile('rdr.json', { ...mapping, provider: 'rdr' }));
    const site = await seedEnrolledSite(93);
    expect((await sendBody('provider_b', mapped(site.sid))).status).toBe(400);
  });
});

describe('the setting providerMappings', () => {
  const setting = (files: string) => () =>
    readSettings((name) => ({ stage: 'dev', providerMappings: files })[name as 'stage']);
  const valid = { provider: 'rdr', fields: { decisionId: '$.id' } };

  it('gives functions the mappings of all files', () => {
    const files = `${putFile('one.json', valid)},${putFile('two.json', { ...valid, provider: 'provider_b' })}`;
    expect(JSON.parse(setting(files)().providerMappings)).toEqual([valid, { ...valid, provider: 'provider_b' }]);
    expect(setting('')().providerMappings).toBe('[]');
  });

  it.each([
    ['a file that is missing', () => join(folder, 'none.json'), /none\.json: cannot be read/],
    ['a file that is not JSON', () => putFile('text.json', 'text'), /text\.json: is not JSON/],
    ['a provider that is unknown', () => putFile('x.json', { ...valid, provider: 'x' }), /provider: must be one of/],
    ['a path without a form', () => putFile('p.json', { ...valid, fields: { a: 'id' } }), /fields\.a: must be a path/],
    [
      'two files for one provider',
      () => `${putFile('a.json', valid)},${putFile('b.json', valid)}`,
      /two files map rdr/,
    ],
    [
      'mappings that are too large',
      () => putFile('l.json', { ...valid, fields: { a: { value: 'x'.repeat(3000) } } }),
      /more than 2500 bytes/,
    ],
  ])('refuses %s', (_, files, words) => {
    expect(setting(files())).toThrow(words);
  });
});
