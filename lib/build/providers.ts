import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ProviderDeclaration } from '#disputes/providers/provider.ts';

/** The files that `npm run fix` writes for alert providers, so that a new one is added by its own file alone. */

const folder = 'functions/disputes/providers';
export const registeredFile = `${folder}/registered.ts`;

/** A file that declares a provider: the names of what it exports, and the declaration itself. */
export type DeclaredProvider = {
  file: string;
  constant: string;
  reader: string | undefined;
  provider: ProviderDeclaration;
};

const declares = /^export const (\w+) = defineProvider\(/m;
const reads = /^export const (read\w+) = /m;

/** The providers that a project declares, in the order of their files. Throws an Error naming a file that lacks something. */
export const declaredProviders = async (root: string): Promise<readonly DeclaredProvider[]> => {
  const files = readdirSync(join(root, folder))
    .filter((file) => file.endsWith('.ts') && declares.test(readFileSync(join(root, folder, file), 'utf8')))
    .sort();
  return Promise.all(files.map((file) => readDeclaration(root, file)));
};

const readDeclaration = async (root: string, file: string): Promise<DeclaredProvider> => {
  const path = join(root, folder, file);
  const text = readFileSync(path, 'utf8');
  const [, constant = ''] = declares.exec(text) ?? [];
  const [, reader] = reads.exec(text) ?? [];
  const exported: Record<string, ProviderDeclaration> = await import(pathToFileURL(path).href);
  const provider = exported[constant];
  if (!provider) throw new Error(`${folder}/${file} exports no ${constant}`);
  if (provider.secret !== null && reader === undefined) {
    throw new Error(`${folder}/${file}: ${provider.name} signs its messages, but no export const read… reads them`);
  }
  return { file, constant, reader: provider.secret === null ? undefined : reader, provider };
};

/** As wide as Biome leaves a line. */
const width = 120;

/** The text of `registered.ts`. */
export const registeredText = (declared: readonly DeclaredProvider[]): string => {
  const imports = declared.map(({ file, constant, reader }) => {
    const names = [constant, ...(reader === undefined ? [] : [`${constant}Body`, reader])].sort(asBiomeSorts);
    return `import { ${names.join(', ')} } from './${file}';`;
  });
  const constants = declared.map(({ constant }) => constant);
  const line = `export const registeredProviders = [${constants.join(', ')}] as const;`;
  const list =
    line.length <= width
      ? line
      : `export const registeredProviders = [\n${constants.map((name) => `  ${name},\n`).join('')}] as const;`;
  const bodies = declared.flatMap(({ provider, constant, reader }) =>
    reader ? [`  ${provider.name}: ${constant}Body,\n`] : [],
  );
  const readers = declared.flatMap(({ provider, reader }) => (reader ? [`  ${provider.name}: ${reader},\n`] : []));
  return [
    '// Written by npm run fix, from the files of this folder that declare a provider.',
    ...imports,
    '',
    '/** Every alert provider, in the order in which they are shown. What follows from them is in `providers.ts`. */',
    list,
    '',
    '/** The readers of signed messages. */',
    `export const readers = {\n${readers.join('')}} as const;`,
    '',
    '/** The schemas of what they read. */',
    `export const bodies = {\n${bodies.join('')}} as const;`,
    '',
  ].join('\n');
};

const asBiomeSorts = (one: string, other: string): number => (one.toLowerCase() < other.toLowerCase() ? -1 : 1);

/** Returns the endpoint of each provider that signs its messages: its operation's folder, and the files in it. */
export const toEndpoint = ({ file, constant, provider }: DeclaredProvider) => {
  const name = `receive-${provider.name.replaceAll('_', '-')}`;
  const operation = `receive${constant.charAt(0).toUpperCase()}${constant.slice(1)}Operation`;
  const actions = [
    ...['GetItem', 'BatchGetItem', 'PutItem'],
    ...(provider.withdraws || provider.revises ? ['UpdateItem'] : []),
    ...(provider.revises ? ['DeleteItem'] : []),
  ];
  return {
    folder: `functions/disputes/alerts/api/${name}`,
    files: {
      'operation.ts': operationText(file, constant, {
        ...{ operation, name, summary: `Take an alert of ${provider.name}` },
        ...{ errors: listLiteral(['signature_invalid']), actions: listLiteral(actions) },
      }),
      'handler.ts': handlerText(file, constant, operation),
    },
  };
};

const listLiteral = (words: readonly string[]): string => `[${words.map((word) => `'${word}'`).join(', ')}]`;

type Words = Readonly<Record<'operation' | 'name' | 'summary' | 'errors' | 'actions', string>>;

const operationText = (file: string, constant: string, { operation, name, summary, errors, actions }: Words): string =>
  [
    "import { defineOperation } from '#core/platform/operation/operation.ts';",
    `import { ${constant}, ${constant}Body } from '#disputes/providers/${file}';`,
    "import { intake } from '../../declarations.ts';",
    '',
    `export const ${operation} = defineOperation('alerts/${name}', {`,
    '  ...intake,',
    `  summary: '${summary}',`,
    `  path: \`/api/v3/providers/\${${constant}.name}/alerts\`,`,
    `  body: ${constant}Body(),`,
    `  errors: ${errors},`,
    grantsText(actions, constant),
    '});',
    '',
  ].join('\n');

const grantsText = (actions: string, constant: string): string => {
  const secrets = `[${constant}.secret, 'encryption']`;
  const line = `  grants: { table: ${actions}, secrets: ${secrets} },`;
  return line.length <= width ? line : `  grants: {\n    table: ${actions},\n    secrets: ${secrets},\n  },`;
};

const handlerText = (file: string, constant: string, operation: string): string =>
  [
    `import { ${constant} } from '#disputes/providers/${file}';`,
    "import { receiveMessages } from '../../intake/receive-flow.ts';",
    `import { ${operation} } from './operation.ts';`,
    '',
    `export const handler = receiveMessages(${operation}, ${constant});`,
    '',
  ].join('\n');

/** Returns the files that are wrong, by path, and their right content. An endpoint that exists stays as it is. */
export const staleFiles = async (root: string): Promise<ReadonlyMap<string, string>> => {
  const declared = await declaredProviders(root);
  const registered = registeredText(declared);
  const isStale = readFileSync(join(root, registeredFile), 'utf8') !== registered;
  const missing = declared
    .filter(({ provider }) => provider.secret !== null)
    .map(toEndpoint)
    .filter((endpoint) => !existsSync(join(root, endpoint.folder)))
    .flatMap(({ folder, files }) => Object.entries(files).map(([name, text]) => [join(folder, name), text] as const));
  return new Map([...(isStale ? [[registeredFile, registered] as const] : []), ...missing]);
};
