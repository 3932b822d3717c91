import { variableOfQueue, variableOfSecret } from '#core/platform/operation/grants.ts';
import { listQueues } from '#core/platform/operation/worker.ts';
import { everySecret } from '#disputes/providers/providers.ts';
import { workers } from '#functions/workers.ts';
import { bucketName } from './world/bucket.ts';

/**
 * The environment of every function; to be imported before any of them is. In a plain object: functions read it again and again,
 * and the process's own asks the operating system each time.
 */
process.env = Object.assign(
  { ...process.env },
  {
    AWS_REGION: 'eu-west-1',
    AWS_ACCESS_KEY_ID: 'simulation',
    AWS_SECRET_ACCESS_KEY: 'simulation',
    TABLE_NAME: 'simulation',
    OBJECTS_BUCKET: bucketName,
    STAGE_NAME: 'simulation',
    ALLOW_SANDBOX: 'true',
    ENROLLMENT_PROVIDER: 'sandbox',
    MAIL_FROM: 'service@forewarn.example',
    OPERATIONS_MAIL: 'operations@forewarn.example',
    SCHEDULE_GROUP_NAME: 'deadlines',
    SCHEDULE_ROLE_ARN: 'arn:aws:iam::000000000000:role/deadlines',
    DEADLINE_QUEUE_ARN: 'arn:aws:sqs:eu-west-1:000000000000:deadline',
  },
);
for (const queue of listQueues(workers))
  process.env[variableOfQueue(queue)] = `https://sqs.example/000000000000/${queue}`;
for (const secret of everySecret) process.env[variableOfSecret(secret)] = secret;

const ring = (text: string): string => JSON.stringify({ current: 'k1', k1: text });

/** The content of the secrets. */
export const secrets = {
  jwt: ring('signing key of tokens in the simulation'),
  // As long as one that is generated: shorter ones cannot be retired.
  encryption: ring('encryption key of the simulation'.padEnd(64, '.')),
  'provider-a': ring('provider a signs with this'),
  'provider-b': ring('provider b signs with this'),
  rdr: ring('rdr signs with this'),
  'outcome-provider-a': JSON.stringify({ base_url: 'https://network-a.example' }),
  'outcome-provider-b': JSON.stringify({
    base_url: 'https://network-b.example',
    username: 'forewarn',
    password: 'password at network b',
    secret: 'signing secret at network b',
  }),
  minfraud: JSON.stringify({}),
  sift: JSON.stringify({}),
} as const;
