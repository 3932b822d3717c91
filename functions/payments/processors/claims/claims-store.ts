import { nowIso } from '#core/kernel/clock.ts';
import { randomText } from '#core/kernel/ids.ts';
import { ConditionFailedError, getItem, putItem } from '#core/platform/table/table.ts';
import type { Route, RouteContext } from '../routing/routing.ts';
import type { ProcessorClaims } from './claims.ts';
import { fromClaimItem, processorClaimKey, toClaimItem } from './claims-row.ts';

const attemptCharacters = 16;
/** The holder of a name that was released: its row stays, so that claiming and releasing need no right to delete. */
const nobody = '';

const isHeldBy = (holder: string) => ({
  ConditionExpression: '#holder = :holder',
  ExpressionAttributeNames: { '#holder': 'holder' },
  ExpressionAttributeValues: { ':holder': holder },
});
const isFree = () => {
  const { ConditionExpression, ...names } = isHeldBy(nobody);
  return { ConditionExpression: `attribute_not_exists(pk) OR ${ConditionExpression}`, ...names };
};

/** The claims of one account's adapter in the table. `scope`: the site, and its account there. */
export const tableClaims = (scope: string): ProcessorClaims => {
  const write = (name: string, holder: string, attempt: string, condition: ReturnType<typeof isFree>) =>
    putItem(toClaimItem(scope, name, { holder, attempt, at: nowIso() }), condition);
  return {
    take: async (name, holder) => {
      const attempt = randomText(attemptCharacters);
      try {
        await write(name, holder, attempt, isFree());
        return { holder, isNew: true };
      } catch (error) {
        const item = error instanceof ConditionFailedError ? error.item : undefined;
        if (!item) throw error;
        const standing = fromClaimItem(item);
        // A write whose answer was lost is sent again and then finds its own claim.
        return { holder: standing.holder, isNew: standing.attempt === attempt };
      }
    },
    release: async (name, holder) => {
      try {
        await write(name, nobody, randomText(attemptCharacters), isHeldBy(holder));
      } catch (error) {
        if (!(error instanceof ConditionFailedError)) throw error;
      }
    },
  };
};

/** The holder of a name; undefined if it is free. */
export const findClaimHolder = async (scope: string, name: string): Promise<string | undefined> => {
  const item = await getItem(processorClaimKey(scope, name));
  return (item && fromClaimItem(item).holder) || undefined;
};

/** Those of an account of a site. */
export const openClaims = ({ id }: Route, { sid }: RouteContext): ProcessorClaims => tableClaims(`S${sid}#${id}`);
