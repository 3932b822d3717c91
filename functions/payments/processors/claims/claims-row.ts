import * as v from 'valibot';
import { milliseconds } from '#core/kernel/clock.ts';
import { sha256 } from '#core/kernel/crypto.ts';
import type { Item } from '#core/platform/table/item.ts';
import { keys } from '#core/platform/table/keys.ts';
import { defineRow } from '#core/platform/table/row.ts';

/** Authorisations lapse after a month, and no request is repeated for that long. */
const keptMilliseconds = 60 * milliseconds.day;

export const processorClaimKey = (scope: string, name: string) => keys.processorClaim(scope, sha256(name));

const ClaimRow = defineRow<{ holder: string; attempt: string }>({
  entity: 'PROCESSOR_CLAIM',
  attribute: null,
  schema: v.looseObject({ holder: v.string(), attempt: v.string() }),
});

/** `attempt` tells a write that is sent twice from another's. `at`: ISO. */
export const toClaimItem = (
  scope: string,
  name: string,
  { holder, attempt, at }: { holder: string; attempt: string; at: string },
): Item => ({
  ...processorClaimKey(scope, name),
  ...ClaimRow.stamp,
  holder,
  attempt,
  ttl: Math.ceil((Date.parse(at) + keptMilliseconds) / 1000),
});

export const fromClaimItem = ClaimRow.read;
