import { isFields } from '#core/kernel/is-object.ts';
import { at, type Fields, type Resource, toList } from './stack-templates.ts';

/** The kind of a policy, which decides which elements its statements have. */
type PolicyKind = 'identity' | 'resource' | 'trust';

/** Where a resource has policies, and how many characters all of one kind may have together. */
type Place = { kind: PolicyKind; documents: (properties: Fields) => unknown[]; limit: number };

/** @see https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_iam-quotas.html */
const places: Readonly<Record<string, readonly Place[] | undefined>> = {
  'AWS::IAM::Role': [
    {
      kind: 'identity',
      documents: ({ Policies }) => toList(Policies).map((one) => at(one, 'PolicyDocument')),
      limit: 10_240,
    },
    { kind: 'trust', documents: ({ AssumeRolePolicyDocument }) => [AssumeRolePolicyDocument], limit: 2048 },
  ],
  'AWS::IAM::Policy': [{ kind: 'identity', documents: ({ PolicyDocument }) => [PolicyDocument], limit: 10_240 }],
  'AWS::IAM::ManagedPolicy': [{ kind: 'identity', documents: ({ PolicyDocument }) => [PolicyDocument], limit: 6144 }],
  'AWS::KMS::Key': [{ kind: 'resource', documents: ({ KeyPolicy }) => [KeyPolicy], limit: 32_768 }],
  'AWS::SQS::QueuePolicy': [{ kind: 'resource', documents: ({ PolicyDocument }) => [PolicyDocument], limit: 65_536 }],
  'AWS::SNS::TopicPolicy': [{ kind: 'resource', documents: ({ PolicyDocument }) => [PolicyDocument], limit: 30_720 }],
  'AWS::S3::BucketPolicy': [{ kind: 'resource', documents: ({ PolicyDocument }) => [PolicyDocument], limit: 20_480 }],
};

/**
 * Checks every policy of a stack against IAM's grammar, and returns what IAM would refuse.
 * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_grammar.html
 */
export const checkPolicies = (resources: readonly Resource[]): string[] =>
  resources.flatMap(({ id, type, properties }) =>
    (places[type] ?? []).flatMap(({ kind, documents, limit }) => {
      const found = documents(properties);
      const size = found.reduce<number>((sum, document) => sum + policySize(document), 0);
      return [
        ...found.flatMap((document) => checkPolicyDocument(document, kind)),
        ...(size > limit ? [`the policies have ${size} of ${limit} characters`] : []),
      ].map((what) => `${id}: ${what}`);
    }),
  );

/** White space does not count. What is inserted on deployment is about as long as its name here. */
const policySize = (document: unknown): number => JSON.stringify(document ?? '').replace(/\s/g, '').length;

const checkPolicyDocument = (document: unknown, kind: PolicyKind): string[] => {
  const statements = toList(at(document, 'Statement'));
  const sids = statements.flatMap((one) => at(one, 'Sid') ?? []);
  return [
    ...(at(document, 'Version') === '2012-10-17' ? [] : ['Version must be 2012-10-17']),
    ...(statements.length > 0 ? [] : ['there is no statement']),
    ...(new Set(sids).size === sids.length ? [] : ['two statements have the same Sid']),
    ...statements.flatMap((one) => checkStatement(one, kind)),
  ];
};

const elements = ['Sid', 'Effect', 'Principal', 'NotPrincipal', 'Action', 'NotAction', 'Resource', 'NotResource'];

