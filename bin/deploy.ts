import { spawn } from 'node:child_process';
import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { printJson } from '#lib/local/command.ts';
import { messageOf } from '#lib/local/user-error.ts';
import { deployInPhases, readDeployment } from '#lib/operator/deploy-phases.ts';

/**
 * `cdk deploy`, which asks for credentials only after minutes of building: this asks first. `--json` prints the deployed stack and its outputs as JSON,
 * and the output of the CDK on stderr.
 */
const given = process.argv.slice(2);
const isJson = given.includes('--json');
const args = given.filter((arg) => arg !== '--json');
const named = args.indexOf('--profile');
const profile = named >= 0 ? args[named + 1] : args.find((arg) => arg.startsWith('--profile='))?.split('=')[1];
if (profile !== undefined) process.env['AWS_PROFILE'] = profile;

/** The CDK's own default where neither the environment nor the profile names a Region. */
const region = await new CloudFormationClient({}).config.region().catch(() => 'us-east-1');
const cloudFormation = new CloudFormationClient({ region });
const say = (words: string): void => console.error(words);

const runCdk = (own: readonly string[]): Promise<number> =>
  new Promise((resolve) => {
    const child = spawn('cdk', ['deploy', ...own], {
      stdio: ['inherit', isJson ? process.stderr : 'inherit', 'inherit'],
    });
    child.on('error', () => {
      say('cdk was not found: run npm ci, and this as npm run deploy.');
      resolve(1);
    });
    child.on('exit', (code) => resolve(code ?? 1));
  });

const hasCredentials = await cloudFormation.config.credentials().then(
  () => true,
  () => false,
);
if (hasCredentials) {
  try {
    process.exitCode = await deployInPhases({ args, cloudFormation, deploy: runCdk, say });
    if (isJson && process.exitCode === 0) printJson(await readDeployment(cloudFormation, args));
  } catch (error) {
    say(messageOf(error));
    process.exitCode = 1;
  }
} else {
  say(
    'There are no AWS credentials. Set AWS_PROFILE (or pass --profile), or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or sign in with `aws sso login`; then deploy again.',
  );
  process.exitCode = 1;
}
