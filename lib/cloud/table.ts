import { RemovalPolicy, Stack } from 'aws-cdk-lib';
import {
  AttributeType,
  Billing,
  type GlobalSecondaryIndexPropsV2,
  ProjectionType,
  StreamViewType,
  TableEncryptionV2,
  TableV2,
} from 'aws-cdk-lib/aws-dynamodb';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { Construct } from 'constructs';
import { dueProjection, listProjection } from '#core/platform/lists/listing.ts';
import { type IndexName, indexNames } from '#core/platform/operation/grants.ts';
import type { Names } from './names.ts';
import type { Settings } from './settings.ts';

/** The parts of the table that the rest of the stack uses. */
export type ServiceTable = {
  tableName: string;
  tableArn: string;
  streamArn: string;
  indexArnOf: (index: IndexName) => string;
};

/** The one table, or the one that was restored from a backup of it. */
export const createTable = (scope: Construct, names: Names, key: IKey, settings: Settings): ServiceTable => {
  const { restoredTable, restoredTableStream } = settings;
  if (restoredTable && restoredTableStream) {
    const tableArn = Stack.of(scope).formatArn({ service: 'dynamodb', resource: 'table', resourceName: restoredTable });
    return describeTable(restoredTable, tableArn, restoredTableStream);
  }
  const table = new TableV2(scope, 'Table', {
    tableName: names.prefix,
    partitionKey: textKey('pk'),
    sortKey: textKey('sk'),
    billing: Billing.onDemand(),
    encryption: TableEncryptionV2.customerManagedKey(key),
    pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
    deletionProtection: !settings.firstDeployment,
    removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
    dynamoStream: StreamViewType.NEW_AND_OLD_IMAGES,
    timeToLiveAttribute: 'ttl',
    globalSecondaryIndexes: indexNames.map(makeIndex),
  });
  if (!table.tableStreamArn) throw new Error('The table has no stream');
  return describeTable(table.tableName, table.tableArn, table.tableStreamArn);
};

const describeTable = (tableName: string, tableArn: string, streamArn: string): ServiceTable => ({
  tableName,
  tableArn,
  streamArn,
  indexArnOf: (index) => `${tableArn}/index/${index}`,
});

const textKey = (name: string) => ({ name, type: AttributeType.STRING });

/** Lists share one sort key; `due` has its own, as an item leaves it when nothing is due. */
const makeIndex = (indexName: IndexName): GlobalSecondaryIndexPropsV2 => ({
  indexName,
  partitionKey: textKey(`${indexName}Pk`),
  sortKey: textKey(indexName === 'due' ? 'dueSk' : 'listSk'),
  projectionType: ProjectionType.INCLUDE,
  nonKeyAttributes: [...(indexName === 'due' ? dueProjection : listProjection)],
});
