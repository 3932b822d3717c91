import { retryOnConflict } from '#core/platform/table/conflict-store.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItem, putItem } from '#core/platform/table/table.ts';
import type { SandboxChallenge } from './sandbox-challenge.ts';
import { fromSandboxChallengeItem, toSandboxChallengeItem } from './sandbox-challenge-row.ts';

/** The challenge of a transaction at the 3DS server; undefined if there is none. */
export const getSandboxChallenge = async (serverTransId: string): Promise<SandboxChallenge | undefined> => {
  const item = await getItem(keys.sandboxChallenge(serverTransId));
  return item && fromSandboxChallengeItem(item);
};

/** Writes a new challenge; the server's identifiers are random, so it needs no condition. */
export const addSandboxChallenge = (challenge: SandboxChallenge): Promise<void> =>
  putItem(toSandboxChallengeItem(challenge));

/** Changes a challenge; after a conflict, the change is applied again to the new state. */
export const changeSandboxChallenge = (
  first: SandboxChallenge,
  change: (challenge: SandboxChallenge) => SandboxChallenge,
): Promise<SandboxChallenge> =>
  retryOnConflict(async (conflict) => {
    const present = conflict?.item;
    const before = present ? fromSandboxChallengeItem(present) : first;
    const after = change(before);
    if (after === before) return before;
    const next = { ...after, revision: before.revision + 1 };
    await putItem(toSandboxChallengeItem(next), {
      ConditionExpression: '#challenge.#revision = :revision',
      ExpressionAttributeNames: { '#challenge': 'challenge', '#revision': 'revision' },
      ExpressionAttributeValues: { ':revision': before.revision },
    });
    return next;
  });
