import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { declaredProcessors, staleProcessorFiles } from '#lib/build/processors.ts';
import { processors } from '#payments/processors/registered/registered.ts';

/** A copy of the processors' folders, in which something is changed. */
let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'forewarn-processors-'));
  for (const path of ['package.json', 'functions/core', 'functions/payments/processors', 'lib/dashboard/screens']) {
    cpSync(path, join(root, path), { recursive: true });
  }
  symlinkSync(resolve('node_modules'), join(root, 'node_modules'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const folder = 'functions/payments/processors';
const at = (file: string) => join(root, folder, file);
const change = (file: string, from: string, to: string): void => {
  const text = readFileSync(at(file), 'utf8');
  expect(text).toContain(from);
  writeFileSync(at(file), text.replace(from, to));
};

it('finds those that are registered, in their order, and all as it is written', async () => {
  const declared = await declaredProcessors(root);
  expect(declared.map(({ processor: { name } }) => name)).toEqual(processors.map(({ name }) => name));
  expect([...(await staleProcessorFiles(root)).keys()]).toEqual([]);
});

it('takes a table for the same in another format, and for stale with another word', async () => {
  const table = 'registered/registered-currencies.ts';
  const formatted = readFileSync(at(table), 'utf8').replaceAll('\n  ', ' ').replace(',\n}', '}');
  writeFileSync(at(table), formatted);
  expect([...(await staleProcessorFiles(root)).keys()]).toEqual([]);
  writeFileSync(at(table), formatted.replace('nmi: nmiCurrency', 'nmi: stripeCurrency'));
  expect([...(await staleProcessorFiles(root)).keys()]).toEqual([`${folder}/${table}`]);
});

describe('a folder', () => {
  const declaration = [
    "import * as v from 'valibot';",
    "import { defineProcessor } from '../ports/declaration.ts';",
    'export const trial = defineProcessor({',
    "  name: 'trial', place: 1000, takesPayments: true, sendsWebhooks: true, tellsOfLapses: true,",
    '  capturesLater: true, paysOut: false, namesAccount: false,',
    '  connection: { place: 1000, listsDisputes: false, isAtMerchant: false }, connectionKeys: v.object({ key: v.string() }),',
    '  credentials: v.object({ key: v.string(), region: v.optional(v.string()) }),',
    '  identity: ({ key }) => [key], toDto: () => ({}),',
    '});',
    'export const trialWords = {',
    "  title: 'Trial', fields: { key: { label: \"Trial's key\" }, region: { label: 'Region', isOpen: true } },",
    "  credentials: '`key`', connectionKeys: '`key`',",
    "  webhook: { key: '`key`', type: 'application/json', body: 'news of Trial, signed in its `mac`' },",
    '};',
  ].join('\n');
  const ports = {
    currencies: 'trialCurrency',
    client: 'trialProcessorOf',
    'webhook-client': 'trialWebhookOf',
    'connected-client': 'trialConnectedProcessorOf',
  };
  beforeEach(() => {
    mkdirSync(at('trial'));
    writeFileSync(at('trial/trial-declaration.ts'), declaration);
    for (const [file, name] of Object.entries(ports)) {
      writeFileSync(at(`trial/trial-${file}.ts`), `export const ${name}: unknown = null;\n`);
    }
  });

  it('is all that a new processor takes', async () => {
    const written = await staleProcessorFiles(root);
    const line = (file: string): string | undefined =>
      /^.*trial.*$/m.exec(written.get(file)?.replaceAll(/^import .*$/gm, '') ?? '')?.[0].trim();
    expect(line(`${folder}/registered/registered-processors-client.ts`)).toBe(
      "trial: async () => (await import('../trial/trial-client.ts')).trialProcessorOf,",
    );
    expect(line(`${folder}/registered/registered-disputes-client.ts`)).toBe('trial: null,');
    expect(line(`${folder}/registered/registered-connected-processors-client.ts`)).toContain(
      'trialConnectedProcessorOf',
    );
    expect(line(`${folder}/registered/registered-site-webhooks-client.ts`)).toBe('trial: trialWebhookOf,');
    expect(line(`${folder}/registered/registered-connection-webhooks-client.ts`)).toBe('trial: trialWebhookOf,');
    expect(line(`${folder}/registered/registered-currencies.ts`)).toBe('trial: trialCurrency,');
    expect(line(`${folder}/registered/processor-declarations.ts`)).toContain(', trial }');
    expect(line(`${folder}/registered/registered.ts`)).toContain(
      "name: 'trial', takesPayments: true, sendsWebhooks: true",
    );
    expect(written.get(`${folder}/registered/credential-words.ts`)).toContain(
      '; or news of Trial, signed in its `mac`.',
    );
    expect(line('lib/dashboard/screens/processor-fields.ts')).toContain("trial: 'Trial' }");
    expect(written.get('lib/dashboard/screens/processor-fields.ts')).toContain(
      "  trial: [{ name: 'key', label: translate('Trial\\'s key') }, { name: 'region', label: translate('Region'), isOptional: true, isOpen: true }],",
    );
  });

  it('is named with the others that sign in a header', async () => {
    const header = "header: { name: 'Trial-Signature', description: 'A digest.' }";
    change('trial/trial-declaration.ts', "body: 'news of Trial, signed in its `mac`'", header);
    const text = (await staleProcessorFiles(root)).get(`${folder}/registered/credential-words.ts`);
    expect(text).toMatch(/An event of Stripe, NMI.* or Trial, signed in a header;/);
    expect(text).toMatch(/headerSigners = \['stripe', 'nmi',.* 'trial'\]/);
  });

  it.each([
    [
      'a webhook client',
      () => rmSync(at('trial/trial-webhook-client.ts')),
      'exports no trialWebhookOf, though it sends',
    ],
    [
      'a connected processor',
      () => rmSync(at('trial/trial-connected-client.ts')),
      'exports no trialConnectedProcessorOf, though merchants',
    ],
    ['its currencies', () => rmSync(at('trial/trial-currencies.ts')), 'trial-currencies.ts exports no trialCurrency'],
    [
      'a label',
      () => change('trial/trial-declaration.ts', 'key: { label: "Trial\'s key" },', ''),
      'fields of trialWords and credentials differ in key',
    ],
    [
      'a place of its own',
      () => change('trial/trial-declaration.ts', 'place: 1000', 'place: 2'),
      ' has place 2 already; take another',
    ],
    [
      'the name of its folder',
      () => change('trial/trial-declaration.ts', "name: 'trial'", "name: 'apex'"),
      'apex belongs into',
    ],
    [
      'words of its webhooks',
      () => change('trial/trial-declaration.ts', /webhook: \{.*\}/.exec(declaration)?.[0] ?? '', 'webhook: null'),
      'trialWords.webhook must say what comes there',
    ],
    [
      'the keys of a connection',
      () => change('trial/trial-declaration.ts', ' connectionKeys: v.object({ key: v.string() }),', ''),
      'connectionKeys must say',
    ],
  ])('without %s is refused in words that say so', async (_, breakIt, words) => {
    breakIt();
    await expect(staleProcessorFiles(root)).rejects.toThrow(words);
  });
});
