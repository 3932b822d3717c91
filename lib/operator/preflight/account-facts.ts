import { CloudWatchLogsClient, DescribeLogGroupsCommand } from '@aws-sdk/client-cloudwatch-logs';
import { DescribeTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { GetAccountSummaryCommand, IAMClient } from '@aws-sdk/client-iam';
import { GetAccountSettingsCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { ListSecretsCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { GetAccountCommand, GetEmailIdentityCommand, SESv2Client } from '@aws-sdk/client-sesv2';
import { GetParameterCommand, SSMClient } from '@aws-sdk/client-ssm';
import { operatorSecrets } from '#core/platform/operation/grants.ts';
import { errorText } from '#lib/local/user-error.ts';

/** What an account says of itself before a stage is created in it. A fact that could not be read is an Unread. */
export type AccountFacts = {
  /** Concurrent executions of all functions of the account and Region, and those that no reservation holds. */
  concurrency: { total: number; unreserved: number } | Unread;
  /** IAM roles of the account, and its quota. */
  roles: { used: number; quota: number } | Unread;
  /** Whether SES has the sender's identity, and whether it may send to anyone. */
  mail: { hasIdentity: boolean; isVerified: boolean; isInSandbox: boolean } | Unread;
  /** The version of the CDK's bootstrap stack; 0: none. */
  bootstrapVersion: number | Unread;
  /** Names of what an earlier stage of the same name has left. */
  leftOvers: readonly string[] | Unread;
};
export type Unread = { unread: string };

const attempt = async <T>(read: () => Promise<T>): Promise<T | Unread> => {
  try {
    return await read();
  } catch (error) {
    return { unread: errorText(error) };
  }
};

/** Returns undefined in place of the error by which a service says that something does not exist. */
const orNothing = async <T>(read: Promise<T>, ...names: readonly string[]): Promise<T | undefined> => {
  try {
    return await read;
  } catch (error) {
    if (error instanceof Error && names.includes(error.name)) return undefined;
    throw error;
  }
};

/** Reads an account with calls that change nothing. `prefix`: `forewarn-<stage>`; `sender`: the domain or address of the stage's mails. */
export const readAccountFacts = async (region: string, prefix: string, sender: string): Promise<AccountFacts> => {
  const [concurrency, roles, mail, bootstrapVersion, leftOvers] = await Promise.all([
    attempt(() => readConcurrency(region)),
    attempt(() => readRoles(region)),
    attempt(() => readMail(region, sender)),
    attempt(() => readBootstrapVersion(region)),
    attempt(() => listLeftOvers(region, prefix)),
  ]);
  return { concurrency, roles, mail, bootstrapVersion, leftOvers };
};

const readConcurrency = async (region: string) => {
  const { AccountLimit } = await new LambdaClient({ region }).send(new GetAccountSettingsCommand({}));
  if (AccountLimit?.ConcurrentExecutions === undefined) throw new Error('Lambda has named no limit');
  const { ConcurrentExecutions: total, UnreservedConcurrentExecutions: unreserved = total } = AccountLimit;
  return { total, unreserved };
};

const readRoles = async (region: string) => {
  const { SummaryMap = {} } = await new IAMClient({ region }).send(new GetAccountSummaryCommand({}));
  return { used: SummaryMap.Roles ?? 0, quota: SummaryMap.RolesQuota ?? 1000 };
};

const readMail = async (region: string, EmailIdentity: string) => {
  const ses = new SESv2Client({ region });
  const [account, identity] = await Promise.all([
    ses.send(new GetAccountCommand({})),
    orNothing(ses.send(new GetEmailIdentityCommand({ EmailIdentity })), 'NotFoundException'),
  ]);
  return {
    hasIdentity: identity !== undefined,
    isVerified: identity?.VerifiedForSendingStatus === true,
    isInSandbox: account.ProductionAccessEnabled !== true,
  };
};

/** @see https://docs.aws.amazon.com/cdk/v2/guide/bootstrapping-env.html */
const readBootstrapVersion = async (region: string) => {
  const Name = '/cdk-bootstrap/hnb659fds/version';
  const found = await orNothing(new SSMClient({ region }).send(new GetParameterCommand({ Name })), 'ParameterNotFound');
  return Number(found?.Parameter?.Value ?? 0);
};

const listLeftOvers = async (region: string, prefix: string): Promise<string[]> => {
  const [table, secrets, logs] = await Promise.all([
    orNothing(
      new DynamoDBClient({ region }).send(new DescribeTableCommand({ TableName: prefix })),
      'ResourceNotFoundException',
    ),
    new SecretsManagerClient({ region }).send(
      new ListSecretsCommand({
        Filters: [{ Key: 'name', Values: [`${prefix}/`] }],
        IncludePlannedDeletion: true,
        MaxResults: 100,
      }),
    ),
    new CloudWatchLogsClient({ region }).send(
      new DescribeLogGroupsCommand({ logGroupNamePrefix: `/aws/lambda/${prefix}-`, limit: 50 }),
    ),
  ]);
  return [
    ...(table ? [`table ${prefix}`] : []),
    // An operator may have created the others before the stage.
    ...(secrets.SecretList ?? [])
      .filter(({ Name }) => !operatorSecrets.some((one) => Name === `${prefix}/${one}`))
      .map(({ Name, DeletedDate }) => `secret ${Name}${DeletedDate ? ' (to be deleted)' : ''}`),
    ...(logs.logGroups ?? []).map(({ logGroupName }) => `log group ${logGroupName}`),
  ];
};
