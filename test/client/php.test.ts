import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildPhpClient } from '#lib/openapi/php-package.ts';
import { phpType } from '#lib/openapi/php-types.ts';
import { receive } from '#test/support/personas.ts';
import { startStack, type TestStack } from '#test/support/stack.ts';

const run = promisify(execFile);
const hasPhp = spawnSync('php', ['--version']).status === 0;
if (!hasPhp) process.stderr.write('\n!!! SKIPPED: the PHP client. php is missing.\n\n');

const folder = mkdtempSync(join(tmpdir(), 'forewarn-php-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a program that has only the package, and reads its output as JSON. */
const printedBy = async (program: string, environment: Record<string, string> = {}): Promise<unknown> => {
  const file = join(folder, 'program.php');
  const load = `spl_autoload_register(fn (string $name) => require '${folder}/package/src/' . substr($name, 9) . '.php');`;
  writeFileSync(
    file,
    `<?php\nuse Forewarn\\{Client, ForewarnException, Webhook, WebhookRefused};\n${load}\n${program}`,
  );
  const { stdout } = await run('php', [file], { env: { PATH: process.env['PATH'], ...environment } });
  return JSON.parse(stdout);
};

it.each([
  [{ type: 'string' }, 'string'],
  [{ type: ['integer', 'null'] }, 'int|null'],
  [{ enum: ["a'b", 1, true, null] }, "'a\\'b'|1|true|null"],
  [{ type: 'array', items: { $ref: '#/components/schemas/Alert' } }, 'list<Alert>'],
  [{ type: 'object', additionalProperties: { type: 'number' } }, 'array<string, float>'],
  [{ anyOf: [{ const: 'x' }, { type: 'boolean' }] }, "'x'|bool"],
  [{}, 'mixed'],
])('writes %j as %s in PHP', (schema, type) => expect(phpType(schema)).toBe(type));

describe.skipIf(!hasPhp)('the PHP client', () => {
  let service: TestStack;
  beforeAll(async () => {
    [service] = await Promise.all([startStack(), buildPhpClient(process.cwd(), join(folder, 'package'))]);
  });
  afterAll(() => service.stop());

  it('calls with an API key', async () => {
    const body = { name: 'Shop', permissions: ['settings:read'] };
    const made = await service.call('/api/v3/api-keys/create', { token: await service.tokenOf('merchant'), body });
    const program = `
$client = new Client(getenv('URL'), apiKey: getenv('KEY'));
try {
    $client->call('POST /api/v3/users/list', body: []);
} catch (ForewarnException $refusal) {
    echo json_encode([$client->call('POST /api/v3/site/list', body: [])['totalResult'], $refusal->errorCode]);
}`;
    const environment = { URL: service.url, KEY: String(made.body['key']) };
    expect(await printedBy(program, environment)).toEqual([3, 'permission_missing']);
  });

  it('reads every page of a list', async () => {
    const { username, password } = service.credentials.merchant;
    const program = `
$client = new Client(getenv('URL'), user: [getenv('USERNAME'), getenv('PASSWORD')]);
$all = iterator_to_array($client->each('POST /api/v3/site/list', body: ['size' => 2]), false);
echo json_encode(array_column($all, 'sid'));`;
    const sids = await printedBy(program, { URL: service.url, USERNAME: username, PASSWORD: password });
    expect(new Set(sids as number[]).size).toBe(3);
  });

  it('opens a webhook of the service, and refuses one that was changed, is old or has no signature', async () => {
    const alertId = await receive(service);
    const sent = service.sinks.got('demo').find(({ body }) => body.includes(String(alertId)));
    const program = `
$sent = json_decode(getenv('SENT'), true);
$now = (int) (new DateTimeImmutable($sent['time']))->format('U');
$why = function (array $headers, string $body, int $at): string {
    try {
        return Webhook::open($headers, $body, getenv('SECRET'), $at)->kind;
    } catch (WebhookRefused $refused) {
        return $refused->getMessage();
    }
};
[$headers, $body] = [$sent['headers'], $sent['body']];
$opened = Webhook::open($headers, $body, getenv('SECRET'), $now);
$unsigned = array_diff_key($headers, ['webhook-signature' => 0]);
echo json_encode([$opened->kind, $opened->id, $opened->fields['alert_id'], $opened->fields['txdetails'][0]['alert_transaction'],
    $why($headers, $body . '&amount=1', $now), $why($headers, $body, $now + 302), $why($unsigned, $body, $now)]);`;
    const environment = { SENT: JSON.stringify(sent), SECRET: service.credentials.site.signing_secret };
    expect(await printedBy(program, environment)).toEqual([
      ...['new_alert', `ntf_${alertId}`, String(alertId), null],
      'No signature fits.',
      'The timestamp is more than five minutes away.',
      'The header webhook-signature is missing.',
    ]);
  });

  it('sends only the number of a 3-D Secure result', async () => {
    const program = `
try {
    Client::threeDSecure('{"eci": "05"}');
} catch (InvalidArgumentException $refused) {
    echo json_encode([Client::threeDSecure('{"authentication_id": 7, "eci": "05"}'), $refused->getMessage()]);
}`;
    expect(await printedBy(program)).toEqual([
      { threeDSecure: '{"authentication_id":7}' },
      'The result has no authentication_id.',
    ]);
  });

  it('has the version of the service, and types without errors of syntax', async () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
    expect(JSON.parse(readFileSync(join(folder, 'package/composer.json'), 'utf8'))).toMatchObject({ version });
    const { stdout } = await run('php', ['-l', join(folder, 'package/src/Schemas.php')]);
    expect(stdout).toContain('No syntax errors');
  });
});
