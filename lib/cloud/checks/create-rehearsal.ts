import { at, type Resource } from './stack-templates.ts';

/** Properties by which AWS knows a resource: of two with the same values, the second cannot be created. */
const nameProperties: Readonly<Record<string, readonly string[] | undefined>> = {
  'AWS::Backup::BackupVault': ['BackupVaultName'],
  'AWS::CloudWatch::Dashboard': ['DashboardName'],
  'AWS::CodeDeploy::Application': ['ApplicationName'],
  'AWS::DynamoDB::GlobalTable': ['TableName'],
  'AWS::DynamoDB::Table': ['TableName'],
  'AWS::IAM::ManagedPolicy': ['ManagedPolicyName'],
  'AWS::IAM::Role': ['RoleName'],
  'AWS::KMS::Alias': ['AliasName'],
  'AWS::Lambda::Function': ['FunctionName'],
  'AWS::Logs::LogGroup': ['LogGroupName'],
  'AWS::S3::Bucket': ['BucketName'],
  'AWS::SES::EmailIdentity': ['EmailIdentity'],
  'AWS::SNS::Topic': ['TopicName'],
  'AWS::SQS::Queue': ['QueueName'],
  'AWS::Scheduler::ScheduleGroup': ['Name'],
  'AWS::SecretsManager::Secret': ['Name'],
  'AWS::WAFv2::WebACL': ['Name'],
};

/** The name of a resource at AWS; undefined if CloudFormation invents one. */
const physicalNameOf = ({ type, properties }: Resource): string | undefined => {
  const names = nameProperties[type]?.map((name) => properties[name]) ?? [];
  return names.length === 0 || names.includes(undefined) ? undefined : `${type} ${JSON.stringify(names)}`;
};

/** Resources in the order in which CloudFormation creates them. Throws an Error that names a cycle. */
export const creationOrder = (resources: readonly Resource[]): Resource[] => {
  const byId = new Map(resources.map((one) => [one.id, one]));
  const order = new Set<Resource>();
  const visit = (one: Resource, above: readonly string[]): void => {
    if (order.has(one)) return;
    if (above.includes(one.id))
      throw new Error(`These resources wait for each other: ${[...above, one.id].join(' → ')}`);
    for (const id of findDependencies(one, byId)) {
      const needed = byId.get(id);
      if (needed) visit(needed, [...above, one.id]);
    }
    order.add(one);
  };
  for (const one of resources) visit(one, []);
  return [...order];
};

/** Returns what a resource refers to or depends on. A resource of a nested stack also waits for what that stack waits for. */
const findDependencies = ({ id, properties, dependsOn }: Resource, byId: ReadonlyMap<string, Resource>): string[] => {
  const own = new Set([...dependsOn, ...referencesIn(properties)]);
  const stack = id.includes('/') ? byId.get(id.split('/')[0] ?? '') : undefined;
  for (const waited of stack?.dependsOn ?? []) own.add(waited);
  own.delete(id);
  // A nested stack exists before what is in it; its parameters refer to what its resources need.
  return [...own].filter((one) => one !== id.split('/')[0]);
};

const referencesIn = (value: unknown): string[] => {
  if (Array.isArray(value)) return value.flatMap(referencesIn);
  if (typeof value !== 'object' || value === null) return [];
  const [reference, attribute] = [at(value, 'Ref'), at(value, 'Fn::GetAtt', 0)];
  if (typeof reference === 'string') return [reference];
  if (typeof attribute === 'string') return [attribute.split('.')[0] ?? attribute];
  return Object.values(value).flatMap(referencesIn);
};

/** Checks whether the rollback of a failed creation leaves a resource, because its policy retains it or it cannot be deleted. */
const isLeftBehind = (one: Resource): boolean =>
  one.deletionPolicy === 'Retain' || one.deletionPolicy === 'Snapshot' || isProtectedFromDeletion(one);

const isProtectedFromDeletion = ({ properties }: Resource): boolean =>
  JSON.stringify(properties).includes('"DeletionProtectionEnabled":true');

/**
 * Plays a first deployment in which one resource cannot be created: CloudFormation deletes the resources created before, and the same
 * deployment is tried again. Returns what blocks the second try: names that the first has left behind, and resources that the rollback
 * cannot delete.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-attribute-deletionpolicy.html
 */
export const rehearseFailedCreation = (order: readonly Resource[], failing: Resource): string[] => {
  const left = order.slice(0, order.indexOf(failing)).filter(isLeftBehind);
  const taken = new Set(left.flatMap((one) => physicalNameOf(one) ?? []));
  return [
    ...left.filter(isProtectedFromDeletion).map(({ id }) => `if ${failing.id} fails, the rollback cannot delete ${id}`),
    ...order.flatMap((one) => {
      const name = physicalNameOf(one);
      return name !== undefined && taken.has(name) ? [`if ${failing.id} fails, ${one.id} exists already`] : [];
    }),
  ];
};
