import type { CreateTableCommandInput } from '@aws-sdk/client-dynamodb';
import { dueProjection, listProjection } from '#core/platform/lists/listing.ts';
import { indexNames } from '#core/platform/operation/grants.ts';

const sortKeyOf = (index: string) => (index === 'due' ? 'dueSk' : 'listSk');
const text = (AttributeName: string) => ({ AttributeName, AttributeType: 'S' }) as const;
const key = (partition: string, sort: string) => [
  { AttributeName: partition, KeyType: 'HASH' } as const,
  { AttributeName: sort, KeyType: 'RANGE' } as const,
];

/** The table of tests: its keys and indexes are those of the deployed one. */
export const testTable = {
  TableName: 'forewarn-test',
  BillingMode: 'PAY_PER_REQUEST' as const,
  KeySchema: key('pk', 'sk'),
  AttributeDefinitions: ['pk', 'sk', 'dueSk', 'listSk', ...indexNames.map((name) => `${name}Pk`)].map(text),
  GlobalSecondaryIndexes: indexNames.map((name) => ({
    IndexName: name,
    KeySchema: key(`${name}Pk`, sortKeyOf(name)),
    Projection: {
      ProjectionType: 'INCLUDE' as const,
      NonKeyAttributes: name === 'due' ? [...dueProjection] : [...listProjection],
    },
  })),
  StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' as const },
} satisfies CreateTableCommandInput;
