import type { Reseal } from '#core/kernel/key-ring.ts';
import { factorContext } from '../sessions/factor.ts';
import type { User } from './user.ts';

/** Returns a user with the secret of the second factor resealed. */
export const resealedUser = (user: User, reseal: Reseal): User => {
  const { factor, username } = user;
  return factor === null
    ? user
    : { ...user, factor: { ...factor, sealed: reseal(factorContext(username), factor.sealed) } };
};
