import type { OperatorStep } from './step-runner.ts';

const table = (command: string): string => `aws dynamodb ${command}`;

const traffic = 'node_modules/.bin/node bin/traffic.ts';
const trafficPermissions = [
  ...['apigateway:GET', 'apigateway:PATCH', 'lambda:ListEventSourceMappings', 'lambda:UpdateEventSourceMapping'],
] as const;

/**
 * Stops a stage and restores its table to a moment, into a new table next to it. Calls are refused with 429 from the first step on, so that nothing
 * is accepted into the old table and lost. Variables: STAGE, AT, TARGET.
 */
export const restoreSteps: readonly OperatorStep[] = [
  {
    name: 'check the moment',
    why: 'the table can be restored to any second of the last 35 days, up to about five minutes ago',
    command: table('describe-continuous-backups --table-name forewarn-$STAGE --query ContinuousBackupsDescription'),
    permissions: ['dynamodb:DescribeContinuousBackups'],
  },
  {
    name: 'stop',
    why: 'every method refuses calls with 429, which networks repeat, and no worker reads a queue; what was set is noted in dist/restore/',
    command: `${traffic} stop --stage $STAGE`,
    permissions: trafficPermissions,
  },
  {
    name: 'restore',
    why: 'makes the new table under the key of the stage; the indexes come along',
    command: [
      'KEY=$(aws kms describe-key --key-id alias/forewarn-$STAGE --query KeyMetadata.Arn --output text) &&',
      table('restore-table-to-point-in-time --source-table-name forewarn-$STAGE --target-table-name $TARGET'),
      '--restore-date-time $AT --sse-specification-override Enabled=true,SSEType=KMS,KMSMasterKeyId=$KEY &&',
      table('wait table-exists --table-name $TARGET'),
    ].join(' '),
    permissions: ['dynamodb:RestoreTableToPointInTime', 'dynamodb:DescribeTable', 'kms:DescribeKey', 'kms:CreateGrant'],
  },
  {
    name: 'protect',
    why: 'deletion protection does not come along',
    command: `${table('update-table --table-name $TARGET --deletion-protection-enabled')} && ${table('wait table-exists --table-name $TARGET')}`,
    permissions: ['dynamodb:UpdateTable', 'dynamodb:DescribeTable'],
  },
  {
    name: 'switch on the stream',
    why: 'the router and the counter read it',
    command: `${table('update-table --table-name $TARGET --stream-specification StreamEnabled=true,StreamViewType=NEW_AND_OLD_IMAGES')} && ${table('wait table-exists --table-name $TARGET')}`,
    permissions: ['dynamodb:UpdateTable', 'dynamodb:DescribeTable'],
  },
  {
    name: 'switch on expiry',
    why: 'rows with the attribute ttl expire',
    command: table(
      'update-time-to-live --table-name $TARGET --time-to-live-specification Enabled=true,AttributeName=ttl',
    ),
    permissions: ['dynamodb:UpdateTimeToLive'],
  },
  {
    name: 'switch on continuous backups',
    why: 'the restored table can be restored too',
    command: table(
      'update-continuous-backups --table-name $TARGET --point-in-time-recovery-specification PointInTimeRecoveryEnabled=true',
    ),
    permissions: ['dynamodb:UpdateContinuousBackups'],
  },
  {
    name: 'show the settings',
    why: 'look at the data; then --switch has the stage use it, or --resume goes on with the old table',
    command: [
      'echo "restoredTable: $TARGET" &&',
      'echo "restoredTableStream: $(aws dynamodb describe-table --table-name $TARGET --query Table.LatestStreamArn --output text)"',
    ].join(' '),
    permissions: ['dynamodb:DescribeTable'],
  },
];

/** Starts a stage again as it was. Variables: STAGE. */
export const resumeSteps: readonly OperatorStep[] = [
  {
    name: 'start',
    why: 'methods accept calls as before, and workers read their queues',
    command: `${traffic} start --stage $STAGE`,
    permissions: trafficPermissions,
  },
];

/** Has a stage that is stopped use the restored table, and starts it again. Variables: STAGE, TARGET. */
export const switchSteps: readonly OperatorStep[] = [
  {
    name: 'set the table',
    why: 'the settings of the stage name the restored table, for this deployment and all later ones',
    command: [
      'STREAM=$(aws dynamodb describe-table --table-name $TARGET --query Table.LatestStreamArn --output text) &&',
      `STREAM=$STREAM node_modules/.bin/node -e 'const { STAGE, TARGET, STREAM } = process.env, file = "stages/" + STAGE + ".json";`,
      'const settings = fs.existsSync(file) ? JSON.parse(fs.readFileSync(file)) : {};',
      'fs.writeFileSync(file, JSON.stringify({ ...settings, restoredTable: TARGET, restoredTableStream: STREAM }, null, 2) + "\\n")\'',
    ].join(' '),
    permissions: ['dynamodb:DescribeTable'],
  },
  {
    name: 'deploy',
    why: 'all functions at once: a version with the old table could not use it under the new roles',
    command: 'npm run deploy -- -c stage=$STAGE --all-at-once --require-approval never',
    permissions: ['sts:AssumeRole on cdk-*', 'cloudformation:DescribeStacks'],
  },
  ...resumeSteps,
];
