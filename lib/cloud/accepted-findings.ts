import { CfnElement, Names, NestedStack, type Stack, Validations } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';
import { operatorSecrets } from '#core/platform/operation/grants.ts';

type Exception = {
  /** The rule, under the name of its pack, and the finding where a rule has several. */
  id: string;
  reason: string;
  /** Only in these parts of the stack; if absent, in all. */
  parts?: readonly RegExp[];
};

/** Findings of the rule packs that we have decided to accept. All others stop the synthesis. */
export const exceptions: readonly Exception[] = [
  {
    id: 'AwsSolutions::AwsSolutions-APIG2',
    reason: 'Every function checks its request by a schema and names each wrong field; a model could only say less.',
  },
  {
    id: 'AwsSolutions::AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs]',
    reason: 'The policy that Amazon asks for so that the gateway may write its logs; one role for the account.',
    parts: [/^Api$/],
  },
  {
    id: 'AwsSolutions::AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSCodeDeployRoleForLambdaLimited]',
    reason: 'The policy that Amazon asks for so that CodeDeploy may move aliases and read alarms.',
    parts: [/^ReleasesRole$/],
  },
  {
    id: 'AwsSolutions::AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSBackupServiceRolePolicyForBackup]',
    reason: 'The policy that Amazon asks for so that AWS Backup may back up the table.',
    parts: [/^BackupRole$/],
  },
  {
    id: 'AwsSolutions::AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/AWSBackupServiceRolePolicyForS3Backup]',
    reason: 'The policy that Amazon asks for so that AWS Backup may back up the bucket.',
    parts: [/^BackupRole$/],
  },
  {
    id: 'AwsSolutions::AwsSolutions-IAM5[Resource::*]',
    reason:
      'Sending traces to X-Ray, listing streams where a function reads one, and reading the suppression list of SES, are actions that know no resource.',
    parts: [/Role$/],
  },
  ...['*_*', '*_*:*', 'auth-authorizer:*'].map((name) => ({
    id: `AwsSolutions::AwsSolutions-IAM5[Resource::arn:aws:lambda:<region>:<AWS::AccountId>:function:<prefix>-${name}]`,
    reason:
      'The functions of all operations, whose names alone have that form, and the authorizer: a deployed gateway calls those of before, too.',
    parts: [/^GatewayRole$/],
  })),
  ...['identity', 'configuration-set'].map((resource) => ({
    id: `AwsSolutions::AwsSolutions-IAM5[Resource::arn:aws:ses:<region>:<AWS::AccountId>:${resource}/*]`,
    reason: 'SES also asks for what the account has set for mails; a condition limits the grant to one sender.',
    parts: [/Role$/],
  })),
  ...operatorSecrets.map((name) => ({
    id: `AwsSolutions::AwsSolutions-IAM5[Resource::arn:aws:secretsmanager:<region>:<AWS::AccountId>:secret:<prefix>/${name}-??????]`,
    reason: 'The secret that an operator creates: Secrets Manager adds six characters to its name.',
    parts: [/Role$/],
  })),
  {
    id: 'AwsSolutions::AwsSolutions-IAM5[Resource::arn:aws:scheduler:<region>:<AWS::AccountId>:schedule/<DeadlineScheduleGroup>/*]',
    reason: 'One schedule per open alert, each named when it is made, in a group that holds nothing else.',
    parts: [/Role$/],
  },
  ...(['uploads', 'evidence', 'exports'] as const).map((prefix) => ({
    id: `AwsSolutions::AwsSolutions-IAM5[Resource::<referenceto<objects>Arn>/${prefix}/*]`,
    reason: 'Files have random names, by merchant, under a prefix that says what functions may do with them.',
    parts: [/Role$/],
  })),
  {
    id: 'AwsSolutions::AwsSolutions-IAM5[Resource::<<own objects>.Arn>/evidence/*]',
    reason: 'The same for the worker that submits evidence by rules, which is in the same stack as the bucket.',
    parts: [/^ChargebacksDecideChargebacksRole$/],
  },
  ...['AwsSolutions::AwsSolutions-S1', 'PCI.DSS.321::PCI.DSS.321-S3BucketLoggingEnabled'].map((id) => ({
    id,
    reason:
      'Each address is signed by a function for 15 minutes, and the call that asks for it is logged with its user. The bucket has no other readers.',
    parts: [/^Objects$/],
  })),
  {
    id: 'PCI.DSS.321::PCI.DSS.321-S3BucketReplicationEnabled',
    reason:
      'The files are copies of what merchants have, and card numbers do not belong in them; S3 stores each in three zones.',
    parts: [/^Objects$/],
  },
  {
    id: 'PCI.DSS.321::PCI.DSS.321-S3BucketVersioningEnabled',
    reason: 'Each file is written once under a random name. Versions would keep what a merchant has deleted.',
    parts: [/^Objects$/],
  },
  {
    id: 'AwsSolutions::AwsSolutions-SMG4',
    reason: 'Each secret is a ring of keys that its users must know first; the runbook rotates it in two steps.',
    parts: [/Secret$/],
  },
  {
    id: 'AwsSolutions::AwsSolutions-SQS3',
    reason: 'It is a queue of dead letters, of a stream or of a schedule, which CloudFormation writes differently.',
    parts: [/DeadLetters$/],
  },
  {
    id: 'PCI.DSS.321::PCI.DSS.321-APIGWCacheEnabledAndEncrypted',
    reason: 'Answers differ by caller and by moment, and hold cardholder data: none may be cached.',
    parts: [/^Api$/],
  },
  {
    id: 'PCI.DSS.321::PCI.DSS.321-APIGWSSLEnabled',
    reason:
      'A client certificate proves the gateway to a server behind it; behind this one are functions, invoked by role.',
    parts: [/^Api$/],
  },
  {
    id: 'PCI.DSS.321::PCI.DSS.321-IAMNoInlinePolicy',
    reason:
      'Each role serves one function or schedule; its policy is made from what that one declares, and lives with it.',
    parts: [/Role$/],
  },
  {
    id: 'PCI.DSS.321::PCI.DSS.321-LambdaInsideVPC',
    reason:
      'The functions reach services of AWS by TLS and role, and merchants by the internet; nothing of theirs is in a network.',
  },
];

/** Registers the exceptions with the checks, each for its parts of the stack. */
export const acceptFindings = (stack: Stack): void => {
  for (const { parts, reason, ...exception } of exceptions) {
    const id = exception.id
      .replace('<region>', stack.region)
      .replace('<prefix>', stack.stackName)
      .replace('<objects>', uniqueIdOf(stack, 'Objects'))
      .replace('<own objects>', logicalIdOf(stack, 'Objects'));
    const scopes = parts ? ownParts(stack).filter(({ node }) => parts.some((part) => part.test(node.id))) : [stack];
    for (const scope of scopes) Validations.of(scope).acknowledge({ id, reason });
  }
};

/** As references to a part from nested stacks have it. */
const uniqueIdOf = ({ node }: Stack, id: string): string => {
  const resource = node.tryFindChild(id)?.node.defaultChild;
  return resource ? Names.nodeUniqueId(resource.node) : '';
};

/** As references to a part from its own stack have it. */
const logicalIdOf = (stack: Stack, id: string): string => {
  const resource = stack.node.tryFindChild(id)?.node.defaultChild;
  return CfnElement.isCfnElement(resource) ? String(stack.resolve(resource.logicalId)) : '';
};

const ownParts = (stack: Stack): IConstruct[] =>
  stack.node.children.flatMap((child) => (child instanceof NestedStack ? [child, ...child.node.children] : [child]));
