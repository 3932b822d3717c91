import { milliseconds } from '../../core/clock.ts';
import { keys } from '../../core/keys.ts';
import type { Item } from '../../core/table.ts';
import type { SandboxChallenge } from './sandbox-challenge.ts';

const keptMilliseconds = milliseconds.day;

export const toSandboxChallengeItem = (challenge: SandboxChallenge): Item => ({
  ...keys.sandboxChallenge(challenge.serverTransId),
  entity: 'SANDBOX_3DS',
  challenge,
  ttl: Math.ceil((Date.parse(challenge.createdAt) + keptMilliseconds) / 1000),
});

/** Reads a challenge back. The table holds only what toSandboxChallengeItem wrote. */
export const fromSandboxChallengeItem = (item: Item): SandboxChallenge => item['challenge'] as SandboxChallenge;
