import { spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import { parseArgs } from 'node:util';
import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import colours from 'picocolors';
import { stageNames } from '#lib/cloud/names.ts';
import { readSettings, readStageFile } from '#lib/cloud/settings.ts';
import { helpOption, jsonOption, printJson, runCommand } from '#lib/local/command.ts';
import { readEndpoints } from '#lib/local/endpoints.ts';
import { UserError } from '#lib/local/user-error.ts';
import {
  checkHealth,
  confirmEnrollment,
  createFirstMerchant,
  findFirstMerchant,
  makeTestAlert,
  type Service,
} from '#lib/operator/init/first-merchant.ts';
import { handOverOf } from '#lib/operator/init/hand-over.ts';
import {
  type InitAnswers,
  listWrongAnswers,
  merchantQuestions,
  parseNetworks,
  type Question,
  stageFileOf,
  stageQuestions,
} from '#lib/operator/init/questions.ts';
import { runUser } from './commands/run-user.ts';

/** `npm run init`: from nothing to a stage with an operator and a first merchant. */

const help = `${colours.bold('npm run init')}    Sets up a stage, its first operator and its first merchant

  Asks for what it must know, writes stages/<stage>.json, and prints how to deploy it. Run it again with --deployed afterwards.

  --local              Set up a merchant on the running local service instead; nothing is deployed
  --deploy             Deploy at once, then go on
  --deployed           The stage is deployed: go on with the operator and the merchant
  --confirm            Enroll the descriptor without its networks, and make a test alert; for ephemeral stages only
  --api-url <url>      Where the deployed API answers, if not at the address of the stack's output
  --yes                Ask nothing: take the flags, and the defaults for the rest
  --json               Prints what was set up, passwords included, as JSON; questions and progress are then on stderr

${[...stageQuestions, ...merchantQuestions].map(({ flag, text }) => `  ${`--${flag} <text>`.padEnd(29)}${text}`).join('\n')}
`;

const texts = Object.fromEntries(
  [...stageQuestions, ...merchantQuestions].map(({ flag }) => [flag, { type: 'string' as const }]),
);
const options = {
  local: { type: 'boolean', default: false },
  deploy: { type: 'boolean', default: false },
  deployed: { type: 'boolean', default: false },
  confirm: { type: 'boolean', default: false },
  yes: { type: 'boolean', default: false },
  'api-url': { type: 'string' },
  ...jsonOption,
  ...helpOption,
} as const;

type Flags = Readonly<Record<string, string | boolean | undefined>>;
const asksForJson = process.argv.includes('--json');
/** Where people read. With `--json`, stdout is for programs. */
const output = asksForJson ? process.stderr : process.stdout;
const say = (line = ''): void => void output.write(`${line}\n`);
const step = (words: string): void => say(`\n${colours.bold(words)}`);

const ask = async (flags: Flags, questions: readonly Question[]): Promise<InitAnswers> => {
  const terminal = flags['yes'] ? undefined : createInterface({ input: process.stdin, output });
  const given: Partial<Record<keyof InitAnswers, string>> = {};
  for (const { name, flag, text, usual } of questions) {
    const preset = flags[flag];
    const fallback = usual(given);
    const answer =
      typeof preset === 'string' ? preset : await terminal?.question(`${text}${fallback && ` [${fallback}]`}: `);
    given[name] = answer?.trim() || fallback;
  }
  terminal?.close();
  const { networks = '', ...rest } = given;
  const blank = {
    stage: 'dev',
    region: '',
    alertDomain: '',
    mailFrom: '',
    operationsEmail: 'operations@shop.example',
    lambdaConcurrency: '1000',
  };
  const answers: InitAnswers = {
    ...blank,
    ...{ merchant: '', siteUrl: '', currency: '', descriptor: '', endpoint: '' },
    ...rest,
    networks: readNetworks(networks),
  };
  const wrong = listWrongAnswers(answers);
  // Nothing has been written yet.
  if (wrong.length > 0) throw new UserError(wrong.join('\n'));
  return answers;
};

const readNetworks = (text: string) => {
  try {
    return parseNetworks(text);
  } catch (error) {
    throw new UserError(error instanceof Error ? error.message : String(error));
  }
};

/** Writes the stage file and returns its path. Throws UserError if the settings are wrong, or the file exists. */
const writeStageFile = (answers: InitAnswers): string => {
  const settings = stageFileOf(answers);
  const all: Readonly<Record<string, unknown>> = { ...settings, stage: answers.stage };
  try {
    readSettings((name) => all[name]);
  } catch (error) {
    throw new UserError(error instanceof Error ? error.message : String(error));
  }
  const file = `stages/${answers.stage}.json`;
  if (existsSync(file))
    throw new UserError(`${file} exists. Change it, or use another stage; --deployed goes on with it.`);
  writeFileSync(file, `${JSON.stringify(settings, null, 2)}\n`);
  say(`${file} written.`);
  return file;
};

const deploySteps = ({ stage, region }: InitAnswers): string[] => [
  `npm run bootstrap -- aws://$(aws sts get-caller-identity --query Account --output text)/${region}`,
  `AWS_REGION=${region} npm run deploy -- -c stage=${stage}`,
];

/** The address of a deployed stage's API. */
const urlOfStage = async ({ stage, region }: InitAnswers): Promise<string> => {
  const client = new CloudFormationClient({ region });
  const { Stacks = [] } = await client.send(new DescribeStacksCommand({ StackName: stageNames(stage).prefix }));
  const url = Stacks[0]?.Outputs?.find(({ OutputKey }) => OutputKey === 'ApiUrl')?.OutputValue;
  if (!url) throw new UserError(`${stageNames(stage).prefix} is not deployed in ${region}.`);
  return url.replace(/\/$/, '');
};

/** Creates the operator unless an earlier run has, and returns a token for the next steps. `password`: null if it was created before. */
const makeOperator = async (username: string, target: readonly string[]) => {
  step('Operator');
  const users: unknown = await runUser(['list', ...target]);
  const isKnown = Array.isArray(users) && users.some((one) => one.username === username);
  const password = isKnown ? null : String((await runUser(['create', username, '--admin', ...target]))['password']);
  const { token } = await runUser(['token', username, '--days', '1', ...target]);
  say(
    password === null
      ? `${username} was created by an earlier run.`
      : `Username ${username}, password ${password} (shown once).`,
  );
  return { username, password, token: String(token) };
};

const setUp = async (answers: InitAnswers, url: string, isLocal: boolean, isConfirmed = isLocal): Promise<void> => {
  step('Smoke test');
  await checkHealth(url);
  say(`${url}/health answers.`);
  const target = isLocal ? [] : ['--stage', answers.stage, '--region', answers.region];
  const operator = await makeOperator('first-operator', target);
  const service: Service = { url, token: operator.token };
  step('First merchant');
  const known = await findFirstMerchant(service, answers.merchant);
  if (known)
    say(
      `${answers.merchant} is merchant ${known.mid} with site ${known.sid}: an earlier run has created it. Change it in the dashboard.`,
    );
  const merchant = known ?? (await createFirstMerchant(service, answers, say));
  const manager = known
    ? null
    : await runUser(['create', `manager${merchant.mid}`, '--mid', String(merchant.mid), ...target]);
  if (manager) say(`Its first manager: username ${manager['username']}, password ${manager['password']} (shown once).`);
  let alert: Awaited<ReturnType<typeof makeTestAlert>> | null = null;
  if (known) say('No test alert is made: the merchant was there before.');
  else if (isConfirmed && answers.endpoint === '')
    say('No test alert is made: the site has no address for webhooks yet (--endpoint).');
  else if (isConfirmed) {
    await confirmEnrollment(service, answers, merchant);
    alert = await makeTestAlert(service, answers);
    say(
      `Test alert ${alert.alertId} for ${answers.descriptor} is ${alert.status}: ${url}/dashboard#/alerts/${alert.alertId}`,
    );
  } else {
    say(
      'Its descriptors are waiting for the networks. When one has confirmed, record that in the dashboard, then make a test alert.',
    );
  }
  step('Hand over to the networks');
  const networks = handOverOf(url, answers.networks, isLocal ? null : answers.stage);
  for (const { network, address, secret } of networks) {
    say(`${network}: alerts to ${address}, signed with the secret at ${secret}`);
  }
  say(`\nThe dashboard is at ${url}/dashboard.`);
  if (asksForJson) {
    const people = { operator: { username: operator.username, password: operator.password }, manager };
    printJson({ url, ...people, merchant, alert, networks });
  }
};

const main = async (args: string[]): Promise<void> => {
  const flags: Flags = parseArgs({ args, options: { ...texts, ...options } }).values;
  if (flags['help']) return say(help);
  if (flags['local']) {
    const endpoints = readEndpoints();
    if (!endpoints) throw new UserError('No local service runs in this data folder; start it with npm start.');
    return setUp(await ask(flags, merchantQuestions), endpoints.url, true);
  }
  const answers = await ask(flags, [...stageQuestions, ...merchantQuestions]);
  if (!flags['deployed']) {
    step('Settings');
    const file = writeStageFile(answers);
    step('Deployment');
    const commands = deploySteps(answers);
    for (const command of commands) say(`  ${command}`);
    if (!flags['deploy']) {
      say('\nThen run npm run init -- --deployed with the same answers.');
      if (asksForJson) printJson({ file, commands });
      return;
    }
    const { status } = spawnSync(process.execPath, ['bin/deploy.ts', '-c', `stage=${answers.stage}`], {
      // Its output is no JSON.
      stdio: ['inherit', output.fd, 'inherit'],
      env: { ...process.env, AWS_REGION: answers.region },
    });
    if (status !== 0)
      throw new UserError('The deployment failed; see "The first deployment failed" in docs/runbook.md.');
  }
  const isConfirmed = flags['confirm'] === true;
  if (isConfirmed && readStageFile(answers.stage, 'stages')['ephemeral'] !== true)
    throw new UserError('--confirm is for ephemeral stages: on others, the networks confirm the descriptor.');
  const given = flags['api-url'];
  const url = typeof given === 'string' ? given.replace(/\/$/, '') : await urlOfStage(answers);
  return setUp(answers, url, false, isConfirmed);
};

await runCommand(() => main(process.argv.slice(2)));
