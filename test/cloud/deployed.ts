import { at, type Fields, type Resource } from './synthesized.ts';

/**
 * The resources that a deployment must find again, or a running stage loses something: its data, its keys, the address of its
 * API, the place in a stream, a mailbox that has confirmed a subscription. With them the properties by which they would become
 * others: those for which CloudFormation replaces a resource (`createOnlyProperties` in its schemas), and those whose change
 * recreates something inside (a secret's value, an index, a stream).
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-template-resource-type-ref.html
 */
const lasting: Readonly<Record<string, readonly string[] | undefined>> = {
  'AWS::ApiGateway::RestApi': ['Name'],
  'AWS::ApiGateway::Stage': ['RestApiId', 'StageName'],
  'AWS::DynamoDB::GlobalTable': [
    'TableName',
    'KeySchema',
    'LocalSecondaryIndexes',
    'GlobalSecondaryIndexes',
    'GlobalTableSourceArn',
    'StreamSpecification',
    'TimeToLiveSpecification',
  ],
  'AWS::KMS::Alias': ['AliasName', 'TargetKeyId'],
  'AWS::KMS::Key': ['KeySpec', 'KeyUsage', 'MultiRegion'],
  'AWS::Lambda::EventSourceMapping': ['EventSourceArn', 'StartingPosition'],
  'AWS::Logs::LogGroup': ['LogGroupName'],
  'AWS::SES::EmailIdentity': ['EmailIdentity'],
  'AWS::SNS::Subscription': ['Endpoint', 'Protocol', 'TopicArn'],
  'AWS::SNS::Topic': ['TopicName', 'FifoTopic'],
  'AWS::SQS::Queue': ['QueueName', 'FifoQueue'],
  'AWS::Scheduler::Schedule': ['Name', 'GroupName'],
  'AWS::Scheduler::ScheduleGroup': ['Name'],
  'AWS::SecretsManager::Secret': ['Name', 'GenerateSecretString', 'KmsKeyId'],
};

/** One that must be found again. */
export type Lasting = { type: string; deletionPolicy?: string; properties: Fields };

/** Returns the lasting resources by id; of event sources those of the stream only, as a queue has no places. */
export const listLasting = (resources: readonly Resource[]): Record<string, Lasting> =>
  Object.fromEntries(
    resources.flatMap(({ id, type, properties, deletionPolicy }) => {
      const names = lasting[type];
      if (!names || (type === 'AWS::Lambda::EventSourceMapping' && !properties['StartingPosition'])) return [];
      const given = names.filter((name) => properties[name] !== undefined);
      return [
        [
          id,
          {
            type,
            ...(deletionPolicy !== undefined && { deletionPolicy }),
            properties: Object.fromEntries(given.map((name) => [name, properties[name]])),
          },
        ],
      ];
    }),
  );

/**
 * The properties by which AWS distinguishes resources of a type. The second of two that are alike here cannot be created while
 * the first exists; or, for attached resources, deleting the first undoes the second.
 */
const distinction: Readonly<Record<string, readonly string[] | undefined>> = {
  'AWS::ApiGateway::Account': [],
  'AWS::ApiGateway::Stage': ['RestApiId', 'StageName'],
  'AWS::CloudWatch::Alarm': ['AlarmName'],
  'AWS::CloudWatch::Dashboard': ['DashboardName'],
  'AWS::DynamoDB::GlobalTable': ['TableName'],
  'AWS::IAM::ManagedPolicy': ['ManagedPolicyName'],
  'AWS::IAM::Role': ['RoleName'],
  'AWS::KMS::Alias': ['AliasName'],
  'AWS::Lambda::EventSourceMapping': ['FunctionName', 'EventSourceArn'],
  'AWS::Lambda::Function': ['FunctionName'],
  'AWS::Logs::LogGroup': ['LogGroupName'],
  'AWS::SES::EmailIdentity': ['EmailIdentity'],
  'AWS::SNS::Subscription': ['TopicArn', 'Protocol', 'Endpoint'],
  'AWS::SNS::Topic': ['TopicName'],
  'AWS::SNS::TopicPolicy': ['Topics'],
  'AWS::SQS::Queue': ['QueueName'],
  'AWS::SQS::QueuePolicy': ['Queues'],
  'AWS::Scheduler::Schedule': ['GroupName', 'Name'],
  'AWS::Scheduler::ScheduleGroup': ['Name'],
  'AWS::SecretsManager::Secret': ['Name'],
  'AWS::WAFv2::LoggingConfiguration': ['ResourceArn'],
  'AWS::WAFv2::WebACL': ['Name'],
  'AWS::WAFv2::WebACLAssociation': ['ResourceArn'],
};

/** For each resource that is unmistakable at AWS, how it is: `AWS::SQS::Queue "forewarn-dev-mail"`, and its id. */
export const listDistinct = (resources: readonly Resource[]): (readonly [what: string, id: string])[] =>
  resources.flatMap(({ id, type, properties }) => {
    const names = distinction[type];
    // Without a name of its own it gets a unique one.
    if (!names || (names.length > 0 && names.every((name) => at(properties, name) === undefined))) return [];
    return [[[type, ...names.map((name) => JSON.stringify(properties[name]))].join(' '), id] as const];
  });
