import { countApiResources, resourceQuota } from './api-import.ts';
import { at, type StackTemplates, toList } from './stack-templates.ts';

/** A default quota of AWS and how much of it a stage uses. `share`: the part that one stage may use. */
export type QuotaRow = { what: string; used: number; quota: number; share: number };

const maxOr0 = (numbers: readonly number[]): number => Math.max(0, ...numbers);

/** The quotas that the templates could exceed, with their use. Quotas of an account leave room for another stage. */
export const quotaBudget = ({ templates, resources }: StackTemplates): QuotaRow[] => {
  const propertiesOf = (type: string) => resources.filter((one) => one.type === type).map((one) => one.properties);
  const count = (type: string) => propertiesOf(type).length;
  const [api] = propertiesOf('AWS::ApiGateway::RestApi');
  const rulesOf = propertiesOf('AWS::WAFv2::WebACL').map(({ Rules }) => toList(Rules).length);
  const filters = propertiesOf('AWS::Lambda::EventSourceMapping').map(
    ({ FilterCriteria }) => toList(at(FilterCriteria, 'Filters')).length,
  );
  return [
    ...templateRows(templates),
    { what: 'resources of the API', used: countApiResources(api?.['Body']), quota: resourceQuota, share: 0.98 },
    { what: 'bytes of the API definition', used: jsonBytes(api?.['Body']), quota: 6_000_000, share: 0.9 },
    { what: 'bytes of the variables of a function', used: maxOr0(environments(propertiesOf)), quota: 4096, share: 0.9 },
    { what: 'IAM roles of the account', used: count('AWS::IAM::Role'), quota: 1000, share: 0.45 },
    { what: 'CloudWatch alarms of the account', used: count('AWS::CloudWatch::Alarm'), quota: 5000, share: 0.45 },
    { what: 'rules of the firewall', used: maxOr0(rulesOf), quota: 100, share: 0.9 },
    { what: 'filters of an event source', used: maxOr0(filters), quota: 5, share: 1 },
    { what: 'metric filters of a log group', used: count('AWS::Logs::MetricFilter'), quota: 100, share: 0.9 },
    { what: 'deployment groups', used: count('AWS::CodeDeploy::DeploymentGroup'), quota: 1000, share: 0.45 },
  ];
};

/** @see https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/cloudformation-limits.html */
const templateRows = (templates: StackTemplates['templates']): QuotaRow[] => [
  { what: 'resources of a template', used: maxOr0(templates.map((one) => one.resources)), quota: 500, share: 0.9 },
  { what: 'bytes of a template', used: maxOr0(templates.map((one) => one.bytes)), quota: 1_000_000, share: 0.9 },
  { what: 'parameters of a template', used: maxOr0(templates.map((one) => one.parameters)), quota: 200, share: 0.9 },
  { what: 'outputs of a template', used: maxOr0(templates.map((one) => one.outputs)), quota: 200, share: 0.9 },
];

const environments = (propertiesOf: (type: string) => readonly object[]): number[] =>
  propertiesOf('AWS::Lambda::Function').map((one) => jsonBytes(at(one, 'Environment', 'Variables')));

const jsonBytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value ?? ''));

/** The rows that have used nine tenths of their share: what is added next needs a plan (docs/operations.md). */
export const quotaWarnings = (rows: readonly QuotaRow[]): string[] =>
  rows
    .filter(({ used, quota, share }) => used > 0.9 * quota * share)
    .map(({ what, used, quota }) => `${what}: ${used} of ${quota}`);

/** The rows that use more than their share. */
export const checkQuotas = (rows: readonly QuotaRow[]): string[] =>
  rows
    .filter(({ used, quota, share }) => used > quota * share)
    .map(({ what, used, quota, share }) => `${what}: ${used} of ${quota}, more than the ${share * 100} % meant for it`);
