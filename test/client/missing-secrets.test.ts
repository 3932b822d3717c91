import { execFileSync, spawnSync } from 'node:child_process';
import { createHmac, randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';

/** Secrets that were not set, or not completely: a receiver that accepts one of them accepts any forged webhook. */
const missing: readonly (string | null)[] = [
  null,
  '',
  ' ',
  'whsec_',
  'whsec_\n',
  'whsec_AAAA',
  '====',
  'whsec_not base64!',
];

const seconds = Math.floor(Date.now() / 1000);
const body = '{"action":"statusupdate","alert_id":1}';
const sign = (key: Buffer) => `v1,${createHmac('sha256', key).update(`m.${seconds}.${body}`).digest('base64')}`;
const headersFor = (secret: string | null) => ({
  'content-type': 'application/json',
  'webhook-id': 'm',
  'webhook-timestamp': String(seconds),
  'webhook-signature': sign(Buffer.from((secret ?? '').trim().replace(/^whsec_/, ''), 'base64')),
});

const scripts: Readonly<Record<string, { program: string; args: readonly string[] }>> = {
  TypeScript: {
    program: process.execPath,
    args: [
      '--input-type=module',
      '-e',
      `import { openWebhook, WebhookRefused } from './lib/client/src/webhook.ts';
       const { headers, body, secret } = JSON.parse(process.env.CALL);
       await openWebhook({ headers, body }, { secret: secret ?? undefined }).then(
         ({ kind }) => console.log('accepted ' + kind), (error) => console.log(error instanceof WebhookRefused ? 'refused' : 'broken ' + error));`,
    ],
  },
  Python: {
    program: 'python3',
    args: [
      '-c',
      `import json, os, sys
sys.path.insert(0, 'lib/python-client/forewarn')
sys.dont_write_bytecode = True
from webhook import WebhookRefused, open_webhook
call = json.loads(os.environ['CALL'])
try:
    print('accepted', open_webhook(call['headers'], call['body'], call['secret']).kind)
except WebhookRefused:
    print('refused')`,
    ],
  },
  PHP: {
    program: 'php',
    args: [
      '-r',
      `foreach (glob('lib/php-client/src/Webhook*.php') as $file) { require_once $file; }
       $call = json_decode(getenv('CALL'), true);
       try { echo 'accepted ' . Forewarn\\Webhook::open($call['headers'], $call['body'], $call['secret'])->kind; }
       catch (Forewarn\\WebhookRefused) { echo 'refused'; }`,
    ],
  },
};

describe.each(Object.entries(scripts))('a webhook opened by the client for %s', (_, { program, args }) => {
  const isThere = spawnSync(program, ['--version']).status === 0;
  const open = (secret: string | null, headers = headersFor(secret)) =>
    execFileSync(program, args, {
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], CALL: JSON.stringify({ headers, body, secret }) },
    }).trim();

  it.skipIf(!isThere).each(missing)('is refused with the secret %j, even if it is signed with that', (secret) => {
    expect(open(secret)).toBe('refused');
  });

  it.skipIf(!isThere)('is accepted with a whole secret, and refused if another one has signed it', () => {
    const secret = `whsec_${randomBytes(32).toString('base64')}`;
    expect(open(secret)).toBe('accepted status_update');
    expect(open(secret, headersFor(`whsec_${randomBytes(32).toString('base64')}`))).toBe('refused');
  });
});

describe.each([
  ['charges.py', 'python3'],
  ['receiver.py', 'python3'],
  ['charges.mjs', process.execPath],
  ['receiver.mjs', process.execPath],
])('the example %s', (file, program) => {
  const isThere = spawnSync(program, ['--version']).status === 0;
  it.skipIf(!isThere).each(['', 'whsec_'])('does not start with the secret %j', (secret) => {
    const env = { PATH: process.env['PATH'], SIGNING_SECRET: secret, PORT: '0' };
    const { status, stderr } = spawnSync(program, [`docs/guides/receivers/${file}`], {
      encoding: 'utf8',
      env,
      timeout: 60_000,
    });
    expect(status).toBe(1);
    expect(stderr).toContain('SIGNING_SECRET must be');
  });
});
