import { nowIso } from '../core/clock.ts';
import { randomText } from '../core/ids.ts';
import { ConditionFailed, putItem, transact } from '../core/table.ts';
import type { Claims } from './claims.ts';
import { claimKey, fromClaimItem, toClaimItem } from './claims-row.ts';

const attemptCharacters = 16;

/** The claims of one account's adapter in the table. `scope`: the site, and its account there. */
export const tableClaims = (scope: string): Claims => ({
  take: async (name, holder) => {
    const attempt = randomText(attemptCharacters);
    try {
      await putItem(toClaimItem(scope, name, { holder, attempt, at: nowIso() }), {
        ConditionExpression: 'attribute_not_exists(pk)',
      });
      return { holder, isNew: true };
    } catch (error) {
      const item = error instanceof ConditionFailed ? error.items.get(0) : undefined;
      if (!item) throw error;
      const standing = fromClaimItem(item);
      // A write whose answer was lost is sent again and then finds itself.
      return { holder: standing.holder, isNew: standing.attempt === attempt };
    }
  },
  release: async (name, holder) => {
    const write = {
      Delete: {
        Key: claimKey(scope, name),
        ConditionExpression: 'attribute_not_exists(pk) OR #holder = :holder',
        ExpressionAttributeNames: { '#holder': 'holder' },
        ExpressionAttributeValues: { ':holder': holder },
      },
    };
    await transact([write]).catch((error: unknown) => {
      if (!(error instanceof ConditionFailed)) throw error;
    });
  },
});
