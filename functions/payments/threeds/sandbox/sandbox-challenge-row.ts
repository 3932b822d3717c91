import * as v from 'valibot';
import { milliseconds } from '#core/kernel/clock.ts';
import { texts } from '#core/kernel/schema/shape-fields.ts';
import type { Item } from '#core/platform/table/item.ts';
import { keys } from '#core/platform/table/keys.ts';
import { defineRow } from '#core/platform/table/row.ts';
import type { SandboxChallenge } from './sandbox-challenge.ts';

const keptMilliseconds = milliseconds.day;

const ChallengeRow = defineRow<SandboxChallenge>({
  entity: 'SANDBOX_3DS',
  attribute: 'challenge',
  schema: v.looseObject({
    ...texts('serverTransId', 'acsTransId', 'dsTransId', 'kind', 'scheme', 'version', 'notificationUrl'),
    ...texts('merchantName', 'minor', 'currencyNumber', 'cardEnd', 'createdAt'),
    wrongCodes: v.number(),
    end: v.nullable(
      v.looseObject({ transStatus: v.string(), challengeCancel: v.nullable(v.string()), knownAt: v.string() }),
    ),
    revision: v.number(),
  }),
});

export const toSandboxChallengeItem = (challenge: SandboxChallenge): Item => ({
  ...keys.sandboxChallenge(challenge.serverTransId),
  ...ChallengeRow.stamp,
  challenge,
  ttl: Math.ceil((Date.parse(challenge.createdAt) + keptMilliseconds) / 1000),
});

/** Reads a challenge back. */
export const fromSandboxChallengeItem = ChallengeRow.read;
