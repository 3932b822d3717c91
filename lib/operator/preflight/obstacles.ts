import type { AccountFacts, Unread } from './account-facts.ts';

/** What the stage to be created needs of its account. */
export type StageNeeds = {
  /** Roles that its templates create. */
  roles: number;
  /** The setting `lambdaConcurrency`. */
  lambdaConcurrency: number;
  /** The setting `mailIdentity`. */
  mailIdentity: 'create' | 'existing';
  /** The domain or address that SES must know. */
  sender: string;
};

/** `obstacles` make the deployment fail; `notes` are for after it. Each says what to do. */
export type Preflight = { obstacles: readonly string[]; notes: readonly string[] };

/** The version that the assembly of this CDK asks for. */
const neededBootstrapVersion = 8;
const shownLeftOvers = 5;

/** Finds what would make a first deployment into an account fail. */
export const findObstacles = (facts: AccountFacts, needs: StageNeeds): Preflight => {
  const obstacles: string[] = [];
  const notes: string[] = [];
  judgeConcurrency(facts, needs, obstacles);
  judgeMail(facts, needs, obstacles, notes);
  const { roles, bootstrapVersion, leftOvers } = facts;
  if (!isUnread(roles) && roles.used + needs.roles > roles.quota)
    obstacles.push(
      `The account has ${roles.used} of ${roles.quota} IAM roles, and a stage has ${needs.roles}. Raise "Roles per account" of IAM in Service Quotas.`,
    );
  if (!isUnread(bootstrapVersion) && bootstrapVersion < neededBootstrapVersion)
    obstacles.push(
      `The CDK's bootstrap stack is ${bootstrapVersion === 0 ? 'missing' : `of version ${bootstrapVersion}`}. Run: npm run bootstrap -- aws://<account>/<region>`,
    );
  if (!isUnread(leftOvers) && leftOvers.length > 0)
    obstacles.push(
      `An earlier stage of this name has left ${leftOvers.slice(0, shownLeftOvers).join(', ')}${leftOvers.length > shownLeftOvers ? ` and ${leftOvers.length - shownLeftOvers} more` : ''}. See "Take it down" in docs/runbook.md, or use another stage name.`,
    );
  for (const [name, fact] of Object.entries(facts))
    if (isUnread(fact)) notes.push(`Could not be checked: ${words[name] ?? name} (${fact.unread}).`);
  return { obstacles, notes };
};

const words: Readonly<Record<string, string>> = {
  concurrency: "Lambda's concurrent executions",
  roles: 'the number of IAM roles',
  mail: "SES's identity of the sender",
  bootstrapVersion: "the CDK's bootstrap stack",
  leftOvers: 'what an earlier stage of this name has left',
};

const isUnread = (fact: unknown): fact is Unread => typeof fact === 'object' && fact !== null && 'unread' in fact;

const judgeConcurrency = ({ concurrency }: AccountFacts, needs: StageNeeds, obstacles: string[]): void => {
  if (isUnread(concurrency) || concurrency.unreserved >= needs.lambdaConcurrency) return;
  obstacles.push(
    `The account has ${concurrency.unreserved} unreserved of ${concurrency.total} concurrent executions, and lambdaConcurrency is ${needs.lambdaConcurrency}. Set lambdaConcurrency to ${concurrency.unreserved} in the stage's file, or raise "Concurrent executions" of AWS Lambda in Service Quotas.`,
  );
};

const judgeMail = ({ mail }: AccountFacts, needs: StageNeeds, obstacles: string[], notes: string[]): void => {
  if (isUnread(mail)) return;
  if (mail.hasIdentity && needs.mailIdentity === 'create')
    obstacles.push(`SES has the identity ${needs.sender} already. Set "mailIdentity": "existing" in the stage's file.`);
  if (!mail.hasIdentity && needs.mailIdentity === 'existing')
    obstacles.push(
      `SES has no identity ${needs.sender}. Leave mailIdentity out of the stage's file, and the stage creates it.`,
    );
  if (mail.hasIdentity && !mail.isVerified)
    notes.push(`SES has not verified ${needs.sender} yet: no mail can be sent until it has.`);
  if (mail.isInSandbox)
    notes.push(
      'The account is in the SES sandbox: mails reach verified addresses only. Ask for production access in the SES console.',
    );
};
