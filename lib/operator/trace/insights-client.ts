import {
  type CloudWatchLogsClient,
  DescribeLogGroupsCommand,
  GetQueryResultsCommand,
  StartQueryCommand,
} from '@aws-sdk/client-cloudwatch-logs';
import { UserError } from '#lib/local/user-error.ts';

/** Logs Insights reads at most 50 groups in one query. */
const groupsPerQuery = 50;
const maxLines = 1000;

export type InsightsRequest = {
  logs: Pick<CloudWatchLogsClient, 'send'>;
  /** `forewarn-<stage>` */
  prefix: string;
  alertId: number;
  /** The beginning of the period, in milliseconds since 1970. */
  since: number;
  now: number;
  /** Waits before the result of a query is read again. */
  wait: () => Promise<unknown>;
};

/** Finds the log lines of a stage that name an alert, by CloudWatch Logs Insights. Throws UserError if a query fails or nothing is deployed. */
export const findAlertLines = async (request: InsightsRequest): Promise<string[]> => {
  const names = await listGroups(request);
  if (names.length === 0) throw new UserError(`There are no logs of ${request.prefix} in this Region.`);
  const parts = Array.from({ length: Math.ceil(names.length / groupsPerQuery) }, (_, part) =>
    names.slice(part * groupsPerQuery, (part + 1) * groupsPerQuery),
  );
  return (await Promise.all(parts.map((logGroupNames) => query(request, logGroupNames)))).flat();
};

const listGroups = async ({ logs, prefix }: InsightsRequest): Promise<string[]> => {
  const names: string[] = [];
  let nextToken: string | undefined;
  do {
    const page = await logs.send(
      new DescribeLogGroupsCommand({ logGroupNamePrefix: `/aws/lambda/${prefix}-`, ...(nextToken && { nextToken }) }),
    );
    names.push(...(page.logGroups ?? []).flatMap(({ logGroupName }) => logGroupName ?? []));
    nextToken = page.nextToken;
  } while (nextToken !== undefined);
  return names;
};

const query = async (request: InsightsRequest, logGroupNames: string[]): Promise<string[]> => {
  const { logs, alertId, since, now, wait } = request;
  const { queryId } = await logs.send(
    new StartQueryCommand({
      logGroupNames,
      startTime: Math.floor(since / 1000),
      endTime: Math.ceil(now / 1000),
      queryString: `fields @message | filter alertId = ${alertId} | sort @timestamp asc`,
      limit: maxLines,
    }),
  );
  for (;;) {
    const { status, results = [] } = await logs.send(new GetQueryResultsCommand({ queryId }));
    if (status === 'Complete')
      return results.flatMap((fields) => fields.find(({ field }) => field === '@message')?.value ?? []);
    if (status !== 'Running' && status !== 'Scheduled')
      throw new UserError(`CloudWatch Logs Insights ended the query as ${status ?? 'unknown'}.`);
    await wait();
  }
};
