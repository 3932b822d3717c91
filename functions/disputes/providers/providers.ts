import { operatorSecrets, type SecretName, serviceSecrets } from '#core/platform/operation/grants.ts';
import type { ProviderAlertOf } from './provider-alert.ts';
import { registeredProviders } from './registered.ts';

type Known = (typeof registeredProviders)[number];

type Enrolled = Exclude<Known, { enrolledBy: null }>;
type Ruleable = Extract<Known, { ruleable: true }>;
type Told = Exclude<Known, { outcomes: null }>;
type Signing = Exclude<Known, { secret: null }>;

export type AlertProvider = Known['name'];
export type ProviderAlert = ProviderAlertOf<AlertProvider>;
export type EnrolledProvider = Enrolled['name'];
export type RuleProvider = Ruleable['name'];
export type OutcomeProviderName = Told['name'];
export type SigningProvider = Signing['name'];

const enrolled = registeredProviders.filter((one): one is Enrolled => one.enrolledBy !== null);
const told = registeredProviders.filter((one): one is Told => one.outcomes !== null);
/** Providers that send signed alerts. */
export const signingProviders = registeredProviders.filter((one): one is Signing => one.secret !== null);

export const signingProviderNames = signingProviders.map(({ name }) => name);

export const alertProviders = registeredProviders.map(({ name }) => name);
/** Providers with which merchants enroll. */
export const enrolledProviders = enrolled.map(({ name }) => name);
/** Providers whose alerts a rule may decide, because they take an outcome. */
export const ruleProviders = registeredProviders.filter((one): one is Ruleable => one.ruleable).map(({ name }) => name);
/** Providers that receive the outcomes of their alerts. */
export const outcomeProviders = told.map(({ name }) => name);

const byName: ReadonlyMap<string, Known> = new Map(registeredProviders.map((one) => [one.name, one]));

export const providerOf = (name: AlertProvider): Known => {
  const found = byName.get(name);
  if (!found) throw new Error(`There is no alert provider ${name}`);
  return found;
};

/** Checks whether a provider identifies shops by the network's identifiers; for others, the descriptor decides. */
export const isEnrolledByNetwork = (name: string): boolean => byName.get(name)?.enrolledBy === 'network';

const ofMerchants = new Set<string>(registeredProviders.flatMap((one) => ('casesOf' in one ? [one.name] : [])));

/** Returns the name under which a provider's case is kept: just `caseId` if the provider sends it to no other service. */
export const caseNameOf = (provider: AlertProvider, caseId: string, mid: number | undefined): string =>
  ofMerchants.has(provider) && mid !== undefined ? `${mid}#${caseId}` : caseId;

/** The letter of a provider's outcomes and of the queue for them. */
export const outcomeLetterOf = (name: OutcomeProviderName): Told['outcomes']['letter'] =>
  told.find((one) => one.name === name)?.outcomes.letter ?? unknownLetter(name);

const unknownLetter = (name: string): never => {
  throw new Error(`${name} receives no outcomes`);
};

/** The purpose of each secret of a provider. */
export const providerSecrets: readonly { name: SecretName; purpose: string }[] = [
  ...signingProviders.map(({ name, secret }) => ({ name: secret, purpose: `${name} signs its alerts with it` })),
  ...told.map(({ name, outcomes: { secret, connection } }) => ({
    name: secret,
    purpose: `How ${name} is told of outcomes: put ${connection} in place of the generated value; until then a person tells it`,
  })),
];

/** Each has its own queue of outcomes, so that one that is slow or down does not hold up the others. */
export const outcomeQueueOf = (name: OutcomeProviderName) => `outcome-${outcomeLetterOf(name)}` as const;
export type OutcomeQueue = ReturnType<typeof outcomeQueueOf>;
export const outcomeQueues = outcomeProviders.map(outcomeQueueOf);

/** Every secret there is: the service's own and the providers'. */
export const everySecret: readonly SecretName[] = [
  ...serviceSecrets,
  ...operatorSecrets,
  ...providerSecrets.map(({ name }) => name),
];
