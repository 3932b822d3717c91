import type { Worker } from '#core/platform/operation/worker.ts';

type OfStream = Pick<Extract<Worker['on'], { stream: true }>, 'entities' | 'newOnly' | 'listedOnly' | 'removals'>;

const entityFilter = (entities: readonly string[]) => ({ entity: { S: [...entities] } });
const isListed = { list1Pk: { S: [{ exists: true }] } };

/**
 * The records of the stream that a worker is called for, as patterns of which one must fit. Each record that it need not see may save
 * a call. A source takes five patterns.
 * @see https://docs.aws.amazon.com/lambda/latest/dg/with-ddb-filtering.html
 */
export const streamFilters = ({ entities, newOnly = [], listedOnly = [], removals }: OfStream) => {
  const any = entities.filter((entity) => !newOnly.includes(entity) && !listedOnly.includes(entity));
  return [
    { dynamodb: { NewImage: entityFilter(any) } },
    ...(removals ? [{ eventName: ['REMOVE'], dynamodb: { OldImage: entityFilter(any) } }] : []),
    ...(newOnly.length > 0 ? [{ eventName: ['INSERT'], dynamodb: { NewImage: entityFilter(newOnly) } }] : []),
    ...(listedOnly.length > 0
      ? [
          { dynamodb: { NewImage: { ...entityFilter(listedOnly), ...isListed } } },
          { dynamodb: { OldImage: { ...entityFilter(listedOnly), ...isListed } } },
        ]
      : []),
  ];
};
