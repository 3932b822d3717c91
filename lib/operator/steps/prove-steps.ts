import type { OperatorStep } from './step-runner.ts';

const deploy = 'npm run deploy -- -c stage=$STAGE --require-approval never';
/** The permissions of `cdk deploy`: it uses the roles that `cdk bootstrap` has created. */
const deployPermissions = ['sts:AssumeRole on cdk-*', 'cloudformation:DescribeStacks'] as const;
const previous = 'dist/prove/previous';
/** 1.0.0 writes an assembly without stacks if the CDK's command starts its own app, so it is synthesized by its parts. */
const synthesizePrevious = [
  'import { operations } from "#functions/operations.ts"; import { workers } from "#functions/workers.ts";',
  'import { bundle, bundleName } from "#lib/build/bundle.ts"; import { createServiceApp } from "#lib/cloud/service-app.ts";',
  'const outdir = process.cwd() + "/dist/functions"; await bundle({ outdir, functions: [...operations, ...workers] });',
  'createServiceApp({ operations, workers, bundleOf: (one) => outdir + "/" + bundleName(one), context: { stage: process.env.STAGE } }).synth();',
].join(' ');
const deployPrevious = [
  `printf %s '${synthesizePrevious}' > synthesize.mts &&`,
  'npx cdk deploy --app "node_modules/.bin/node synthesize.mts" -c stage=$STAGE --require-approval never --import-existing-resources',
].join(' ');
/** Sets API to the base address of the stage, which ends with a slash. */
const setApi = [
  'API=$(aws cloudformation describe-stacks --stack-name forewarn-$STAGE',
  `--query "Stacks[0].Outputs[?OutputKey=='ApiUrl'].OutputValue" --output text) &&`,
].join(' ');
/** Sets RECEIVER to the address of the receiver, which ends with a slash. */
const setReceiver = [
  'RECEIVER=$(aws cloudformation describe-stacks --stack-name forewarn-$STAGE-receiver',
  `--query "Stacks[0].Outputs[?OutputKey=='Url'].OutputValue" --output text)`,
].join(' ');
/** The output of `npm run init`: the merchant's secrets, which are not shown again. */
const merchantFile = 'dist/prove/merchant.txt';

/**
 * Proves a release in an account: deploys an ephemeral stage, probes it through gateway, firewall and SES, measures it, upgrades it from the previous release
 * and back, restores its table, and destroys everything. Variables: STAGE, AWS_REGION, PREVIOUS (a commit).
 */
