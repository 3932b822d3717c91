import { at, type Fields, type Synthesized, toList } from './synthesized.ts';

/** USD list prices of us-east-1, without free tiers, as written down on this date. */
export const priceTable = {
  date: '2026-11-26',
  alarmMetric: 0.1,
  dashboard: 3,
  customMetricHour: 0.3 / 730,
  webAcl: 5,
  webAclRule: 1,
  webAclRequest: 0.6e-6,
  secret: 0.4,
  key: 1,
  queueRequest: 0.4e-6,
  apiCall: 3.5e-6,
  invocation: 0.2e-6,
  gigabyteSecond: 13.3e-6,
  trace: 5e-6,
} as const;

const hoursPerMonth = 730;
const secondsPerMonth = hoursPerMonth * 3600;

/**
 * Lambda polls each queue with five long polls of 20 seconds at a time, whether there are messages or not.
 * @see https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-scaling.html
 */
const receivesPerQueue = (5 * secondsPerMonth) / 20;
/** Metrics that a sweep writes though nothing is due, and the hours of a month in which it runs. */
const sweepMetrics = ['OldestPendingDeliverySeconds', 'SweepCompleted'] as const;
const sweepHours = 2 * (hoursPerMonth / 24);
/** A monitor that calls `GET /health` every minute; the function takes 50 ms. */
const healthChecks = secondsPerMonth / 60;
const healthSeconds = 0.05;

export type BillLine = { what: string; pieces: string; usd: number };

/** Computes the monthly cost of a deployed stage without any calls, counted in its templates. */
export const idleBill = ({ ofType }: Pick<Synthesized, 'ofType'>): BillLine[] => {
  const propertiesOf = (type: string): Fields[] => ofType(type).map(({ properties }) => properties);
  const count = (type: string) => ofType(type).length;
  const alarms = propertiesOf('AWS::CloudWatch::Alarm');
  const metrics = alarms.reduce((sum, alarm) => sum + billedMetrics(alarm), 0);
  const rules = propertiesOf('AWS::WAFv2::WebACL').flatMap((acl) => toList(acl['Rules']));
  const receives = receivesPerQueue * queueSources(propertiesOf('AWS::Lambda::EventSourceMapping'));
  const [acls, dashboards] = [count('AWS::WAFv2::WebACL'), count('AWS::CloudWatch::Dashboard')];
  const [secrets, keys] = [count('AWS::SecretsManager::Secret'), count('AWS::KMS::Key')];
  const { alarmMetric, dashboard, webAcl, webAclRule, secret, key, queueRequest, customMetricHour } = priceTable;
  return [
    {
      what: 'CloudWatch alarms',
      pieces: `${alarms.length} on ${metrics} metrics at ${alarmMetric.toFixed(2)}`,
      usd: metrics * alarmMetric,
    },
    {
      what: 'firewall',
      pieces: `${acls} web ACL at ${webAcl}, its ${rules.length} rules at ${webAclRule}`,
      usd: acls * webAcl + rules.length * webAclRule,
    },
    { what: 'secrets', pieces: `${secrets} at ${secret.toFixed(2)}`, usd: secrets * secret },
    {
      what: 'empty receives of the queues',
      pieces: `${millions(receives)} million at ${(queueRequest * 1e6).toFixed(2)}`,
      usd: receives * queueRequest,
    },
    { what: 'CloudWatch dashboard', pieces: `${dashboards} at ${dashboard}`, usd: dashboards * dashboard },
    {
      what: 'key',
      pieces: `${keys} at ${key}, and as much for each of its first two yearly rotations`,
      usd: keys * key,
    },
    {
      what: 'health check each minute',
      pieces: `${Math.round(healthChecks)} calls`,
      usd: healthChecks * healthCheck(),
    },
    {
      what: 'metrics of the sweep',
      pieces: `${sweepMetrics.length} in ${Math.round(sweepHours)} hours`,
      usd: sweepMetrics.length * sweepHours * customMetricHour,
    },
  ];
};

/** One call, through firewall and gateway, with its trace. */
const healthCheck = (): number => {
  const { apiCall, webAclRequest, invocation, gigabyteSecond, trace } = priceTable;
  return apiCall + webAclRequest + invocation + 0.25 * healthSeconds * gigabyteSecond + trace;
};

/** An alarm is billed for each metric that it reads; one that compares a metric with a band, for the two ends of the band as well. */
const billedMetrics = (alarm: Fields): number => {
  const queries = toList(alarm['Metrics']);
  if (queries.length === 0) return 1;
  const read = queries.filter((one) => at(one, 'MetricStat') !== undefined).length;
  return read + (alarm['ThresholdMetricId'] === undefined ? 0 : 2);
};

const queueSources = (sources: readonly Fields[]): number =>
  sources.filter((source) => source['StartingPosition'] === undefined).length;

const millions = (number: number): string => (number / 1e6).toFixed(1);

export const sumBill = (bill: readonly BillLine[]): number => bill.reduce((sum, { usd }) => sum + usd, 0);

/** The bill in Markdown, as docs/operations.md shows it. */
export const billTable = (bill: readonly BillLine[]): string =>
  [
    '| | pieces | USD |',
    '|---|---|---|',
    ...bill.map(({ what, pieces, usd }) => `| ${what} | ${pieces} | ${usd.toFixed(2)} |`),
    `| together | | ${sumBill(bill).toFixed(2)} |`,
  ].join('\n');
