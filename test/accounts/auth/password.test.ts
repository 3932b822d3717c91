import { describe, expect, it, vi } from 'vitest';
import { hashPassword, verifyPassword } from '#accounts/auth/users/password.ts';

vi.unmock('#accounts/auth/users/password.ts');

describe('a password', () => {
  it('is right only as it was given, and its hash tells nothing of it', async () => {
    const hash = await hashPassword('correct horse battery');
    expect(hash).toMatch(/^scrypt\$32768\$8\$3\$/);
    expect(hash).not.toContain('correct');
    expect(await verifyPassword('correct horse battery', hash)).toBe(true);
    expect(await verifyPassword('correct horse batterY', hash)).toBe(false);
  });

  it('has another hash each time', async () => {
    expect(await hashPassword('correct horse battery')).not.toBe(await hashPassword('correct horse battery'));
  });

  it('is one password in both Unicode spellings', async () => {
    expect(await verifyPassword('pa\u0301ssword for me', await hashPassword('p\u00e1ssword for me'))).toBe(true);
  });

  it('is rejected for an unknown user', async () => {
    expect(await verifyPassword('', undefined)).toBe(false);
    expect(await verifyPassword('correct horse battery', undefined)).toBe(false);
  });
});
