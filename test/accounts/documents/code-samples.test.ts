import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { codeSamples, withCodeSamples } from '#accounts/documents/code-samples.ts';
import { useStack } from '#test/support/stack.ts';

const run = promisify(execFile);
const runs: Readonly<Record<string, (source: string) => [program: string, args: string[]]>> = {
  curl: (source) => ['sh', ['-c', source]],
  Node: (source) => [process.execPath, ['--input-type=module', '-e', source]],
  PHP: (source) => ['php', ['-r', source.replace('<?php', '')]],
  Python: (source) => ['python3', ['-c', source]],
};
const isThere = async (label: string): Promise<boolean> =>
  run({ curl: 'curl', Node: process.execPath, PHP: 'php', Python: 'python3' }[label] ?? '', ['--version']).then(
    () => true,
    () => false,
  );

const service = await useStack();

const Samples = v.array(v.object({ lang: v.string(), label: v.string(), source: v.string() }));
const served = withCodeSamples(readFileSync('docs/openapi.json', 'utf8'));
const readSamples = (path: string, method: string) =>
  v.parse(Samples, JSON.parse(served).paths[path][method]['x-codeSamples']);

describe.each(Object.keys(runs))('a sample in %s', async (label) => {
  const there = await isThere(label);
  if (!there) process.stderr.write(`\n!!! SKIPPED: ${label} is not on this machine.\n\n`);
  const outputOf = async (path: string) => {
    const { source } = readSamples(path, 'post').find((one) => one.label === label) ?? { source: '' };
    const [program, args] = runs[label]?.(source.replaceAll('http://127.0.0.1:3000', service.url)) ?? ['', []];
    const environment = { TOKEN: await service.tokenOf('admin'), RCODE: service.credentials.site.rcode };
    const { stdout } = await run(program, args, { env: { ...process.env, ...environment } });
    return stdout;
  };

  it.runIf(there)('calls with the token, and with a body', async () => {
    expect(await outputOf('/api/v3/site/list')).toContain('totalResult');
    expect(await outputOf('/api/v3/merchant/create')).toContain('mid');
  });
});

it('values survive the quotes of every language', () => {
  const body = JSON.stringify({ name: `it's a "shop" \\ 100 %` });
  const sources = codeSamples({ method: 'POST', path: '/x', headers: {}, body }).map(({ source }) => source);
  expect(sources[0]).toContain(`it'\\''s`);
  for (const source of sources.slice(1)) expect(source).toContain(`it\\'s`);
});
