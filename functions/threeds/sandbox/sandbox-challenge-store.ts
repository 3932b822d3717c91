import { keys } from '../../core/keys.ts';
import { ConditionFailed, getItem, putItem } from '../../core/table.ts';
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

const maxAttempts = 10;

/** Changes a challenge; where somebody else writes it in between, the change is made again to what they wrote. */
export const changeSandboxChallenge = async (
  first: SandboxChallenge,
  change: (challenge: SandboxChallenge) => SandboxChallenge,
): Promise<SandboxChallenge> => {
  let before = first;
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    const after = change(before);
    if (after === before) return before;
    const next = { ...after, revision: before.revision + 1 };
    try {
      await putItem(toSandboxChallengeItem(next), {
        ConditionExpression: '#challenge.#revision = :revision',
        ExpressionAttributeNames: { '#challenge': 'challenge', '#revision': 'revision' },
        ExpressionAttributeValues: { ':revision': before.revision },
      });
      return next;
    } catch (error) {
      const present = error instanceof ConditionFailed && error.items.get(0);
      if (!present) throw error;
      before = fromSandboxChallengeItem(present);
    }
  }
  throw new Error('A challenge of the sandbox is changed by too many at once');
};