const checkStatement = (statement: unknown, kind: PolicyKind): string[] => {
  if (!isFields(statement)) return ['a statement must be an object'];
  const has = (...names: string[]) => names.filter((name) => statement[name] !== undefined).length;
  const actions = toList(statement['Action'] ?? statement['NotAction']);
  return [
    ...Object.keys(statement)
      .filter((name) => ![...elements, 'Condition'].includes(name))
      .map((name) => `${name} is no element of a statement`),
    ...(['Allow', 'Deny'].includes(String(statement['Effect'])) ? [] : ['Effect must be Allow or Deny']),
    ...(has('Action', 'NotAction') === 1 ? [] : ['a statement has either Action or NotAction']),
    ...(has('Resource', 'NotResource') === (kind === 'trust' ? 0 : 1)
      ? []
      : [kind === 'trust' ? 'a trust policy has no Resource' : 'a statement has either Resource or NotResource']),
    ...(has('Principal', 'NotPrincipal') === (kind === 'identity' ? 0 : 1)
      ? []
      : [kind === 'identity' ? 'a policy of a role has no Principal' : 'a statement has a Principal']),
    ...(/^[A-Za-z0-9]*$/.test(String(statement['Sid'] ?? ''))
      ? []
      : [`Sid ${statement['Sid']}: letters and digits only`]),
    ...actions.flatMap(checkAction),
    ...toList(statement['Resource'] ?? statement['NotResource']).flatMap((one) => checkResource(one, actions)),
    ...Object.entries(isFields(statement['Condition']) ? statement['Condition'] : {}).flatMap(checkCondition),
  ];
};

const checkAction = (action: unknown): string[] =>
  typeof action === 'string' && /^(?:\*|[a-z0-9-]+:[A-Za-z0-9*?]+)$/.test(action)
    ? []
    : [`Action ${JSON.stringify(action)} is not written as service:Action`];

/** Services whose actions apply to resources of another: AWS STS gives credentials of IAM's roles. */
const actsOn: Readonly<Record<string, string>> = { sts: 'iam' };

/** A literal ARN has six parts and belongs to the service of its actions; one that refers to a resource is the service's own. */
const checkResource = (resource: unknown, actions: readonly unknown[]): string[] => {
  const text = iamText(resource);
  if (text === '*' || text.startsWith('<')) return [];
  const [arn, partition, service, , , rest] = text.split(':');
  if (arn !== 'arn' || !partition || !service || !rest) return [`Resource ${text} is no ARN`];
  const foreign = actions.map(String).filter((action) => {
    const [own = ''] = action.split(':');
    return action !== '*' && (actsOn[own] ?? own) !== service;
  });
  return foreign.map((action) => `${action} does not apply to ${text}`);
};

/** A text with each intrinsic function replaced by `<name>`; what is joined stays visible. */
const iamText = (value: unknown): string => {
  if (typeof value === 'string') return value.replace(/\$\{[^}]+\}/g, 'x');
  const joined = at(value, 'Fn::Join', 1);
  if (Array.isArray(joined))
    return joined
      .map(iamText)
      .join('')
      .replace(/^<[^>]+>$/, '<joined>');
  const sub = at(value, 'Fn::Sub');
  if (sub !== undefined) return iamText(Array.isArray(sub) ? sub[0] : sub);
  return isFields(value)
    ? `<${String(at(value, 'Ref') ?? at(value, 'Fn::GetAtt', 0)).replaceAll(':', '')}>`
    : String(value);
};

const operators = [
  ...['StringEquals', 'StringNotEquals', 'StringEqualsIgnoreCase', 'StringNotEqualsIgnoreCase'],
  ...['StringLike', 'StringNotLike', 'NumericEquals', 'NumericNotEquals', 'NumericLessThan', 'NumericLessThanEquals'],
  ...['NumericGreaterThan', 'NumericGreaterThanEquals', 'DateEquals', 'DateNotEquals', 'DateLessThan'],
  ...['DateLessThanEquals', 'DateGreaterThan', 'DateGreaterThanEquals', 'Bool', 'BinaryEquals', 'IpAddress'],
  ...['NotIpAddress', 'ArnEquals', 'ArnLike', 'ArnNotEquals', 'ArnNotLike', 'Null'],
];

const checkCondition = ([operator, keys]: [string, unknown]): string[] => {
  const name = operator.replace(/^ForA(?:ll|ny)Values?:/, '').replace(/IfExists$/, '');
  return [
    ...(operators.includes(name) ? [] : [`${operator} is no condition operator`]),
    ...Object.keys(isFields(keys) ? keys : {})
      .filter((key) => !/^[a-zA-Z0-9.-]+:[\w:./-]+$/.test(key))
      .map((key) => `${key} is no condition key`),
  ];
};
