import { auditedEndpoint } from '#core/platform/audit/audit-store.ts';
import { Refusal } from '#core/platform/operation/errors.ts';
import { giveChallenge } from '../../sessions/factor-store.ts';
import { findUser } from '../../users/user-store.ts';
import { setUpFactorOperation } from './operation.ts';

export const handler = auditedEndpoint(setUpFactorOperation, async ({ caller }) => {
  const user = await findUser(caller.subject);
  if (!user || user.factor) throw new Refusal('second_factor_set', 'An administrator can reset it.');
  const { setup, passkey: _, ...given } = await giveChallenge(user, { setUp: true });
  return { ...given, secret: setup?.secret ?? '', uri: setup?.uri ?? '' };
});
