import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { expect, it } from 'vitest';

/**
 * Who may import what; a file belongs to the first layer whose pattern fits it. `docs/architecture.md` gives the reasons.
 * Types may be taken from anywhere: they leave no trace in what runs.
 */
const layers = [
  {
    layer: 'contract',
    files:
      /^functions\/((operations|workers)|core\/(operation|worker|workers|errors|grants|environment|schema)|\w+\/(operations|workers|schemas))\.ts$/,
    may: ['contract', 'rules', 'valibot'],
  },
  {
    layer: 'handler',
    files: /^functions\/\w+\/handlers\//,
    may: ['contract', 'rules', 'row', 'store', 'client', 'flow', 'http', 'valibot', 'node:crypto'],
  },
  {
    layer: 'http',
    files: /^functions\/core\/(http|batch|log|multipart)\.ts$/,
    may: ['contract', 'rules', 'http', 'valibot', '@middy/'],
  },
  { layer: 'row', files: /^functions\/(core\/keys|\w+\/[\w-]+-row)\.ts$/, may: ['contract', 'rules', 'row'] },
  {
    layer: 'store',
    files: /^functions\/(core\/(table|aws|secrets)|\w+\/[\w-]+-store)\.ts$/,
    may: ['contract', 'rules', 'row', 'store', 'http', 'valibot', '@aws-sdk/', 'node:'],
  },
  // What takes both the table and a processor to do, in an order that loses nothing whatever breaks in between.
  {
    layer: 'flow',
    files: /^functions\/\w+\/[\w-]+-flow\.ts$/,
    may: ['contract', 'rules', 'row', 'store', 'client', 'flow', 'http'],
  },
  {
    layer: 'client',
    files: /^functions\/\w+\/([\w-]+-client|sender)\.ts$/,
    may: ['contract', 'rules', 'http', 'store', 'client', '@aws-sdk/', 'undici', 'stripe', 'node:'],
  },
  {
    layer: 'rules',
    files: /^functions\/\w+\/[\w-]+\.ts$/,
    may: [
      'contract',
      'rules',
      'valibot',
      'jose',
      'ipaddr.js',
      'i18n-iso-countries/',
      'json-rules-engine',
      'credit-card-type',
      'fast-xml-parser',
      'node:crypto',
      'node:util',
    ],
  },
  { layer: 'local', files: /^lib\/local\//, may: ['local', 'build', 'cloud', 'contract', 'rules', 'row', 'store', ''] },
  { layer: 'build', files: /^lib\/build\//, may: ['build', 'contract', 'esbuild', 'node:'] },
  {
    layer: 'cloud',
    files: /^lib\/(cloud|openapi)\//,
    may: [
      'cloud',
      'build',
      'contract',
      'rules',
      'aws-cdk-lib',
      'constructs',
      'cdk-nag',
      '@valibot/to-json-schema',
      'valibot',
      'node:',
    ],
  },
] as const;

const layerOf = (file: string) => layers.find(({ files }) => files.test(file));
const sources = ['functions', 'lib'].flatMap((root) =>
  readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => posix.join(root, file)),
);
const imported = /^(?:import|export)\s(?!type\b)[^;]*?from '([^']+)'|^import '([^']+)'|\bimport\('([^']+)'\)/gm;

it.each(sources)('%s imports only what its layer may', (file) => {
  const { layer, may } = layerOf(file) ?? { layer: 'none', may: [] };
  const targets = [...readFileSync(file, 'utf8').matchAll(imported)].map(([, a, b, c]) => a ?? b ?? c ?? '');
  const strays = targets.filter((target) => {
    const name = target.startsWith('.') ? layerOf(posix.join(posix.dirname(file), target))?.layer : target;
    return (
      name === undefined ||
      !may.some((allowed) =>
        target.startsWith('.') ? name === allowed : name.startsWith(allowed) && (allowed !== '' || layer === 'local'),
      )
    );
  });
  expect(strays, `layer ${layer}`).toEqual([]);
});

it('reads the system clock and chance in one place', () => {
  const readers = sources
    .filter((file) => file.startsWith('functions/') && file !== 'functions/core/clock.ts')
    .filter((file) => /Date\.now\(|new Date\(\)|Math\.random\(/.test(readFileSync(file, 'utf8')));
  expect(readers).toEqual([]);
});

it('never scans the table', () => {
  expect(
    sources.filter((file) => file.startsWith('functions/') && /ScanCommand|'Scan'/.test(readFileSync(file, 'utf8'))),
  ).toEqual([]);
});

it('spells keys in one place', () => {
  const spelled = sources.filter(
    (file) =>
      file.startsWith('functions/') &&
      file !== 'functions/core/keys.ts' &&
      /\bpk: [`'"]/.test(readFileSync(file, 'utf8')),
  );
  expect(spelled).toEqual([]);
});
