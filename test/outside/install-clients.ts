import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildPhpClient } from '#lib/openapi/php-package.ts';
import { buildPythonClient } from '#lib/openapi/python-package.ts';
import { startService } from './start-service.ts';

/** Has pip and Composer install the clients as their READMEs say, and calls `npm start` with what they installed. */
const folder = mkdtempSync(join(tmpdir(), 'forewarn-clients-'));
const run = (program: string, args: readonly string[], cwd = folder): string =>
  execFileSync(program, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });

const installPythonClient = async (): Promise<string> => {
  const built = join(folder, 'python');
  await buildPythonClient(process.cwd(), built);
  run('python3', ['-m', 'venv', 'venv']);
  run('venv/bin/pip', ['install', '--quiet', '--disable-pip-version-check', built]);
  return join(folder, 'venv/bin/python');
};

/** Has mypy judge the types of the installed client: a right call passes, and one with a field that there is not fails. */
const checkPythonTypes = (program: string): void => {
  const pip = ['install', '--quiet', '--disable-pip-version-check', 'mypy==1.11.2'];
  run('venv/bin/pip', pip);
  writeFileSync(join(shop, 'typo.py'), `${program}print(client.merchants.list_sites(body={"sizes": 1}))\n`);
  for (const version of ['3.9', '3.12']) {
    const check = (file: string) =>
      spawnSync(join(folder, 'venv/bin/mypy'), ['--python-version', version, file], { cwd: shop, encoding: 'utf8' });
    const right = check('list.py');
    if (right.status !== 0) throw new Error(`mypy refuses a right call: ${right.stdout}`);
    if (check('typo.py').status === 0) throw new Error('mypy accepts a field that there is not');
  }
};

const installPhpClient = async (): Promise<void> => {
  await buildPhpClient(process.cwd(), join(folder, 'php'));
  const quiet = ['--no-interaction', '--quiet'];
  run('composer', ['init', '--name', 'shop/shop', ...quiet], shop);
  run('composer', ['config', 'repositories.forewarn', 'path', '../php', ...quiet], shop);
  run('composer', ['require', 'forewarn/forewarn', ...quiet], shop);
};

const shop = join(folder, 'shop');
mkdirSync(shop);
const { url, service } = await startService(join(folder, 'data'));
try {
  const { admin } = (await (await fetch(`${url}/_local/credentials`)).json()) as {
    admin: { username: string; password: string };
  };
  const [user, password] = [JSON.stringify(admin.username), JSON.stringify(admin.password)];
  const expectSites = (language: string, printed: string): void => {
    if (printed.trim() !== '3') throw new Error(`The client for ${language} prints ${printed}`);
  };
  const has = (program: string): boolean => {
    const isThere = spawnSync(program, ['--version']).status === 0;
    if (!isThere) process.stdout.write(`!!! SKIPPED a client: ${program} is missing\n`);
    return isThere;
  };
  if (has('python3')) {
    const python = await installPythonClient();
    const program = `import forewarn\nclient = forewarn.Client("${url}", user=(${user}, ${password}))\n`;
    writeFileSync(
      join(shop, 'list.py'),
      `${program}print(client.merchants.list_sites(body={"size": 1})["totalResult"])\n`,
    );
    expectSites('Python', run(python, ['list.py'], shop));
    checkPythonTypes(program);
  }
  if (has('composer')) {
    await installPhpClient();
    const begin = `<?php\nrequire 'vendor/autoload.php';\n$client = new Forewarn\\Client('${url}', user: [${user}, ${password}]);\n`;
    writeFileSync(
      join(shop, 'list.php'),
      `${begin}echo $client->merchants()->listSites(body: ['size' => 1])['totalResult'];`,
    );
    expectSites('PHP', run('php', ['list.php'], shop));
  }
} finally {
  service.kill();
  rmSync(folder, { recursive: true, force: true });
}
