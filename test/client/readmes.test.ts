import { execFile, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { buildClient } from '#lib/openapi/client-package.ts';
import { buildPhpClient } from '#lib/openapi/php-package.ts';
import { buildPythonClient } from '#lib/openapi/python-package.ts';
import { expectedOutput, findBlocks, readSkip } from '#lib/operator/guides/page-blocks.ts';
import { fillIn } from '#test/guides/fill-in.ts';
import { useStack } from '#test/support/stack.ts';

/** Runs the samples of each client's README, from top to bottom, with the package as it would be installed. */

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), 'forewarn-readmes-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const autoload = `<?php
spl_autoload_register(fn (string $name) => require '${folder}/php/src/' . strtr(substr($name, 9), '\\\\', '/') . '.php');
`;

const clients = [
  {
    readme: 'lib/client/README.md',
    program: process.execPath,
    file: 'shop/sample.ts',
    begin: '',
    build: async () => {
      await buildClient(process.cwd(), join(folder, 'client'));
      mkdirSync(join(folder, 'shop/node_modules'), { recursive: true });
      symlinkSync(join(folder, 'client'), join(folder, 'shop/node_modules/forewarn-client'));
      writeFileSync(join(folder, 'shop/package.json'), '{"type": "module"}');
    },
  },
  {
    readme: 'lib/python-client/README.md',
    program: 'python3',
    file: 'sample.py',
    begin: '',
    build: () => buildPythonClient(process.cwd(), join(folder, 'python')),
  },
  {
    readme: 'lib/php-client/README.md',
    program: 'php',
    file: 'sample.php',
    begin: autoload,
    build: () => buildPhpClient(process.cwd(), join(folder, 'php')),
  },
] as const;

// The clients sign with the time of the machine.
const service = await useStack({ startTime: 'now' });

describe('the samples of client READMEs', () => {
  for (const { readme, program, file, begin, build } of clients) {
    it.skipIf(spawnSync(program, ['--version']).status !== 0)(`of ${readme} run and print what it states`, async () => {
      await build();
      const blocks = findBlocks(readFileSync(readme, 'utf8')).filter((block) => !readSkip(block));
      const code = blocks.filter(({ language }) => language !== 'output').map(({ text }) => text);
      const stated = blocks.filter(({ language }) => language === 'output').map(({ text }) => text.trim());
      expect([code.length, stated.length]).toEqual([2, 2]);
      const path = join(folder, file);
      writeFileSync(path, fillIn(begin + code.join('\n'), service));
      const { stdout, stderr } = await run(program, [path], {
        env: { ...process.env, PYTHONPATH: join(folder, 'python') },
      });
      expect(stderr).toBe('');
      expect(stdout.trim()).toMatch(expectedOutput(stated.join('\n')));
    });
  }
});
