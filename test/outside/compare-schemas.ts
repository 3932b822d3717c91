import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { buildClientSchema, buildSchema, type GraphQLSchema } from 'graphql';
import { schemaDifferences } from './schema-differences.ts';

/**
 * Compares the schemas of the stand-ins of Shopify and Braintree with the vendors' own: Shopify's introspection in its npm package (ISC), Braintree's
 * published file, which has no licence and is only read. One that cannot be fetched is skipped and said so.
 */

const run = promisify(execFile);
const version = '1.16.0';
const shopifyVersions = ['2026-07', '2026-10'];
const braintreeFile = 'https://raw.githubusercontent.com/braintree/graphql-api/master/schema.graphql';

const shopify = async (of: string): Promise<GraphQLSchema> => {
  const folder = join(homedir(), '.cache/forewarn', `shopify-dev-mcp-${version}`);
  const file = join(folder, `package/dist/data/admin_${of}.json.gz`);
  if (!existsSync(file)) {
    mkdirSync(folder, { recursive: true });
    await run('npm', ['pack', '--silent', '--pack-destination', folder, `@shopify/dev-mcp@${version}`]);
    await run('tar', ['xzf', join(folder, `shopify-dev-mcp-${version}.tgz`), '-C', folder]);
  }
  const read = JSON.parse(gunzipSync(readFileSync(file)).toString());
  return buildClientSchema(read.data ?? read, { assumeValid: true });
};

const braintree = async (): Promise<GraphQLSchema> => {
  const response = await fetch(braintreeFile, { signal: AbortSignal.timeout(20_000) });
  if (!response.ok) throw new Error(`${braintreeFile} answered ${response.status}`);
  return buildSchema(await response.text(), { assumeValid: true });
};

const cases = [
  ...shopifyVersions.map((one) => ({ name: `Shopify ${one}`, file: 'fake-shopify', load: () => shopify(one) })),
  { name: 'Braintree', file: 'fake-braintree', load: braintree },
];

let found = 0;
for (const { name, file, load } of cases) {
  const theirs = await load().catch((error: unknown) => String(error).split('\n')[0]);
  if (typeof theirs === 'string' || theirs === undefined) {
    process.stdout.write(`!!! SKIPPED the schema of ${name}: ${theirs}\n`);
    continue;
  }
  const differences = schemaDifferences(buildSchema(readFileSync(`test/support/${file}.graphql`, 'utf8')), theirs);
  process.stdout.write(
    `${name}: ${differences.length} differences\n${differences.map((one) => `  ${one.slice(0, 200)}\n`).join('')}`,
  );
  found += differences.length;
}
process.exitCode = found === 0 ? 0 : 1;
