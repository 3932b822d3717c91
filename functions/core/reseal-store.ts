import { ConditionFailed, type Key, updateItem } from './table.ts';

type Versioned = { version: number };

/**
 * Puts a row's attribute in the place of what it was, as nothing but its seals differ; false where it was changed meanwhile. It keeps
 * its version: nobody who changes it now is to be refused for that.
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
    if (error instanceof ConditionFailed) return false;
    throw error;
  }
};
