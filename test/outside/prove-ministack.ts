import { execFile, spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { APIGatewayClient, GetRestApisCommand } from '@aws-sdk/client-api-gateway';
import { DescribeTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { GetQueueAttributesCommand, ListQueuesCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { iso, milliseconds, nowMilliseconds } from '#core/kernel/clock.ts';
import { signIn } from '#lib/local/demo/demo-calls.ts';
import { makeGuideTenant } from '#lib/operator/guides/prove-guides.ts';
import { type MiniStack, startMiniStack } from './ministack.ts';
import { type Stage, stories } from './stage-stories.ts';

/**
 * `npm run prove -- --on ministack`: deploys an empty account of an AWS emulator with the CDK's own CLI and `npm run deploy`, plays stories through its gateway,
 * deploys again, and destroys the stage. Writes dist/prove/ministack.md.
 */
const stage = 'proof';
const app = 'node_modules/.bin/node bin/app.ts && node_modules/.bin/node test/outside/leave-out-types.ts';
const reportFile = 'dist/prove/ministack.md';
const results: { name: string; problem: string | null; seconds: number }[] = [];

/** Runs a step and notes how it ended. Returns whether it did. */
const step = async (name: string, play: () => Promise<void>): Promise<boolean> => {
  const began = performance.now();
  let problem: string | null = null;
  try {
    await play();
  } catch (error) {
    problem = error instanceof Error ? error.message : String(error);
  }
  const seconds = (performance.now() - began) / 1000;
  results.push({ name, problem, seconds });
  process.stdout.write(
    `${problem === null ? 'passed' : 'FAILED'}  ${seconds.toFixed(1).padStart(6)} s  ${name}${problem === null ? '' : `\n        ${problem}`}\n`,
  );
  return problem === null;
};

const programEnvironment = ({ environment }: MiniStack) => ({
  ...process.env,
  ...environment,
  PATH: `${process.cwd()}/node_modules/.bin:${process.env['PATH']}`,
});

/** Runs a program as a person types it. Throws an Error with the end of its output if it fails. */
const type = (stack: MiniStack, command: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const child = spawn('bash', ['-c', command], { env: programEnvironment(stack) });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk));
    child.stderr.on('data', (chunk: Buffer) => (output += chunk));
    child.on('close', (code) =>
      code === 0 ? resolve(output) : reject(new Error(`${command} ended with ${code}:\n${output.slice(-1500)}`)),
    );
  });

const deploy = (settings = ''): string =>
  `npm run --silent deploy -- -c stage=${stage} -c checks=off ${settings} --app "${app}" --require-approval never`;

const makeStage = async (stack: MiniStack): Promise<Stage> => {
  const { items = [] } = await new APIGatewayClient().send(new GetRestApisCommand({}));
  const id = items.find(({ name }) => name === `forewarn-${stage}`)?.id;
  const url = `${stack.url}/_aws/execute-api/${id}/${stage}`;
  const run = promisify(execFile);
  const tenant = await makeGuideTenant(url, 'https://hooks.forewarn-proof.example', async (username, mid) => {
    const scope = mid === null ? ['--admin'] : ['--mid', String(mid)];
    const args = ['bin/user.ts', 'create', username, ...scope, '--program', '--json', '--stage', stage];
    const { stdout } = await run(process.execPath, args, { env: programEnvironment(stack) });
    return { username, password: String(JSON.parse(stdout).password) };
  });
  const secrets = new SecretsManagerClient();
  return {
    url,
    admin: await signIn(url, tenant.admin),
    manager: await signIn(url, tenant.merchant),
    site: tenant.site,
    paymentSite: tenant.payment_site,
    keyOf: async (provider) => {
      const SecretId = `forewarn-${stage}/${provider.replace('_', '-')}`;
      const { SecretString = '{}' } = await secrets.send(new GetSecretValueCommand({ SecretId }));
      const ring = JSON.parse(SecretString);
      return ring[ring.current];
    },
    mails: async () => (await fetch(`${stack.url}/_ministack/ses/messages`)).text(),
    sweep: sweepNow,
  };
};

/** The schedule itself stands at minute 0 of 00 and 12 UTC; its message is sent by hand. */
const sweepNow = async (): Promise<void> => {
  const sqs = new SQSClient();
  const { QueueUrls = [] } = await sqs.send(new ListQueuesCommand({ QueueNamePrefix: `forewarn-${stage}-sweep` }));
  const QueueUrl = QueueUrls.find((url) => url.endsWith('-sweep'));
  const slot = iso(nowMilliseconds() - (nowMilliseconds() % (12 * milliseconds.hour)));
  await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: JSON.stringify({ slot }) }));
  const AttributeNames = ['ApproximateNumberOfMessages', 'ApproximateNumberOfMessagesNotVisible'] as const;
  for (let tries = 0; tries < 120; tries += 1) {
    const asked = new GetQueueAttributesCommand({ QueueUrl, AttributeNames: [...AttributeNames] });
    const { Attributes = {} } = await sqs.send(asked);
    if (AttributeNames.every((name) => Attributes[name] === '0')) return;
    await pause(500);
  }
  throw new Error('the message was still there after a minute');
};

