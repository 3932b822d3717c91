import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ProcessorDeclaration, ProcessorWords } from '#payments/processors/ports/declaration.ts';
import { head, literal, withoutFormat } from './generated-files.ts';
import { credentialsIn, describedText, fieldsText } from './processor-words.ts';

/** The files that `npm run fix` writes for processors, so that a new one is added by its own folder alone. */

const folder = 'functions/payments/processors';

/** A processor's folder: the name of what it declares, the declaration, what people read of it, and which ports it has. */
export type DeclaredProcessor = {
  slug: string;
  constant: string;
  processor: ProcessorDeclaration;
  words: ProcessorWords;
  ports: ReadonlySet<string>;
};

const declares = /^export const (\w+) = defineProcessor\(/m;

/** The processors that a project declares, in the order in which they are shown. Throws an Error naming what lacks something. */
export const declaredProcessors = async (root: string): Promise<readonly DeclaredProcessor[]> => {
  const slugs = readdirSync(join(root, folder)).filter((slug) => existsSync(join(root, declarationFile(slug))));
  const declared = await Promise.all(slugs.map((slug) => declaredIn(root, slug)));
  const sorted = declared.toSorted((one, other) => one.processor.place - other.processor.place);
  refuseSamePlace(sorted.map(({ slug, processor }) => [slug, processor.place]));
  refuseSamePlace(
    sorted.flatMap(({ slug, processor: { connection } }) => (connection ? [[slug, connection.place]] : [])),
  );
  return sorted;
};

const declarationFile = (slug: string): string => `${folder}/${slug}/${slug}-declaration.ts`;

const refuseSamePlace = (places: readonly (readonly [slug: string, place: number])[]): void => {
  for (const [slug, place] of places) {
    const other = places.find(([one, its]) => one !== slug && its === place)?.[0];
    if (other) throw new Error(`${declarationFile(slug)}: ${other} has place ${place} already; take another`);
  }
};

const declaredIn = async (root: string, slug: string): Promise<DeclaredProcessor> => {
  const file = declarationFile(slug);
  const [, constant = ''] = declares.exec(readFileSync(join(root, file), 'utf8')) ?? [];
  const exported: Record<string, unknown> = await import(pathToFileURL(join(root, file)).href);
  const processor = exported[constant] as ProcessorDeclaration | undefined;
  const words = exported[`${constant}Words`] as ProcessorWords | undefined;
  if (!processor) throw new Error(`${file} exports no const = defineProcessor(…)`);
  if (!words) throw new Error(`${file} exports no ${constant}Words`);
  const declared = { slug, constant, processor, words, ports: portsIn(root, slug, constant) };
  const [problem] = listProblems(declared);
  if (problem) throw new Error(problem);
  return declared;
};

/** The ports that a processor may have: the file in its folder, and what that exports. */
const ports = [
  { file: 'currencies', suffix: 'Currency' },
  { file: 'client', suffix: 'ProcessorOf' },
  { file: 'disputes-client', suffix: 'DisputesOf' },
  { file: 'connected-client', suffix: 'ConnectedProcessorOf' },
  { file: 'webhook-client', suffix: 'WebhookOf' },
  { file: 'connection-webhook-client', suffix: 'ConnectionWebhookOf' },
  { file: 'registration-client', suffix: 'RegistrationOf' },
  { file: 'sign-in-client', suffix: 'SignIn' },
] as const;
type Suffix = (typeof ports)[number]['suffix'];

const portFile = ({ slug }: Pick<DeclaredProcessor, 'slug'>, suffix: Suffix): string =>
  `${slug}-${ports.find((one) => one.suffix === suffix)?.file}.ts`;

const portsIn = (root: string, slug: string, constant: string): ReadonlySet<Suffix> =>
  new Set(
    ports.flatMap(({ file, suffix }) => {
      const path = join(root, folder, slug, `${slug}-${file}.ts`);
      const isThere = existsSync(path) && readFileSync(path, 'utf8').includes(`export const ${constant}${suffix}: `);
      return isThere ? [suffix] : [];
    }),
  );

const listProblems = ({ slug, constant, processor, words, ports: its }: DeclaredProcessor): readonly string[] => {
  const lacks = (suffix: Suffix, why: string): string[] => {
    if (its.has(suffix)) return [];
    return [`${folder}/${slug}/${portFile({ slug }, suffix)} exports no ${constant}${suffix}, ${why}`];
  };
  const taken = [...credentialsIn(processor).keys()];
  const labelled = Object.keys(words.fields);
  const differing = [...taken, ...labelled].filter((name) => taken.includes(name) !== labelled.includes(name));
  const file = declarationFile(slug);
  const unsaid = `${constant}Words.webhook must ${processor.sendsWebhooks ? 'say' : 'be null, or sendsWebhooks true:'} what comes there`;
  return [
    ...(processor.name.replaceAll('_', '-') === slug
      ? []
      : [`${file}: ${processor.name} belongs into a folder of its name`]),
    ...(processor.takesPayments ? lacks('Currency', 'though it takes payments') : []),
    ...(processor.takesPayments ? lacks('ProcessorOf', 'though it takes payments') : []),
    ...(processor.takesPayments && !processor.credentials ? [`${file}: credentials must say what a site needs`] : []),
    ...(processor.sendsWebhooks ? lacks('WebhookOf', 'though it sends webhooks') : []),
    ...(processor.connection ? lacks('ConnectedProcessorOf', 'though merchants can connect it') : []),
    ...(processor.connection && !processor.connectionKeys
      ? [`${file}: connectionKeys must say what a connection needs`]
      : []),
    ...(differing.length > 0
      ? [`${file}: fields of ${constant}Words and credentials differ in ${differing.join(', ')}`]
      : []),
    ...((words.webhook !== null) === processor.sendsWebhooks ? [] : [`${file}: ${unsaid}`]),
  ];
};

/** In the order of what is imported, as Biome sorts them. */
const sortedImports = (lines: readonly string[]): string => {
  const pathOf = (line: string): string => line.split(' from ')[1] ?? '';
  return lines.toSorted((one, other) => (pathOf(one) < pathOf(other) ? -1 : 1)).join('\n');
};

const paying = (declared: readonly DeclaredProcessor[]) => declared.filter(({ processor }) => processor.takesPayments);

const registeredText = (declared: readonly DeclaredProcessor[]): string => {
  const traits = declared.map(({ processor }) => {
    const { name, takesPayments, sendsWebhooks, tellsOfLapses, capturesLater, paysOut, namesAccount, connection } =
      processor;
    return literal({
      name,
      takesPayments,
      sendsWebhooks,
      tellsOfLapses,
      capturesLater,
      paysOut,
      namesAccount,
      connection,
    });
  });
  return `${head}import type { ProcessorTraits } from '../ports/declaration.ts';

/** Every processor, in the order in which they are shown. What follows from them is in \`processors.ts\`. */
export const processors = [
${traits.map((one) => `  ${one},\n`).join('')}] as const satisfies readonly ProcessorTraits[];
`;
};

const currenciesText = (all: readonly DeclaredProcessor[]): string => {
  const declared = paying(all);
  const imports = declared.map(
    ({ slug, constant }) => `import { ${constant}Currency } from '../${slug}/${slug}-currencies.ts';`,
  );
  const entries = declared.map(({ processor: { name }, constant }) => `  ${name}: ${constant}Currency,\n`);
  const types = [
    "import type { CurrencyOf } from '../amounts.ts';",
    "import type { ProcessorName } from '../ports/processors.ts';",
  ];
  return `${head}${sortedImports([...types, ...imports])}

/** The currencies of each processor and their decimals. */
export const processorCurrencies: Readonly<Record<ProcessorName, CurrencyOf>> = {
${entries.join('')}};
`;
};

const declaredText = (declared: readonly DeclaredProcessor[]): string => {
  const constants = declared.map(({ processor: { name }, constant }) =>
    name === constant ? name : `${name}: ${constant}`,
  );
  const imports = declared.map(
    ({ slug, constant }) => `import { ${constant} } from '../${slug}/${slug}-declaration.ts';`,
  );
  return `${head}${sortedImports(imports)}

/** The declarations of all processors. */
export const declarations = { ${constants.join(', ')} } as const;
`;
};

/** Loaders of one port. `absent`: of those without it. */
const loadersText = (
  declared: readonly DeclaredProcessor[],
  { name, suffix, words }: { name: string; suffix: Suffix; words: string },
): string => {
  const isOptionalOfConnections = suffix === 'RegistrationOf' || suffix === 'SignIn';
  const mayLack = suffix === 'DisputesOf' || isOptionalOfConnections;
  const isOfConnections = suffix === 'ConnectedProcessorOf' || isOptionalOfConnections;
  const keyed = isOfConnections ? 'ConnectionKind' : mayLack ? 'AnyProcessorName' : 'ProcessorName';
  const among = isOfConnections || mayLack ? declared : paying(declared);
  const listed = among.filter(({ processor: { connection } }) => !isOfConnections || connection !== null);
  const entries = listed.map(({ processor, constant, slug, ports: its }) => {
    const load = `async () => (await import('../${slug}/${portFile({ slug }, suffix)}')).${constant}${suffix}`;
    return `  ${processor.name}: ${its.has(suffix) ? load : 'null'},\n`;
  });
  const loader = `() => Promise<${suffix}>`;
  const types = [
    `import type { ${suffix} } from '../ports/account.ts';`,
    `import type { ${keyed} } from '../ports/processors.ts';`,
  ];
  return `${head}${types.join('\n')}

/** ${words} */
export const ${name}: Readonly<Record<${keyed}, ${mayLack ? `(${loader}) | null` : loader}>> = {
${entries.join('')}};
`;
};

/** Returns the readers of webhooks: those to a site, or to a connection, for which a processor may have a way of its own. */
const webhooksText = (
  declared: readonly DeclaredProcessor[],
  { name, keyed, words }: { name: string; keyed: 'WebhookSender' | 'ConnectionKind'; words: string },
): string => {
  const isSite = keyed === 'WebhookSender';
  const suffixOf = ({ ports: its }: DeclaredProcessor): Suffix =>
    !isSite && its.has('ConnectionWebhookOf') ? 'ConnectionWebhookOf' : 'WebhookOf';
  const sends = ({ processor }: DeclaredProcessor) => processor.sendsWebhooks;
  const listed = isSite
    ? paying(declared).filter(sends)
    : declared.filter(({ processor: { connection } }) => connection !== null);
  const entries = listed.map(
    (one) => `  ${one.processor.name}: ${sends(one) ? one.constant + suffixOf(one) : 'null'},\n`,
  );
  const imports = listed
    .filter(sends)
    .map((one) => `import { ${one.constant}${suffixOf(one)} } from '../${one.slug}/${portFile(one, suffixOf(one))}';`);
  const types = [
    "import type { WebhookOf } from '../ports/account.ts';",
    `import type { ${keyed} } from '../ports/processors.ts';`,
  ];
  return `${head}${sortedImports([...types, ...imports])}

/** ${words} */
export const ${name}: Readonly<Record<${keyed}, ${isSite ? 'WebhookOf' : 'WebhookOf | null'}>> = {
${entries.join('')}};
`;
};

const files = (declared: readonly DeclaredProcessor[]): Readonly<Record<string, string>> => ({
  [`${folder}/registered/registered.ts`]: registeredText(declared),
  [`${folder}/registered/processor-declarations.ts`]: declaredText(declared),
  [`${folder}/registered/registered-currencies.ts`]: currenciesText(declared),
  [`${folder}/registered/credential-words.ts`]: describedText(declared),
  [`${folder}/registered/registered-processors-client.ts`]: loadersText(declared, {
    ...{ name: 'processorLoaders', suffix: 'ProcessorOf' },
    words:
      'Loads each adapter when it is first needed, so that a site with one processor does not wait for the code of the others.',
  }),
  [`${folder}/registered/registered-disputes-client.ts`]: loadersText(declared, {
    ...{ name: 'disputeLoaders', suffix: 'DisputesOf' },
    words: 'Loads what looks at disputes when it is first needed. Null: the processor reports none.',
  }),
  [`${folder}/registered/registered-connected-processors-client.ts`]: loadersText(declared, {
    ...{ name: 'connectedProcessorLoaders', suffix: 'ConnectedProcessorOf' },
    words: 'Loads what a connection is asked by when it is first needed.',
  }),
  [`${folder}/registered/registered-registrations-client.ts`]: loadersText(declared, {
    ...{ name: 'registrationLoaders', suffix: 'RegistrationOf' },
    words:
      'Loads what registers the webhooks of a connection. Null: people do that at the processor, or it sends none.',
  }),
  [`${folder}/registered/registered-sign-ins-client.ts`]: loadersText(declared, {
    ...{ name: 'signInLoaders', suffix: 'SignIn' },
    words: 'Loads what connects an account by a sign-in. Null: people enter its keys.',
  }),
  [`${folder}/registered/registered-site-webhooks-client.ts`]: webhooksText(declared, {
    ...{ name: 'siteWebhooks', keyed: 'WebhookSender' },
    words: 'The readers of webhooks to a site.',
  }),
  [`${folder}/registered/registered-connection-webhooks-client.ts`]: webhooksText(declared, {
    ...{ name: 'connectionWebhooks', keyed: 'ConnectionKind' },
    words: 'The readers of webhooks to a connection. Null: the processor sends none.',
  }),
  'lib/dashboard/screens/processor-fields.ts': fieldsText(declared),
});

/** Returns the files that differ from the declarations, by path, and their right content, apart from the format, which is Biome's. */
export const staleProcessorFiles = async (root: string): Promise<ReadonlyMap<string, string>> => {
  const textOf = (file: string): string => (existsSync(join(root, file)) ? readFileSync(join(root, file), 'utf8') : '');
  const wanted = Object.entries(files(await declaredProcessors(root)));
  return new Map(wanted.filter(([file, text]) => withoutFormat(textOf(file)) !== withoutFormat(text)));
};
