import { describe, expect, it } from 'vitest';
import type { AccountFacts } from '#lib/operator/preflight/account-facts.ts';
import { findObstacles } from '#lib/operator/preflight/obstacles.ts';

const ready: AccountFacts = {
  concurrency: { total: 1000, unreserved: 1000 },
  roles: { used: 100, quota: 1000 },
  mail: { hasIdentity: false, isVerified: false, isInSandbox: false },
  bootstrapVersion: 21,
  leftOvers: [],
};
const needs = { roles: 240, lambdaConcurrency: 1000, mailIdentity: 'create', sender: 'shop.example' } as const;

describe('the check of an account before a first deployment', () => {
  it('finds nothing in an account that is ready', () => {
    expect(findObstacles(ready, needs)).toEqual({ obstacles: [], notes: [] });
  });

  it.each<[string, Partial<AccountFacts>, string]>([
    ['a new account', { concurrency: { total: 10, unreserved: 10 } }, 'Set lambdaConcurrency to 10'],
    ['another stage holds reservations', { concurrency: { total: 1000, unreserved: 600 } }, '600 unreserved of 1000'],
    ['the roles do not fit', { roles: { used: 800, quota: 1000 } }, '800 of 1000 IAM roles'],
    ['the sender is known to SES', { mail: { hasIdentity: true, isVerified: true, isInSandbox: false } }, '"existing"'],
    ['the CDK has not been bootstrapped', { bootstrapVersion: 0 }, 'bootstrap stack is missing'],
    ['the bootstrap stack is old', { bootstrapVersion: 5 }, 'of version 5'],
    ['a stage of this name left its table', { leftOvers: ['table forewarn-prod'] }, 'table forewarn-prod'],
  ])('names the obstacle and what to do where %s', (_, facts, expected) => {
    const { obstacles } = findObstacles({ ...ready, ...facts }, needs);
    expect(obstacles).toEqual([expect.stringContaining(expected)]);
  });

  it('refuses an existing identity that SES does not have', () => {
    const { obstacles } = findObstacles(ready, { ...needs, mailIdentity: 'existing' });
    expect(obstacles).toEqual([expect.stringContaining('SES has no identity shop.example')]);
  });

  it('notes the sandbox of SES, an identity that is not verified, and what it could not read', () => {
    const mail = { hasIdentity: true, isVerified: false, isInSandbox: true };
    const facts = { ...ready, mail, roles: { unread: 'AccessDenied' } };
    const { obstacles, notes } = findObstacles(facts, { ...needs, mailIdentity: 'existing' });
    expect(obstacles).toEqual([]);
    expect(notes.join('\n')).toMatch(/not verified[\s\S]*sandbox[\s\S]*number of IAM roles \(AccessDenied\)/);
  });
});
