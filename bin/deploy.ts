import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import colours from 'picocolors';
import { readSettings, readStageFile } from '#lib/cloud/settings.ts';
import { printJson } from '#lib/local/command.ts';
import { errorText, UserError } from '#lib/local/user-error.ts';
import { deployInPhases, readDeployment } from '#lib/operator/deploy-phases.ts';
import { type DeployTarget, readDeployTarget } from '#lib/operator/deploy-target.ts';

const help = `${colours.bold('npm run deploy -- -c stage=<name>')}    Deploys a stage: checks the account, builds, and runs cdk deploy

  -c <name>=<value>    A setting, in addition to those of stages/<stage>.json; -c stage=<name> names the stage (default: dev)
  --all-at-once        Move all calls to the new version at once, without trying it on a tenth of them first
  --profile <name>     The profile of the shared AWS configuration
  --json               Print the deployed stack and its outputs as JSON; the output of the CDK is then on stderr
  --help               Print this help

All other options go to cdk deploy, such as --require-approval never. The Region is that of AWS_REGION, AWS_DEFAULT_REGION or the profile.
A stage is deployed in two phases the first time: everything is created without deletion protection, and protected when all of it is there.
`;

const given = process.argv.slice(2);
const isJson = given.includes('--json');
const say = (words: string): void => console.error(words);

const runCdk = (args: readonly string[]): Promise<number> =>
  new Promise((resolve) => {
    // What earlier releases or a stage that was destroyed have left under fixed names is taken over, not created again:
    // https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/import-resources-automatically.html
    const child = spawn('cdk', ['deploy', ...args, '--import-existing-resources'], {
      stdio: ['inherit', isJson ? process.stderr : 'inherit', 'inherit'],
    });
    child.on('error', () => {
      say('cdk was not found: run npm ci, and this as npm run deploy.');
      resolve(1);
    });
    child.on('exit', (code) => resolve(code ?? 1));
  });

/** Has this process and the CDK use one profile and one Region. Throws a UserError if neither environment nor profile names a Region. */
const useTarget = async ({ profile, region: named }: DeployTarget): Promise<string> => {
  const ofRegion = profile ?? (process.env['AWS_PROFILE'] || process.env['AWS_DEFAULT_PROFILE']);
  const region = named ?? (await regionOfProfile(ofRegion)) ?? (await regionOfProfile('default'));
  if (profile !== undefined) process.env['AWS_PROFILE'] = profile;
  else delete process.env['AWS_PROFILE'];
  if (region === undefined) throw new UserError('No Region is named. Set AWS_REGION, or a region in the AWS profile.');
  process.env['AWS_REGION'] = region;
  return region;
};

const regionOfProfile = (profile: string | undefined): Promise<string | undefined> =>
  new CloudFormationClient(profile === undefined ? {} : { profile }).config.region().catch(() => undefined);

/** Only a first deployment loads it: the declarations of all functions, and six clients. */
const checkAccount = async (region: string, { stage, args }: DeployTarget): Promise<void> => {
  const { checkAccountFor } = await import('#lib/operator/preflight/check-account.ts');
  const file = readStageFile(stage, 'stages');
  const ofArgs = new Map(args.flatMap((arg, index) => (args[index - 1] === '-c' ? [splitSetting(arg)] : [])));
  await checkAccountFor(
    region,
    readSettings((name) => ofArgs.get(name) ?? file[name]),
    say,
  );
};

const splitSetting = (text: string): [string, string] => {
  const [name = '', ...value] = text.split('=');
  return [name, value.join('=')];
};

const deploy = async (): Promise<number> => {
  const { context = {} } = JSON.parse(readFileSync('cdk.json', 'utf8'));
  const args = given.filter((arg) => arg !== '--json');
  const target = readDeployTarget({ args, environment: process.env, context });
  const region = await useTarget(target);
  const cloudFormation = new CloudFormationClient({ region });
  const hasCredentials = await cloudFormation.config.credentials().then(
    () => true,
    () => false,
  );
  if (!hasCredentials)
    throw new UserError(
      'There are no AWS credentials. Set AWS_PROFILE (or pass --profile), or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or sign in with `aws sso login`; then deploy again.',
    );
  say(`Stage ${target.stage}, Region ${region}`);
  const { stage } = target;
  const code = await deployInPhases({
    ...{ stage, args: target.args, cloudFormation, dynamodb: new DynamoDBClient({ region }) },
    preflight: () => checkAccount(region, target),
    ...{ deploy: runCdk, say },
  });
  if (isJson && code === 0) printJson(await readDeployment(cloudFormation, stage));
  return code;
};

if (given.includes('--help') || given.includes('-h')) process.stdout.write(help);
else
  try {
    process.exitCode = await deploy();
  } catch (error) {
    say(errorText(error));
    process.exitCode = 1;
  }
