import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CollectedDocument, postmanCollection } from '#lib/openapi/postman.ts';
import { startService } from './start-service.ts';

/**
 * Has Newman (Apache-2.0, from npm), which runs collections as Postman does, sign in by the collection's script and make signed payments
 * at `npm start`.
 * @see https://github.com/postmanlabs/newman
 */
const newman = 'newman@6.2.2';

const document: CollectedDocument = JSON.parse(readFileSync('docs/openapi.json', 'utf8'));
/** Ends of paths. The last one asks for the payment that the one before has made. */
const paths = ['/api/v3/site/list', '/:id/singletx', '/:id/getstatus'];
const script = [
  "pm.test('is answered with 200', () => pm.response.to.have.status(200));",
  "pm.collectionVariables.set('id', pm.response.json().txid);",
];

const folder = mkdtempSync(join(tmpdir(), 'forewarn-postman-'));
const { url, service } = await startService(join(folder, 'data'));
try {
  const { admin, payment_site: site } = (await (await fetch(`${url}/_local/credentials`)).json()) as {
    admin: { username: string; password: string };
    payment_site: { sid: number; rcode: string };
  };
  const collection = postmanCollection(document);
  const variable = [{ key: 'id', value: '{{id}}' }];
  const requests = collection.item.flatMap(({ item }) => item);
  const played = paths
    .flatMap((path) => requests.filter(({ request }) => request.url.raw.endsWith(path)))
    .map(({ request, ...item }) => ({
      ...item,
      request: { ...request, url: { ...request.url, variable } },
      event: [{ listen: 'test', script: { exec: request.url.raw.endsWith('singletx') ? script : script.slice(0, 1) } }],
    }));
  if (played.length !== paths.length) throw new Error(`${played.length} requests of the collection`);
  const set = { url, username: admin.username, password: admin.password, rcode: site.rcode };
  const file = join(folder, 'collection.json');
  const variables = [...collection.variable, { key: 'id', value: String(site.sid) }];
  writeFileSync(file, JSON.stringify({ ...collection, variable: variables, item: played }));
  const settings = Object.entries(set).flatMap(([key, value]) => ['--env-var', `${key}=${value}`]);
  execFileSync('npm', ['exec', '--yes', '--', newman, 'run', file, ...settings, '--color', 'off'], {
    stdio: 'inherit',
  });
} finally {
  service.kill();
  rmSync(folder, { recursive: true, force: true });
}
