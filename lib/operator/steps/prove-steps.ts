import type { OperatorStep } from './step-runner.ts';

const deploy = 'npm run deploy -- -c stage=$STAGE --require-approval never';
/** The permissions of `cdk deploy`: it uses the roles that `cdk bootstrap` has created. */
const deployPermissions = ['sts:AssumeRole on cdk-*', 'cloudformation:DescribeStacks'] as const;
const previous = 'dist/prove/previous';

/**
 * Proves a release in an account: deploys an ephemeral stage, probes it through gateway, firewall and SES, measures it, upgrades it from the previous release
 * and back, restores its table, and destroys everything. Variables: STAGE, AWS_REGION, PREVIOUS (a tag).
 */
export const proveSteps: readonly OperatorStep[] = [
  {
    name: 'deploy the previous release',
    why: 'the upgrade begins with what operators run today',
    command: [
      `git worktree add --force ${previous} $PREVIOUS && cd ${previous} && npm ci`,
      `&& mkdir -p stages && cp ../../../stages/$STAGE.json stages/ && ${deploy}`,
    ].join(' '),
    permissions: deployPermissions,
  },
  { name: 'upgrade', why: 'N−1 to N, with the canaries', command: deploy, permissions: deployPermissions },
  {
    name: 'go back',
    why: 'N to N−1, as after a release that must be undone',
    command: `cd ${previous} && ${deploy}`,
    permissions: deployPermissions,
  },
  { name: 'deploy again', why: 'the probes are for N', command: deploy, permissions: deployPermissions },
  {
    name: 'create the first merchant',
    why: 'the guide of the runbook, up to the first test alert',
    command: 'npm run init -- --deployed --yes --stage $STAGE --region $AWS_REGION',
    permissions: [
      ...['cloudformation:DescribeStacks', 'dynamodb:PutItem', 'dynamodb:TransactWriteItems', 'dynamodb:GetItem'],
      ...['secretsmanager:GetSecretValue', 'kms:Decrypt', 'kms:GenerateDataKey'],
    ],
  },
  {
    name: 'probe the gateway',
    why: 'the health check answers 200, and an unknown route 404 in the shape of every error',
    command: [
      'API=$(aws cloudformation describe-stacks --stack-name forewarn-$STAGE',
      `--query "Stacks[0].Outputs[?OutputKey=='ApiUrl'].OutputValue" --output text) &&`,
      'curl -fsS "$API"health && test "$(curl -s -o /dev/null -w %{http_code} "$API"no-such-route)" = 404',
    ].join(' '),
    permissions: ['cloudformation:DescribeStacks'],
  },
  {
    name: 'probe the firewall',
    why: 'a known attack is answered 403',
    command: [
      'API=$(aws cloudformation describe-stacks --stack-name forewarn-$STAGE',
      `--query "Stacks[0].Outputs[?OutputKey=='ApiUrl'].OutputValue" --output text) &&`,
      'test "$(curl -s -o /dev/null -w %{http_code} "$API"health?x=%24%7Bjndi:ldap://127.0.0.1/a%7D)" = 403',
    ].join(' '),
    permissions: ['cloudformation:DescribeStacks'],
  },
  {
    name: 'probe SES',
    why: 'an e-mail to the mailbox simulator is accepted',
    command: [
      'FROM=$(node -p "require(\'./stages/$STAGE.json\').mailFrom") &&',
      'aws sesv2 send-email --from-email-address $FROM --destination ToAddresses=success@simulator.amazonses.com',
      '--content "Simple={Subject={Data=Probe},Body={Text={Data=Probe}}}"',
    ].join(' '),
    permissions: ['ses:SendEmail'],
  },
  {
    name: 'measure cold starts',
    why: 'the time to initialize, by function, of the last hour',
    command: [
      'GROUPS_OF_STAGE=$(aws logs describe-log-groups --log-group-name-prefix /aws/lambda/forewarn-$STAGE-',
      "--query 'logGroups[].logGroupName' --output text) &&",
      'QUERY=$(aws logs start-query --log-group-names $GROUPS_OF_STAGE --start-time $(($(date +%s) - 3600)) --end-time $(date +%s)',
      `--query-string 'filter @type = "REPORT" and ispresent(@initDuration) | stats count(*), pct(@initDuration, 50), pct(@initDuration, 99) by @log'`,
      '--query queryId --output text) && sleep 20 && aws logs get-query-results --query-id $QUERY',
    ].join(' '),
    permissions: ['logs:DescribeLogGroups', 'logs:StartQuery', 'logs:GetQueryResults'],
  },
  {
    name: 'read the bill',
    why: 'usage records of the last two days; Cost Explorer is up to a day behind',
    command: [
      'aws ce get-cost-and-usage --time-period Start=$(date -d "2 days ago" +%F),End=$(date -d tomorrow +%F)',
      '--granularity DAILY --metrics UnblendedCost UsageQuantity --group-by Type=DIMENSION,Key=USAGE_TYPE',
    ].join(' '),
    permissions: ['ce:GetCostAndUsage'],
  },
  {
    name: 'restore the table',
    why: 'the restore drill, into a new table',
    command: 'npm run restore -- --stage $STAGE --region $AWS_REGION --target forewarn-$STAGE-proved',
    permissions: [
      'dynamodb:RestoreTableToPointInTime',
      'dynamodb:UpdateTable',
      'dynamodb:DescribeTable',
      'kms:CreateGrant',
    ],
  },
  {
    name: 'destroy everything',
    why: 'the stage is ephemeral: stack, tables, secrets and key',
    command: [
      'for t in forewarn-$STAGE-proved forewarn-$STAGE; do',
      'aws dynamodb update-table --table-name $t --no-deletion-protection-enabled && aws dynamodb wait table-exists --table-name $t; done &&',
      'npx cdk destroy --force -c stage=$STAGE &&',
      'for t in forewarn-$STAGE-proved forewarn-$STAGE; do aws dynamodb delete-table --table-name $t; done &&',
      'for s in $(aws secretsmanager list-secrets --filters Key=name,Values=forewarn-$STAGE/ --query "SecretList[].Name" --output text); do',
      'aws secretsmanager delete-secret --secret-id $s --force-delete-without-recovery; done &&',
      'KEY=$(aws kms describe-key --key-id alias/forewarn-$STAGE --query KeyMetadata.KeyId --output text) &&',
      'aws kms schedule-key-deletion --key-id $KEY --pending-window-in-days 7',
    ].join('\n'),
    permissions: [
      ...deployPermissions,
      ...['dynamodb:UpdateTable', 'dynamodb:DeleteTable', 'dynamodb:DescribeTable', 'secretsmanager:ListSecrets'],
      ...['secretsmanager:DeleteSecret', 'kms:DescribeKey', 'kms:ScheduleKeyDeletion'],
    ],
  },
];

/** The claims that no step proves yet; the report lists them. */
export const unproved = [
  'webhooks to a receiver inside the account',
  'the guides of docs/guides',
  'mutual TLS, a custom domain name and AWS Backup',
] as const;
