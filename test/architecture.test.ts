import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { describe, expect, it } from 'vitest';

/** Rules that browsers run as well: they have no code but each other's. */
const rulesForBrowsers = [
  'functions/core/kernel/card/card-numbers.ts',
  'functions/core/kernel/card/luhn.ts',
  'functions/core/kernel/card/order-numbers.ts',
  'functions/core/kernel/clock.ts',
  'functions/core/kernel/csv/csv-table.ts',
  'functions/core/kernel/money/currencies.ts',
  'functions/core/kernel/money/money.ts',
  'functions/core/kernel/money/number-text.ts',
  'functions/disputes/costs/statement/statement-file.ts',
] as const;

/**
 * The import rules, types included; a file belongs to the first layer whose pattern fits it. `docs/architecture.md` gives the
 * reasons. `mayAsType`: what it may name in addition, because types leave no trace at run time.
 */
const layers = [
  {
    layer: 'contract',
    files:
      /^functions\/(core\/platform\/(operation\/(operation|worker|errors|grants|environment)|work\/due)|core\/kernel\/schema\/schema|.+-due|(.+\/)?(operation|worker|([\w-]+-)?(declarations|schemas)))\.ts$/,
    may: ['contract', 'rules', 'valibot'],
  },
  {
    layer: 'handler',
    files: /^functions\/(.+\/(api|jobs)|jobs)\/[\w-]+\/handler\.ts$/,
    may: ['contract', 'rules', 'row', 'store', 'client', 'flow', 'http', 'valibot', 'node:crypto'],
    mayAsType: ['aws-lambda'],
  },
  {
    layer: 'http',
    files: /^functions\/core\/platform\/(http\/(http|multipart)|log\/log|work\/batch)\.ts$/,
    may: ['contract', 'rules', 'http', 'valibot', '@middy/'],
    mayAsType: ['aws-lambda'],
  },
  {
    layer: 'row',
    files: /^functions\/(core\/platform\/table\/(keys|item)|.+-row)\.ts$/,
    may: ['contract', 'rules', 'row', 'valibot'],
    // The shape of what DynamoDB is sent.
    mayAsType: ['@aws-sdk/lib-dynamodb'],
  },
  {
    layer: 'store',
    files: /^functions\/(core\/platform\/(table\/(table|aws)|secrets\/secrets)|.+-store)\.ts$/,
    may: ['contract', 'rules', 'row', 'store', 'http', 'valibot', '@aws-sdk/', '@smithy/', 'node:'],
    mayAsType: ['aws-lambda'],
  },
  // Flows take both the table and a processor, in an order that loses nothing whatever breaks in between.
  {
    layer: 'flow',
    files: /^functions\/.+-flow\.ts$/,
    may: ['contract', 'rules', 'row', 'store', 'client', 'flow', 'http', '@modelcontextprotocol/sdk/'],
    mayAsType: ['aws-lambda'],
  },
  {
    layer: 'client',
    files: /^functions\/.+(-client|\/sender)\.ts$/,
    may: [
      'contract',
      'shared',
      'rules',
      'http',
      'store',
      'client',
      'valibot',
      '@aws-sdk/',
      'undici',
      'stripe',
      'mastercard-oauth1-signer',
      'web-push',
      'node:',
    ],
  },
  // Tables of facts, as data or for the dashboard as well, and the keys of its texts: they import nothing.
  {
    layer: 'shared',
    files:
      /^(functions\/(core\/kernel\/card\/(scheme-reasons|dispute-proofs)\.ts|disputes\/reports\/avoided\.ts|.+\.json)|lib\/dashboard\/language\/text-key\.ts)$/,
    may: ['shared'],
  },
  {
    layer: 'rules',
    files: /^functions\/.+\/[\w-]+\.ts$/,
    may: [
      'contract',
      'shared',
      'rules',
      'valibot',
      'jose',
      'otpauth',
      '@simplewebauthn/server',
      'ipaddr.js',
      'i18n-iso-countries/',
      'json-rules-engine',
      'credit-card-type',
      'fast-xml-parser',
      '@cantoo/pdf-lib',
      '@cantoo/fontkit',
      'bidi-js',
      'fflate',
      'marked',
      'node:async_hooks',
      'node:crypto',
      'node:net',
      'node:util',
      'node:zlib',
    ],
    // Rules work on what rows hold.
    mayAsType: ['row'],
  },
  // Browser code contains no code of the service but these rules: of `functions/` it imports types alone.
  {
    layer: 'browser',
    files: /^lib\/dashboard\//,
    may: [
      'browser',
      'shared',
      ...rulesForBrowsers,
      'preact',
      '@preact/signals',
      'wouter-preact',
      'uqr',
      '@simplewebauthn/browser',
    ],
    mayAsType: ['contract', 'rules', 'row', 'valibot'],
  },
  // The SDK for merchants' pages, and the scripts of the frames it opens: they run next to payers' cards and import nothing.
  { layer: 'sdk', files: /^lib\/sdk\//, may: ['sdk'] },
  // The package for those who call the service: it has nothing of it but types that are made from the API document.
  { layer: 'package', files: /^lib\/client\//, may: ['package'] },
  // The files that find the declarations by their folders.
  {
    layer: 'declared',
    files: /^functions\/(declaration-files|operations|workers)\.ts$/,
    may: ['declared', 'contract', 'node:'],
  },
  {
    layer: 'operator',
    files: /^lib\/operator\//,
    may: [
      'operator',
      'local',
      'cloud',
      'declared',
      'contract',
      'rules',
      'valibot',
      ...[
        'api-gateway',
        'cloudformation',
        'cloudwatch-logs',
        'dynamodb',
        'iam',
        'lambda',
        'secrets-manager',
        'sesv2',
        'ssm',
      ].map((service) => `@aws-sdk/client-${service}`),
      'node:',
    ],
  },
  {
    layer: 'local',
    files: /^lib\/local\//,
    may: ['local', 'build', 'cloud', 'declared', 'contract', 'rules', 'row', 'store', ''],
  },
  {
    layer: 'build',
    files: /^lib\/build\//,
    may: ['build', 'declared', 'contract', 'row', 'shared', 'esbuild', 'node:'],
    mayAsType: ['rules'],
  },
  {
    layer: 'cloud',
    files: /^lib\/(cloud|openapi)\//,
    may: [
      'cloud',
      'build',
      'declared',
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
 * The shelves of `functions/`, from the lowest up, and their areas, from the lowest up, with what each area may import of the others,
 * types included. Every area may import the shelf core; nothing may import an area that comes later, apart from `upwards`.
 */
const shelves: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  core: {
    kernel: [],
    platform: [],
  },
  accounts: {
    merchants: [],
    auth: ['merchants'],
    onboarding: ['merchants'],
    documents: [],
    dashboard: [],
    agents: [],
  },
  messaging: {
    webhooks: ['merchants', 'alerts'],
    mail: [],
  },
  payments: {
    payments: [],
    conditions: [],
    fraud: ['merchants', 'payments', 'conditions'],
    processors: ['merchants', 'payments'],
    pricing: ['merchants', 'payments', 'fraud', 'processors'],
    threeds: ['merchants', 'payments', 'processors'],
    orders: ['merchants', 'payments', 'fraud'],
    datasources: ['payments', 'fraud'],
    transactions: ['merchants', 'webhooks', 'payments', 'fraud', 'processors', 'pricing', 'threeds', 'orders'],
    balance: ['merchants', 'payments', 'processors', 'transactions'],
    cardsearch: ['merchants', 'payments', 'transactions'],
  },
  disputes: {
    providers: [],
    matching: ['pricing'],
    enrollments: ['merchants', 'webhooks', 'providers'],
    alerts: ['merchants', 'auth', 'webhooks', 'conditions', 'transactions', 'providers', 'matching', 'enrollments'],
    holds: ['payments', 'processors', 'transactions', 'matching', 'alerts'],
    lookups: ['merchants', 'fraud', 'threeds', 'orders', 'providers', 'matching', 'enrollments', 'alerts'],
    connections: [
      'merchants',
      'processors',
      'orders',
      'transactions',
      'providers',
      'matching',
      'alerts',
      'holds',
      'lookups',
    ],
    costs: ['merchants', 'processors', 'providers', 'alerts'],
    outcomes: ['merchants', 'processors', 'providers', 'alerts'],
    refunds: [
      'merchants',
      'webhooks',
      'payments',
      'fraud',
      'processors',
      'orders',
      'transactions',
      'providers',
      'matching',
      'alerts',
      'holds',
      'lookups',
      'connections',
    ],
    reports: ['merchants', 'providers', 'alerts'],
    rules: [
      'merchants',
      'webhooks',
      'conditions',
      'processors',
      'orders',
      'transactions',
      'providers',
      'matching',
      'alerts',
      'holds',
      'lookups',
      'connections',
      'costs',
      'refunds',
      'reports',
    ],
    chargebacks: [
      'merchants',
      'auth',
      'conditions',
      'processors',
      'orders',
      'transactions',
      'providers',
      'matching',
      'alerts',
      'lookups',
      'connections',
      'costs',
      'refunds',
      'rules',
    ],
    history: [
      'merchants',
      'processors',
      'orders',
      'providers',
      'enrollments',
      'alerts',
      'connections',
      'costs',
      'reports',
      'rules',
      'chargebacks',
    ],
    search: ['payments', 'fraud', 'orders', 'transactions', 'alerts', 'lookups', 'chargebacks'],
  },
  // The workers that serve several areas.
  jobs: {
    jobs: [
      'merchants',
      'auth',
      'webhooks',
      'mail',
      'processors',
      'threeds',
      'orders',
      'transactions',
      'enrollments',
      'alerts',
      'holds',
      'lookups',
      'connections',
      'costs',
      'refunds',
      'rules',
      'chargebacks',
      'reports',
      'history',
      'search',
    ],
  },
};
const areas = Object.fromEntries(Object.values(shelves).flatMap((shelf) => Object.entries(shelf)));

/** The imports that go against the order of the areas, each with its reason. */
const upwards: Readonly<Record<string, string>> = {
  'webhooks -> alerts':
    'a message is written from its alert when it is sent, a reply to it answers the alert, and three operations show the same',
};

/** Types that a layer may not name, each with what names it and why. */
const typesFromElsewhere: Readonly<Record<string, string>> = {
  'functions/accounts/auth/authorizer-policy.ts -> functions/accounts/auth/tokens/token-store.ts':
    'decides about tokens as their store has read and judged them',
  'functions/core/platform/http/gateway-event.ts -> aws-lambda':
    'reads the event of the gateway, which has no code of its own',
  'functions/core/platform/lists/spans.ts -> functions/core/platform/lists/list-index-store.ts':
    'cuts ranges of a list as the index is asked for them',
  'functions/messaging/webhooks/attempt/attempt-store.ts -> functions/core/platform/post/sender.ts':
    'is given the sender by its worker, so that tests give another',
  'functions/messaging/webhooks/attempt/attempt.ts -> functions/core/platform/post/sender.ts':
    'judges what the sender reports of a POST',
  'functions/accounts/merchants/site/site-list.ts -> functions/core/platform/lists/listing-store.ts':
    'names the part of a list that its store reads',
  'functions/disputes/lookups/bank/bank-page.ts -> functions/disputes/lookups/bank/bank-client.ts':
    'shows the answer that the client got',
  'functions/payments/processors/stripe/stripe-outcomes.ts -> stripe': 'reads objects of the package, without its code',
  'functions/disputes/refunds/alert-after-refund.ts -> functions/disputes/alerts/answer/refund-answer-store.ts':
    'is the change that the store asks for',
  'functions/payments/transactions/payer/payer-page.ts -> functions/payments/transactions/payer/payer-flow.ts':
    'shows what the visit of a payer came to',
};

const findLayer = (file: string) => layers.find(({ files }) => files.test(file));
type Layer = { layer: string; may: readonly string[]; mayAsType?: readonly string[] };
const sources = ['functions', 'lib', 'bin'].flatMap((root) =>
  readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => posix.join(root, file)),
);
/** Imports that leave a trace in what runs, and all, those of types included. */
const imported = /^(?:import|export)\s(?!type\b)[^;]*?from '([^']+)'|^import '([^']+)'|\bimport\('([^']+)'\)/gm;
const importedAtAll = /^(?:import|export)\s[^;]*?from '([^']+)'|^import '([^']+)'|\bimport\('([^']+)'\)/gm;
const listTargets = (file: string, pattern: RegExp): string[] =>
  [...readFileSync(file, 'utf8').matchAll(pattern)]
    .map(([, a, b, c]) => a ?? b ?? c ?? '')
    // Templates of files that are generated.
    .filter((target) => !target.includes('$'));
/** Returns the project file that an import names; undefined for a package. */
const resolveTarget = (importer: string, target: string): string | undefined => {
  if (target.startsWith('.')) return posix.join(posix.dirname(importer), target);
  if (!target.startsWith('#')) return undefined;
  const path = target.slice(1);
  return /^(functions|lib|test|bin)\//.test(path) ? path : `functions/${path}`;
};
/** An import in words: the importing file, and the file or package that it names. */
const toArrow = (file: string, target: string): string => `${file} -> ${resolveTarget(file, target) ?? target}`;
const filesImportedBy = (file: string): string[] =>
  listTargets(file, importedAtAll).flatMap((target) => resolveTarget(file, target) ?? []);
/** `functions/<shelf>/<area>/…`, or `functions/jobs/…`. */
const findArea = (file: string): string | undefined => {
  const [root, shelf = '', area = '', ...rest] = file.split('/');
  if (root !== 'functions') return undefined;
  if (shelf === 'jobs' && area !== '') return 'jobs';
  return rest.length > 0 ? area : undefined;
};
const findShelf = (area: string): string => Object.keys(shelves).find((shelf) => shelves[shelf]?.[area]) ?? '';

it.each(sources.filter((file) => !file.startsWith('bin/')))('%s imports only what its layer may', (file) => {
  const { layer, may, mayAsType }: Layer = findLayer(file) ?? { layer: 'none', may: [] };
  expect(layer, `${file} fits no layer: its name or its place is wrong, see docs/architecture.md`).not.toBe('none');
  const isStray = (target: string, allowed: readonly string[]): boolean => {
    const own = resolveTarget(file, target);
    const name = own === undefined ? target : findLayer(own)?.layer;
    return (
      name === undefined ||
      !allowed.some((one) =>
        own !== undefined ? name === one || own === one : name.startsWith(one) && (one !== '' || layer === 'local'),
      )
    );
  };
  const asTypes = [...may, ...(mayAsType ?? [])];
  const strays = [
    ...listTargets(file, imported).filter((target) => isStray(target, may)),
    ...listTargets(file, importedAtAll).filter(
      (target) => isStray(target, asTypes) && !(toArrow(file, target) in typesFromElsewhere),
    ),
  ];
  expect(strays, `${file} is of the layer ${layer}, which may import ${may.join(', ')}`).toEqual([]);
});

it.each(rulesForBrowsers)('%s has no code but that of other rules for browsers', (file) => {
  const others = listTargets(file, imported).map((target) => resolveTarget(file, target) ?? target);
  expect(others.filter((one) => !rulesForBrowsers.some((rule) => rule === one))).toEqual([]);
});

it('lists no exception for types that nothing needs', () => {
  const needed = sources.flatMap((file) => listTargets(file, importedAtAll).map((target) => toArrow(file, target)));
  expect(Object.keys(typesFromElsewhere).filter((one) => !needed.includes(one))).toEqual([]);
});

describe('the areas', () => {
  it('import nothing that comes later, apart from the exceptions with a reason, so that none circles', () => {
    const order = Object.keys(areas);
    const later = order.flatMap((area, place) =>
      (areas[area] ?? []).filter((other) => order.indexOf(other) >= place).map((other) => `${area} -> ${other}`),
    );
    expect(later.sort()).toEqual(Object.keys(upwards).sort());
  });

  it('are listed in docs/architecture.md as they are here', () => {
    const rows = Object.entries(areas)
      .filter(([area]) => findShelf(area) !== 'core')
      .map(([area, others]) => `| ${findShelf(area)} | ${area} | ${others.join(', ') || 'nothing'} |`);
    const written = readFileSync('docs/architecture.md', 'utf8').split('\n');
    const start = written.indexOf('| shelf | area | may import, in addition to core |') + 2;
    expect(written.slice(start, start + rows.length + 1)).toEqual([...rows, '']);
  });

  it('are each on the shelf that the table names', () => {
    const found = new Set(sources.flatMap((file) => (findArea(file) ? file.split('/').slice(1, 3).join('/') : [])));
    const places = [...found].map((place) => (place.startsWith('jobs/') ? 'jobs/jobs' : place));
    const listed = Object.keys(areas).map((area) => `${findShelf(area)}/${area}`);
    expect([...new Set(places)].sort()).toEqual(listed.sort());
  });

  it('import nothing of each other but what the table allows, and nothing outside functions', () => {
    const strays = sources.flatMap((file) => {
      const area = findArea(file);
      if (area === undefined) return [];
      const core = area === 'kernel' ? [] : Object.keys(shelves['core'] ?? {});
      const may = [area, ...core, ...(areas[area] ?? [])];
      return filesImportedBy(file)
        .filter((target) => !may.includes(findArea(target) ?? ''))
        .map((target) => `${file} imports ${target}; ${area} may import ${may.join(', ')}`);
    });
    expect(strays).toEqual([]);
  });

  it('allow nothing that is not imported', () => {
    const used = new Set(
      sources.flatMap((file) => filesImportedBy(file).map((target) => `${findArea(file)} -> ${findArea(target)}`)),
    );
    const idle = Object.entries(areas).flatMap(([area, others]) =>
      others.map((other) => `${area} -> ${other}`).filter((pair) => !used.has(pair)),
    );
    expect(idle).toEqual([]);
  });

  it('have at most 16 files directly in one folder', () => {
    const loose = Map.groupBy(
      sources.filter((file) => findArea(file) !== undefined && /^functions\/(jobs|\w+\/\w+)\/[\w-]+\.ts$/.test(file)),
      (file) => posix.dirname(file),
    );
    const crowded = [...loose].filter(([, files]) => files.length > 16).map(([folder, { length }]) => [folder, length]);
    expect(crowded, 'put files of one subject into a folder').toEqual([]);
  });

  it('have every endpoint under api/ and every worker under jobs/', () => {
    const strays = sources.filter(
      (file) =>
        (/\/operation\.ts$/.test(file) &&
          !/^functions\/\w+\/\w+\/api\/[\w-]+\/operation\.ts$/.test(file) &&
          !file.startsWith('functions/core/')) ||
        (/\/worker\.ts$/.test(file) &&
          !/\/jobs\/[\w-]+\/worker\.ts$/.test(file) &&
          !file.startsWith('functions/core/')),
    );
    expect(strays).toEqual([]);
  });
});

it('knows each processor in its own folder alone', () => {
  const own = /^functions\/payments\/processors\/(?:registered|adyen|braintree|http|nmi|sandbox|stripe)\//;
  const strays = sources.filter((file) => {
    if (!file.startsWith('functions/') || own.test(file)) return false;
    // It declares the processor as the provider of issuers' warnings.
    if (file === 'functions/disputes/providers/adyen.ts') return false;
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
    .filter((file) => file.startsWith('functions/') && file !== 'functions/core/kernel/clock.ts')
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
      file !== 'functions/core/platform/table/keys.ts' &&
      /\bpk: [`'"]/.test(readFileSync(file, 'utf8')),
  );
  expect(spelled).toEqual([]);
});

it('names keys and lists so that lib/build/partitions.ts finds them in the code of a function', () => {
  const code = (file: string) => readFileSync(file, 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '');
  const own = sources.filter((file) => file.startsWith('functions/') && !file.endsWith('platform/table/keys.ts'));
  const usingKeys = own.filter((file) => /from '[^']*\/keys\.ts'/.test(code(file)));
  const renaming = usingKeys.filter((file) => {
    const text = code(file).replace(/^import \{ keys \} from .*$|'[^'\n]*'/gm, '');
    return !/^import \{ keys \} from/m.test(code(file)) || /(?<!\w|(?<!\.\.)\.)keys\b(?!\.\w|:)/.test(text);
  });
  expect(renaming).toEqual([]);
  const unnamed = own.filter(
    (file) =>
      /\b(listKeys|listNameOf|listsOf)\(\s*'/.test(code(file)) ||
      (/\/(listing-store|whole-list)\.ts'/.test(code(file)) && /\bentity: '/.test(code(file))),
  );
  expect(unnamed).toEqual([]);
});

/** Rows that are read as they lie, each for its reason. */
const rowsAsTheyLie: Readonly<Record<string, string>> = {
  'functions/disputes/costs/cost-day-row.ts':
    'its attributes are sums named after what they count, and only ever added to',
  'functions/payments/balance/funds-row.ts': 'its attributes are named after currencies, and only ever added to',
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
