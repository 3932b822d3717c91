import * as v from 'valibot';

const KeySchema = v.array(v.object({ AttributeName: v.string(), KeyType: v.picklist(['HASH', 'RANGE']) }));
const Projection = v.object({
  ProjectionType: v.picklist(['ALL', 'KEYS_ONLY', 'INCLUDE']),
  NonKeyAttributes: v.optional(v.array(v.string())),
});

/** A table as CloudFormation's `AWS::DynamoDB::GlobalTable` describes it. */
export const TableDefinition = v.object({
  TableName: v.string(),
  KeySchema,
  AttributeDefinitions: v.array(v.object({ AttributeName: v.string(), AttributeType: v.picklist(['S', 'N', 'B']) })),
  GlobalSecondaryIndexes: v.optional(v.array(v.object({ IndexName: v.string(), KeySchema, Projection })), []),
  StreamSpecification: v.optional(v.object({ StreamViewType: v.picklist(['NEW_AND_OLD_IMAGES']) })),
  TimeToLiveSpecification: v.optional(v.object({ AttributeName: v.string(), Enabled: v.boolean() })),
});
export type TableDefinition = v.InferOutput<typeof TableDefinition>;
