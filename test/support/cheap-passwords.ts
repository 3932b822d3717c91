import { randomBytes, scryptSync } from 'node:crypto';
import { vi } from 'vitest';

/** A hash tells how it was made, and is compared at that cost: about a thousandth of the real one. */
const cost = { N: 16, r: 8, p: 1 } as const;

const cheapHash = async (password: string): Promise<string> => {
  const salt = randomBytes(16);
  const key = scryptSync(password.normalize('NFC'), salt, 32, cost);
  return ['scrypt', cost.N, cost.r, cost.p, salt.toString('base64url'), key.toString('base64url')].join('$');
};

/**
 * In every test file, users cost next to nothing: most tests only need one. The test replaces the function, so nothing deployed
 * knows of it. Tests of passwords call `vi.unmock`.
 */
vi.mock('#accounts/auth/users/password.ts', async (original) => ({
  ...(await original<typeof import('#accounts/auth/users/password.ts')>()),
  hashPassword: cheapHash,
}));
