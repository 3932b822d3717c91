import { ConditionFailedError, type Key, updateItem } from './table.ts';

type Versioned = { version: number };

/**
 * Replaces a row's attribute by the same content resealed; false if it was changed meanwhile. The version stays: a concurrent change of the
 * row must not be refused because of this.
 */
export const replaceSealed = async (
  Key: Key,
  attribute: string,
  before: Versioned,
  after: Versioned,
): Promise<boolean> => {
  const { version } = before;
  try {
    await updateItem({
      Key,
      UpdateExpression: 'SET #attribute = :after',
      ConditionExpression:
        version === 0
          ? 'attribute_exists(#attribute) AND (attribute_not_exists(#attribute.#version) OR #attribute.#version = :version)'
          : '#attribute.#version = :version',
      ExpressionAttributeNames: { '#attribute': attribute, '#version': 'version' },
      ExpressionAttributeValues: { ':after': after, ':version': version },
    });
    return true;
  } catch (error) {
    if (error instanceof ConditionFailedError) return false;
    throw error;
  }
};
