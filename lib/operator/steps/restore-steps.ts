import type { OperatorStep } from './step-runner.ts';

const table = (command: string): string => `aws dynamodb ${command}`;

/** Restores the table to a moment, into a new table next to it; the runbook says how to switch the stage to it. Variables: STAGE, AT, TARGET. */
export const restoreSteps: readonly OperatorStep[] = [
  {
    name: 'check the moment',
    why: 'the table can be restored to any second of the last 35 days, up to about five minutes ago',
    command: table('describe-continuous-backups --table-name forewarn-$STAGE --query ContinuousBackupsDescription'),
    permissions: ['dynamodb:DescribeContinuousBackups'],
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
    why: 'the deployment that switches the stage to the restored table needs these two',
    command: [
      'echo "restoredTable: $TARGET" &&',
      'echo "restoredTableStream: $(aws dynamodb describe-table --table-name $TARGET --query Table.LatestStreamArn --output text)"',
    ].join(' '),
    permissions: ['dynamodb:DescribeTable'],
  },
];
