import { auditedEndpoint } from '../../core/audit-store.ts';
import { Refusal } from '../../core/errors.ts';
import { giveChallenge } from '../factor-store.ts';
import { findUser } from '../user-store.ts';
import { setUpFactor } from './operation.ts';

export const handler = auditedEndpoint(setUpFactor, async ({ caller }) => {
  const user = await findUser(caller.subject);
  if (!user || user.factor) throw new Refusal('second_factor_set', 'An administrator can reset it.');
  const { setup, ...given } = await giveChallenge(user, { setUp: true });
  return { ...given, secret: setup?.secret ?? '', uri: setup?.uri ?? '' };
});
