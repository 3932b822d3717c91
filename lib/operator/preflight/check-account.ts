import { operations } from '#functions/operations.ts';
import { workers } from '#functions/workers.ts';
import { stageNames } from '#lib/cloud/names.ts';
import type { Settings } from '#lib/cloud/settings.ts';
import { UserError } from '#lib/local/user-error.ts';
import { readAccountFacts } from './account-facts.ts';
import { findObstacles } from './obstacles.ts';

/** Roles that are no function's: of the gateway, the scheduler, releases, backups and custom resources. */
const otherRoles = 15;

/** Checks an account before a stage is created in it, and says what it has found. Throws a UserError with all obstacles. */
export const checkAccountFor = async (
  region: string,
  { stage, alertDomain, mailFrom, mailIdentity, lambdaConcurrency }: Settings,
  say: (words: string) => void,
): Promise<void> => {
  say('Checking the account …');
  const sender = alertDomain ?? mailFrom;
  const facts = await readAccountFacts(region, stageNames(stage).prefix, sender);
  const roles = operations.length + workers.length + otherRoles;
  const { obstacles, notes } = findObstacles(facts, { roles, lambdaConcurrency, mailIdentity, sender });
  for (const note of notes) say(`Note: ${note}`);
  if (obstacles.length > 0)
    throw new UserError(`The deployment would fail:\n${obstacles.map((one) => `- ${one}`).join('\n')}`);
};