export const proveSteps: readonly OperatorStep[] = [
  {
    name: 'deploy the previous release',
    why: 'the upgrade begins with what operators run today',
    command: [
      `rm -rf ${previous} && git worktree prune && git worktree add --force ${previous} $PREVIOUS && cd ${previous} && npm ci`,
      '&& mkdir -p stages && node ../../../lib/operator/steps/known-settings.mjs < ../../../stages/$STAGE.json > stages/$STAGE.json',
      `&& ${deployPrevious}`,
    ].join(' '),
    permissions: deployPermissions,
  },
  { name: 'upgrade', why: 'N−1 to N, with the canaries', command: deploy, permissions: deployPermissions },
  {
    name: 'go back',
    why: 'N to N−1, as after a release that must be undone',
    command: `cd ${previous} && ${deployPrevious}`,
    permissions: deployPermissions,
  },
  { name: 'deploy again', why: 'the probes are for N', command: deploy, permissions: deployPermissions },
  {
    name: 'create a receiver',
    why: 'webhooks need an address in the account: a function with a URL, which writes what it gets to its log',
    command: [
      'aws cloudformation deploy --stack-name forewarn-$STAGE-receiver --template-file lib/operator/steps/receiver.json',
      '--parameter-overrides Stage=$STAGE --capabilities CAPABILITY_IAM --no-fail-on-empty-changeset',
    ].join(' '),
    permissions: [
      ...['cloudformation:CreateChangeSet', 'cloudformation:ExecuteChangeSet', 'cloudformation:DescribeStacks'],
      ...['iam:CreateRole', 'iam:AttachRolePolicy', 'iam:PassRole', 'logs:CreateLogGroup', 'logs:PutRetentionPolicy'],
      ...['lambda:CreateFunction', 'lambda:CreateFunctionUrlConfig', 'lambda:AddPermission', 'lambda:GetFunction'],
    ],
  },
  {
    name: 'create the first merchant',
    why: 'the guide of the runbook, up to the first test alert, with the receiver as its endpoint',
    command: [
      `set -o pipefail; ${setReceiver} &&`,
      'npm run --silent init -- --deployed --yes --confirm --stage $STAGE --region $AWS_REGION --networks provider_a,provider_b',
      `--endpoint "$RECEIVER" | (umask 077; tee ${merchantFile})`,
    ].join(' '),
    permissions: [
      ...['cloudformation:DescribeStacks', 'dynamodb:PutItem', 'dynamodb:TransactWriteItems', 'dynamodb:GetItem'],
      ...['secretsmanager:GetSecretValue', 'kms:Decrypt', 'kms:GenerateDataKey'],
    ],
  },
  {
    name: 'probe the gateway',
    why: 'the health check answers 200, and an unknown route 404 in the shape of every error',
    command: [
      setApi,
      'curl -fsS "$API"health && test "$(curl -s -o /dev/null -w %{http_code} "$API"no-such-route)" = 404',
    ].join(' '),
    permissions: ['cloudformation:DescribeStacks'],
  },
  {
    name: 'probe the firewall',
    why: 'a known attack is answered 403',
    command: [
      setApi,
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
    name: 'probe the intake',
    why: 'an alert without a signature is answered 401, a signed one 200 with the number of its alert, and the same again when it is repeated',
    command: [
      setApi,
      `test "$(curl -s -o /dev/null -w %{http_code} -d '{}' "$API"api/v3/providers/provider_a/alerts)" = 401 &&`,
      'KEY=$(aws secretsmanager get-secret-value --secret-id forewarn-$STAGE/provider-a --query SecretString --output text |',
      "node -p 'const ring = JSON.parse(fs.readFileSync(0)); ring[ring.current]') &&",
      'BODY=$(node -p \'JSON.stringify({alertId: "PROBE" + Date.now(), type: "CUSTOMER_DISPUTE", cardBin: "411111", cardLast4: "1111",',
      'transactionTimestamp: new Date().toISOString(), merchantDescriptor: "FIRST MERCHANT", amount: {value: "12.50", currencyCode: "USD"}})\') &&',
      'TIME=$(date +%s) && export KEY TEXT="$TIME.$BODY" &&',
      'SIGNATURE=$(node -p \'crypto.createHmac("sha256", process.env.KEY).update(process.env.TEXT).digest("hex")\') &&',
      'intake() { curl -fsS -H "x-signature: t=$TIME,v1=$SIGNATURE" -H "content-type: application/json" -d "$BODY" "$API"api/v3/providers/provider_a/alerts; } &&',
      'FIRST=$(intake) && AGAIN=$(intake) && test "$FIRST" = "$AGAIN" && echo "$FIRST" | grep alert_id',
    ].join('\n'),
    permissions: ['cloudformation:DescribeStacks', 'secretsmanager:GetSecretValue', 'kms:Decrypt'],
  },
  {
    name: 'receive the webhook',
    why: 'the test alert arrives at the receiver within two minutes, signed with the merchant’s secret',
    command: [
      'for i in $(seq 24); do',
      'aws logs filter-log-events --log-group-name /aws/lambda/forewarn-$STAGE-receiver --output json > dist/prove/received.json &&',
      `node bin/check-webhook.ts ${merchantFile} dist/prove/received.json && exit 0; sleep 5; done; exit 1`,
    ].join(' '),
    permissions: ['logs:FilterLogEvents'],
  },
  {
    name: 'answer the alert',
    why: 'the merchant answers with its rcode, as in the guide; a wrong rcode is answered 401',
    command: [
      setApi,
      `ALERT=$(node bin/check-webhook.ts ${merchantFile} | cut -d' ' -f1) && RCODE=$(node bin/check-webhook.ts ${merchantFile} | cut -d' ' -f2) &&`,
      'answer() { curl -s -o /dev/null -w %{http_code} -H "rcode: $1" -H "content-type: application/json"',
      `-d '{"alert_id": '$ALERT', "status": "DECLINED", "reason_code": "902.002"}' "$API"secure/alert/update/v2/; } &&`,
      'test "$(answer wrong)" = 401 && test "$(answer "$RCODE")" = 200',
    ].join(' '),
    permissions: ['cloudformation:DescribeStacks'],
  },
  {
    name: 'run the guides',
    why: 'the commands of docs/guides do what the pages say, with a tenant of their own and the receiver as its endpoint',
    command: [
      setApi,
      `${setReceiver} &&`,
      'node bin/prove-guides.ts --stage $STAGE --region $AWS_REGION --url "$API" --receiver "$RECEIVER"',
    ].join(' '),
    permissions: [
      ...['cloudformation:DescribeStacks', 'dynamodb:PutItem', 'dynamodb:TransactWriteItems', 'dynamodb:GetItem'],
      'logs:FilterLogEvents',
    ],
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
    why: 'the restore drill: stops the stage, restores, switches to the new table and starts again',
    command: [
      'npm run restore -- --stage $STAGE --region $AWS_REGION --target forewarn-$STAGE-proved &&',
      'npm run restore -- --stage $STAGE --region $AWS_REGION --target forewarn-$STAGE-proved --switch',
    ].join(' '),
    permissions: [
      'dynamodb:RestoreTableToPointInTime',
      'dynamodb:UpdateTable',
      'dynamodb:DescribeTable',
      'kms:CreateGrant',
    ],
  },
  {
    name: 'destroy everything',
    why: 'the stage is ephemeral: stack, tables, secrets, log groups, files, the vault and the key',
    command: [
      'aws cloudformation delete-stack --stack-name forewarn-$STAGE-receiver &&',
      'aws cloudformation wait stack-delete-complete --stack-name forewarn-$STAGE-receiver &&',
      `rm -f ${merchantFile} dist/prove/received.json dist/prove/$STAGE-guides.json &&`,
      // A run that is repeated no longer finds what the one before has deleted.
      'unless_gone() { OUT=$("$@" 2>&1) || case "$OUT" in *NotFound*|*NoSuch*|*"Max attempts"*) ;; *) echo "$OUT" >&2; return 1;; esac; } &&',
      // The key is found by its alias, which goes with the stack; what a repeated run no longer finds is skipped.
      'KEY=$(aws kms describe-key --key-id alias/forewarn-$STAGE --query KeyMetadata.KeyId --output text 2>/dev/null || true) &&',
      'for t in forewarn-$STAGE-proved forewarn-$STAGE; do',
      'unless_gone aws dynamodb update-table --table-name $t --no-deletion-protection-enabled && unless_gone aws dynamodb wait table-exists --table-name $t; done &&',
      'npx cdk destroy --force -c stage=$STAGE &&',
      'for t in forewarn-$STAGE-proved forewarn-$STAGE; do unless_gone aws dynamodb delete-table --table-name $t; done &&',
      'for s in $(aws secretsmanager list-secrets --filters Key=name,Values=forewarn-$STAGE/ --query "SecretList[].Name" --output text); do',
      'aws secretsmanager delete-secret --secret-id $s --force-delete-without-recovery; done &&',
      'for g in /aws/apigateway/forewarn-$STAGE aws-waf-logs-forewarn-$STAGE /aws/lambda/forewarn-$STAGE-; do',
      'for l in $(aws logs describe-log-groups --log-group-name-prefix $g --query "logGroups[].logGroupName" --output text); do',
      'aws logs delete-log-group --log-group-name $l; done; done &&',
      'for b in $(aws s3api list-buckets --query "Buckets[?starts_with(Name, \'forewarn-$STAGE-\')].Name" --output text); do',
      'aws s3api list-object-versions --bucket $b --output json --query "{Objects: [Versions, DeleteMarkers][][].{Key: Key, VersionId: VersionId}}" > dist/prove/objects.json &&',
      '{ grep -q VersionId dist/prove/objects.json && aws s3api delete-objects --bucket $b --delete file://dist/prove/objects.json > /dev/null || true; } &&',
      'aws s3api delete-bucket --bucket $b; done &&',
      'unless_gone aws backup delete-backup-vault --backup-vault-name forewarn-$STAGE &&',
      '{ test -z "$KEY" || aws kms schedule-key-deletion --key-id $KEY --pending-window-in-days 7; }',
    ].join('\n'),
    permissions: [
      ...deployPermissions,
      ...['dynamodb:UpdateTable', 'dynamodb:DeleteTable', 'dynamodb:DescribeTable', 'secretsmanager:ListSecrets'],
      ...['secretsmanager:DeleteSecret', 'kms:DescribeKey', 'kms:ScheduleKeyDeletion', 'cloudformation:DeleteStack'],
      ...['lambda:DeleteFunction', 'lambda:DeleteFunctionUrlConfig', 'lambda:RemovePermission', 'iam:DeleteRole'],
      ...['iam:DetachRolePolicy', 'logs:DescribeLogGroups', 'logs:DeleteLogGroup'],
      ...['s3:ListAllMyBuckets', 's3:ListBucketVersions', 's3:DeleteObjectVersion', 's3:DeleteBucket'],
      'backup:DeleteBackupVault',
    ],
  },
];

/** The claims that no step proves yet; the report lists them. */
export const unproved = [
  'the few commands of docs/guides that need the local stack, which the step "run the guides" lists',
  'mutual TLS, a custom domain name and AWS Backup',
] as const;