/** Throws an Error if a queue of dead letters has a message. */
const expectNoDeadLetters = async (): Promise<void> => {
  const sqs = new SQSClient();
  const { QueueUrls = [] } = await sqs.send(new ListQueuesCommand({ QueueNamePrefix: `forewarn-${stage}` }));
  const dead = QueueUrls.filter((url) => url.endsWith('-dead-letters'));
  if (dead.length < 10) throw new Error(`only ${dead.length} queues of dead letters`);
  for (const QueueUrl of dead) {
    const asked = new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['ApproximateNumberOfMessages'] });
    const { Attributes = {} } = await sqs.send(asked);
    if (Attributes['ApproximateNumberOfMessages'] !== '0')
      throw new Error(`${QueueUrl} has ${JSON.stringify(Attributes)}`);
  }
};

const prove = async (stack: MiniStack): Promise<void> => {
  Object.assign(process.env, stack.environment);
  await step(
    'bootstrap the account',
    async () => void (await type(stack, 'npm run --silent bootstrap -- aws://000000000000/us-east-1')),
  );
  if (!(await step('deploy an empty account', async () => void (await type(stack, deploy()))))) return;
  let made: Stage | undefined;
  await step('create operator, merchant and sites', async () => {
    made = await makeStage(stack);
  });
  if (made === undefined) return;
  const ready = made;
  for (const { name, play } of stories) await step(name, () => play(ready));
  await step('no message became a dead letter', expectNoDeadLetters);
  for (const command of ['user -- list', 'counters -- check --all'])
    await step(
      `npm run ${command} --stage ${stage}`,
      async () => void (await type(stack, `npm run --silent ${command} --stage ${stage}`)),
    );
  await step('deploy again without a change', async () => void (await type(stack, deploy())));
  for (const { name, play } of stories.filter(({ isRepeated }) => isRepeated))
    await step(`again: ${name}`, () => play(ready));
  await step('stop every call and every worker, and start them again', async () => {
    await type(stack, `node bin/traffic.ts stop --stage ${stage} && node bin/traffic.ts start --stage ${stage}`);
  });
  await step('destroy the stage, and keep what holds data', async () => {
    await type(stack, `cdk destroy --force --app cdk.out forewarn-${stage}`);
    await new DynamoDBClient().send(new DescribeTableCommand({ TableName: `forewarn-${stage}` }));
  });
};

/** What the emulator cannot show, with the reason. The templates of both releases are compared in test/cloud/upgrade.test.ts. */
const leftOut = [
  'alarms on expressions, CodeDeploy, and the connection of firewall and gateway: it does not know these types (test/outside/leave-out-types.ts)',
  'scripts of the dashboard: it leaves binary replies in base64, although the definition declares binary media types',
  'a changed setting, and an update from 1.0.0 and back: it loses attributes of nested stacks that it updates',
  'a 3-D Secure challenge: the emulator names another host in its events than the one that is called, and the frame must come from there',
  'webhooks that arrive: the service calls no loopback address, as deployed; attempts are checked instead',
  'IAM, throttling and collisions of names: it enforces none',
];

mkdirSync('dist/prove', { recursive: true });
mkdirSync('stages', { recursive: true });
const settings = { allowSandbox: true, ephemeral: true, secondFactor: 'optional', lambdaConcurrency: 500 };
const mail = { mailFrom: 'alerts@forewarn.example', operationsEmail: 'ops@forewarn.example' };
writeFileSync(`stages/${stage}.json`, JSON.stringify({ ...settings, ...mail }));
const stack = await startMiniStack('dist/prove/ministack.log');
try {
  await prove(stack);
} finally {
  stack.stop();
  const failed = results.filter(({ problem }) => problem !== null).length;
  const rows = results.map(
    ({ name, problem, seconds }) => `| ${name} | ${problem === null ? 'passed' : 'failed'} | ${seconds.toFixed(1)} |`,
  );
  writeFileSync(
    reportFile,
    `# Proof on MiniStack\n\n| step | result | seconds |\n|---|---|---|\n${rows.join('\n')}\n\nLeft out:\n\n${leftOut.map((one) => `- ${one}`).join('\n')}\n`,
  );
  process.stdout.write(`${results.length - failed} passed, ${failed} failed\n`);
  process.exitCode = failed === 0 ? 0 : 1;
}
