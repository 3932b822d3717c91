import { defineWorker } from '#core/platform/operation/worker.ts';

/** Entities whose rows are in no counted list: they are read for the search alone. */
const searchedOnly = ['TRANSACTION', 'ORDER', 'HOLD'] as const;

/** The entities whose lists it counts, or forgets counts of: all but those that core/platform/lists/listing.ts names as uncounted or few. */
export const listedEntities = [
  'ALERT',
  'UNMATCHED',
  'DELIVERY',
  'AUDIT',
  'SITE',
  'ENROLLMENT',
  'INFORM',
  'OUTCOME',
  'ORDERPLACE',
  'LOOKUP',
  'CREDIT',
  'CHARGEBACK',
] as const;

export const counterWorker = defineWorker('jobs/counter', {
  summary:
    'Keeps the counts of every list, the entries of the search, the volumes that rules ask about, the days of reports, and what alerts cost',
  on: {
    stream: true,
    entities: [...listedEntities, ...searchedOnly],
    // Their attempts, and costs without a credit, are written more often than their lists change.
    listedOnly: ['DELIVERY', 'OUTCOME', 'CREDIT'],
    removals: true,
    batchSize: 500,
    batchingWindowSeconds: 2,
    isNeverGivenUp: true,
  },
  timeoutSeconds: 60,
  memoryMegabytes: 256,
  grants: { table: ['BatchGetItem', 'PutItem', 'UpdateItem', 'DeleteItem'], send: ['settlement'] },
});
