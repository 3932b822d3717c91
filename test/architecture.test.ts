import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { describe, expect, it } from 'vitest';

/**
 * Who may import what; a file belongs to the first layer whose pattern fits it. `docs/architecture.md` gives the reasons.
 * Types may be taken from anywhere: they leave no trace in what runs.
 */
const layers = [
  {
    layer: 'contract',
    files:
      /^functions\/(core\/(operation|worker|errors|grants|environment|schema)|\w+\/([\w-]+\/(operation|worker)|([\w-]+-)?(declarations|schemas)))\.ts$/,
    may: ['contract', 'rules', 'valibot'],
  },
  {
    layer: 'handler',
    files: /^functions\/\w+\/[\w-]+\/handler\.ts$/,
    may: ['contract', 'rules', 'row', 'store', 'client', 'flow', 'http', 'valibot', 'node:crypto'],
  },
  {
    layer: 'http',
    files: /^functions\/core\/(http|batch|log|multipart)\.ts$/,
    may: ['contract', 'rules', 'http', 'valibot', '@middy/'],
  },
  {
    layer: 'row',
    files: /^functions\/(core\/keys|\w+\/([\w-]+\/)?[\w-]+-row)\.ts$/,
    may: ['contract', 'rules', 'row', 'valibot'],
  },
  {
    layer: 'store',
    files: /^functions\/(core\/(table|aws|secrets)|\w+\/([\w-]+\/)?[\w-]+-store)\.ts$/,
    may: ['contract', 'rules', 'row', 'store', 'http', 'valibot', '@aws-sdk/', 'node:'],
  },
  // What takes both the table and a processor to do, in an order that loses nothing whatever breaks in between.
  {
    layer: 'flow',
    files: /^functions\/\w+\/([\w-]+\/)?[\w-]+-flow\.ts$/,
    may: ['contract', 'rules', 'row', 'store', 'client', 'flow', 'http'],
  },
  {
    layer: 'client',
    files: /^functions\/\w+\/([\w-]+\/)?([\w-]+-client|sender)\.ts$/,
    may: [
      'contract',
      'rules',
      'http',
      'store',
      'client',
      'valibot',
      '@aws-sdk/',
      'undici',
      'stripe',
      'mastercard-oauth1-signer',
      'node:',
    ],
  },
  {
    layer: 'rules',
    files: /^functions\/\w+\/([\w-]+\/)?[\w-]+\.ts$/,
    may: [
      'contract',
      'rules',
      'valibot',
      'jose',
      'otpauth',
      'ipaddr.js',
      'i18n-iso-countries/',
      'json-rules-engine',
      'credit-card-type',
      'fast-xml-parser',
      'fflate',
      'node:crypto',
      'node:util',
    ],
  },
  // What runs in a browser has no code of the service in it: of `functions/` it takes types alone.
  {
    layer: 'browser',
    files: /^lib\/dashboard\//,
    may: ['browser', 'preact', '@preact/signals', 'wouter-preact', 'uqr'],
  },
  // The SDK for merchants' pages, and the scripts of the frames it opens: they run beside payers' cards and take nothing from anybody.
  { layer: 'sdk', files: /^lib\/sdk\//, may: ['sdk'] },
  // The package for those who call the service: it has nothing of it but types that are made from the API document.
  { layer: 'package', files: /^lib\/client\//, may: ['package'] },
  // What finds the declarations by their folders.
  { layer: 'found', files: /^functions\/(found|operations|workers)\.ts$/, may: ['found', 'contract', 'node:'] },
  {
    layer: 'local',
    files: /^lib\/local\//,
    may: ['local', 'build', 'cloud', 'found', 'contract', 'rules', 'row', 'store', ''],
  },
  { layer: 'build', files: /^lib\/build\//, may: ['build', 'contract', 'esbuild', 'node:'] },
  {
    layer: 'cloud',
    files: /^lib\/(cloud|openapi)\//,
    may: [
      'cloud',
      'build',
      'found',
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

/**
 * What each area of `functions/` may import of the others, types included; every area may import core. From the lowest up: an
 * area may import only what stands before it, so none can circle. The two files at the top find the declarations of all.
 */
const areas: Readonly<Record<string, readonly string[]>> = {
  core: [],
  payments: [],
  providers: [],
  conditions: [],
  documents: [],
  dashboard: [],
  merchants: [],
  notifications: ['merchants'],
  auth: ['merchants', 'notifications'],
  onboarding: ['merchants', 'notifications'],
  enrollments: ['merchants', 'notifications', 'providers'],
  processors: ['merchants', 'notifications', 'payments'],
  threeds: ['merchants', 'notifications', 'payments', 'processors'],
  fraud: ['conditions', 'merchants', 'payments'],
  datasources: ['fraud', 'payments'],
  pricing: ['fraud', 'merchants', 'payments', 'processors'],
  alerts: ['conditions', 'enrollments', 'merchants', 'notifications', 'providers'],
  orders: ['alerts', 'enrollments', 'fraud', 'merchants', 'notifications', 'payments', 'providers'],
  transactions: [
    'alerts',
    'fraud',
    'merchants',
    'notifications',
    'orders',
    'payments',
    'pricing',
    'processors',
    'providers',
    'threeds',
  ],
  outcomes: ['alerts', 'merchants', 'notifications', 'processors', 'providers'],
  connections: ['alerts', 'merchants', 'orders', 'processors', 'providers', 'transactions'],
  costs: ['alerts', 'merchants', 'providers'],
  refunds: [
    'alerts',
    'connections',
    'fraud',
    'notifications',
    'orders',
    'payments',
    'processors',
    'providers',
    'transactions',
  ],
  rules: [
    'alerts',
    'conditions',
    'connections',
    'costs',
    'merchants',
    'notifications',
    'processors',
    'providers',
    'refunds',
    'transactions',
  ],
  chargebacks: [
    'alerts',
    'connections',
    'merchants',
    'notifications',
    'orders',
    'processors',
    'providers',
    'refunds',
    'rules',
    'transactions',
  ],
  balance: ['merchants', 'payments', 'processors', 'transactions'],
  cardsearch: ['merchants', 'notifications', 'payments', 'transactions'],
  reports: ['alerts', 'merchants', 'providers'],
  counts: ['alerts', 'costs', 'reports', 'rules'],
  dispatch: ['alerts', 'merchants', 'notifications', 'providers'],
};

const layerOf = (file: string) => layers.find(({ files }) => files.test(file));
const sources = ['functions', 'lib', 'bin'].flatMap((root) =>
  readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => posix.join(root, file)),
);
/** Imports that leave a trace in what runs, and all, those of types included. */
const imported = /^(?:import|export)\s(?!type\b)[^;]*?from '([^']+)'|^import '([^']+)'|\bimport\('([^']+)'\)/gm;
const importedAtAll = /^(?:import|export)\s[^;]*?from '([^']+)'|^import '([^']+)'|\bimport\('([^']+)'\)/gm;
const targetsOf = (file: string, pattern: RegExp): string[] =>
  [...readFileSync(file, 'utf8').matchAll(pattern)].map(([, a, b, c]) => a ?? b ?? c ?? '');
const filesImportedBy = (file: string): string[] =>
  targetsOf(file, importedAtAll)
    .filter((target) => target.startsWith('.'))
    .map((target) => posix.join(posix.dirname(file), target));
const areaOf = (file: string): string | undefined => /^functions\/(\w+)\//.exec(file)?.[1];

it.each(sources.filter((file) => !file.startsWith('bin/')))('%s imports only what its layer may', (file) => {
  const { layer, may } = layerOf(file) ?? { layer: 'none', may: [] };
  expect(layer, `${file} fits no layer: its name or its place is wrong, see docs/architecture.md`).not.toBe('none');
  const strays = targetsOf(file, imported).filter((target) => {
    const name = target.startsWith('.') ? layerOf(posix.join(posix.dirname(file), target))?.layer : target;
    return (
      name === undefined ||
      !may.some((allowed) =>
        target.startsWith('.') ? name === allowed : name.startsWith(allowed) && (allowed !== '' || layer === 'local'),
      )
    );
  });
  expect(strays, `${file} is of the layer ${layer}, which may import ${may.join(', ')}`).toEqual([]);
});

describe('the areas', () => {
  it('may each import only what stands before them, so that none circles', () => {
    const order = Object.keys(areas);
    const early = order.flatMap((area, place) =>
      (areas[area] ?? [])
        .filter((other) => order.indexOf(other) >= place || other === 'core')
        .map((other) => [area, other]),
    );
    expect(early).toEqual([]);
  });

  it('are listed in docs/architecture.md as they are here', () => {
    const rows = Object.entries(areas).map(([area, others]) => `| ${area} | ${others.join(', ') || 'nothing'} |`);
    const written = readFileSync('docs/architecture.md', 'utf8').split('\n');
    const start = written.indexOf('| area | may import, besides core |') + 2;
    expect(written.slice(start, start + rows.length + 1)).toEqual([...rows, '']);
  });

  it('are all in the table', () => {
    const found = new Set(sources.flatMap((file) => areaOf(file) ?? []));
    expect([...found].sort()).toEqual(Object.keys(areas).sort());
  });

  it('import nothing of each other but what the table allows, and nothing outside functions', () => {
    const strays = sources.flatMap((file) => {
      const area = areaOf(file);
      if (area === undefined) return [];
      const may = [area, 'core', ...(areas[area] ?? [])];
      return filesImportedBy(file)
        .filter((target) => !may.includes(areaOf(target) ?? ''))
        .map((target) => `${file} imports ${target}; ${area} may import core, ${(areas[area] ?? []).join(', ')}`);
    });
    expect(strays).toEqual([]);
  });

  it('allow nothing that is not imported', () => {
    const used = new Set(
      sources.flatMap((file) => filesImportedBy(file).map((target) => `${areaOf(file)} -> ${areaOf(target)}`)),
    );
    const idle = Object.entries(areas).flatMap(([area, others]) =>
      others.map((other) => `${area} -> ${other}`).filter((pair) => !used.has(pair)),
    );
    expect(idle).toEqual([]);
  });
});

it('knows each processor in its own folder alone', () => {
  const own = /^functions\/processors\/(?:(?:registered|declared|described)[\w-]*\.ts$|(?!set-|site-|sandbox-)\w+\/)/;
  const strays = sources.filter((file) => {
    if (!file.startsWith('functions/') || own.test(file)) return false;
    const text = readFileSync(file, 'utf8');
    // An alert network is called stripe as well, and disputes at the sandbox are made by alerts here.
    return /'(adyen|braintree|nmi)'|\/(adyen|braintree|nmi|stripe)\//.test(text);
  });
  expect(strays, 'let its declaration or one of its ports say it (docs/decisions/0109)').toEqual([]);
});

it('has no circle of files, types included', () => {
  const state = new Map<string, 'open' | 'done'>();
  const circles: string[] = [];
  const visit = (file: string, path: readonly string[]): void => {
    if (state.get(file) === 'done') return;
    if (state.get(file) === 'open') {
      circles.push([...path.slice(path.indexOf(file)), file].join(' -> '));
      return;
    }
    state.set(file, 'open');
    for (const target of filesImportedBy(file)) if (sources.includes(target)) visit(target, [...path, file]);
    state.set(file, 'done');
  };
  for (const file of sources) visit(file, []);
  expect(circles).toEqual([]);
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

/** Rows that are read as they lie, each for its reason. */
const rowsAsTheyLie: Readonly<Record<string, string>> = {
  'functions/balance/funds-row.ts': 'its attributes are named after currencies, and only ever added to',
  'functions/costs/cost-day-row.ts': 'its attributes are sums named after what they count, and only ever added to',
};

it('reads each row as it was declared', () => {
  const readers = sources.filter((file) => /^functions\/.*-row\.ts$/.test(file));
  const undeclared = readers.filter((file) => {
    const text = readFileSync(file, 'utf8');
    return /export const from\w+Items? =/.test(text) && !text.includes('defineRow');
  });
  expect(undeclared, 'declare the row with defineRow (docs/decisions/0054), or say here why not').toEqual(
    Object.keys(rowsAsTheyLie),
  );
});
