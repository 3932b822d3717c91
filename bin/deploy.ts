import { spawn } from 'node:child_process';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';

/** `cdk deploy`, which asks for credentials only after minutes of building: this asks first. */
const args = process.argv.slice(2);
const named = args.indexOf('--profile');
const profile = named >= 0 ? args[named + 1] : args.find((arg) => arg.startsWith('--profile='))?.split('=')[1];
if (profile !== undefined) process.env['AWS_PROFILE'] = profile;

const found = await new DynamoDBClient({ region: 'us-east-1' }).config.credentials().then(
  () => true,
  () => false,
);
if (found) {
  const child = spawn('cdk', ['deploy', ...args], { stdio: 'inherit' });
  child.on('error', () => {
    console.error('cdk was not found: run npm ci, and this as npm run deploy.');
    process.exitCode = 1;
  });
  child.on('exit', (code) => {
    process.exitCode = code ?? 1;
  });
} else {
  console.error(
    'There are no AWS credentials. Set AWS_PROFILE (or pass --profile), or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or sign in with `aws sso login`; then deploy again.',
  );
  process.exitCode = 1;
}
