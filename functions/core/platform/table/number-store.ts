import { keys } from './keys.ts';
import { getItem, updateItem } from './table.ts';

/** Gives out the next number of a sequence, from 1. A number whose row is never written stays unused. */
export const nextNumber = async (
  sequence: 'mid' | 'rid' | 'sid' | 'enrollment' | 'rule' | 'api-key' | `datasource-${string}`,
): Promise<number> => {
  const counter = await updateItem({
    Key: keys.counter(sequence),
    UpdateExpression: 'SET entity = :entity ADD lastNumber :one',
    ExpressionAttributeValues: { ':entity': 'COUNTER', ':one': 1 },
  });
  return Number(counter['lastNumber']);
};

/** The last number of a sequence that was given out; 0 if none was. */
export const lastNumber = async (sequence: 'mid'): Promise<number> =>
  Number((await getItem(keys.counter(sequence)))?.['lastNumber'] ?? 0);
