import { existsSync, readFileSync } from 'node:fs';
import * as v from 'valibot';
import { isFields } from '#core/kernel/is-object.ts';
import { readProviderMappings } from '#lib/build/provider-mappings.ts';
import { certificate, domainFault, domainSettings, host } from './domain-settings.ts';

const stageName = v.pipe(
  v.string(),
  v.regex(/^[a-z][a-z0-9]{0,11}$/, 'stage: must be 1 to 12 lower-case letters and digits, a letter first'),
);
const address = v.pipe(v.string(), v.email('must be an e-mail address'));
const portList = v.pipe(
  v.string(),
  v.regex(/^(\d{1,5}(,\d{1,5})*)?$/, 'extraWebhookPorts: must be ports, comma-separated'),
);

const webAddress = v.pipe(
  v.string(),
  v.regex(
    /^(https:\/\/[^\s#]+)?$/,
    'dashboardUrl: must begin with https://, such as https://forewarn.example/dashboard',
  ),
);

/** Reads the files, so that a wrong one is found before anything is built. */
const mappingFiles = v.pipe(
  v.string(),
  v.rawTransform(({ dataset, addIssue, NEVER }) => {
    try {
      return readProviderMappings(dataset.value);
    } catch (error) {
      addIssue({ message: `providerMappings: ${error instanceof Error ? error.message : String(error)}` });
      return NEVER;
    }
  }),
);

const flag = (name: string) =>
  v.union(
    [
      v.boolean(),
      v.pipe(
        v.picklist(['true', 'false']),
        v.transform((text) => text === 'true'),
      ),
    ],
    `${name}: must be true or false`,
  );
const count = (name: string, least: number) =>
  v.pipe(
    v.union([v.string(), v.number()]),
    v.transform(Number),
    v.integer(`${name}: must be a whole number`),
    v.minValue(least, `${name}: must be at least ${least}`),
  );

/** A stage on which something is sold: it cannot be deleted by mistake, and a person must receive its alarms. */
export const isProtected = ({ stage, protected: given }: { stage: string; protected?: boolean | undefined }): boolean =>
  given ?? stage === 'prod';

const Settings = v.pipe(
  v.object({
    /** The domain name of the API; `certificateArn` must cover it. */
    domainName: v.optional(host('domainName')),
    certificateArn: v.optional(certificate('certificateArn')),
    ...domainSettings,
    /** Names every resource: `forewarn-<stage>`. */
    stage: v.optional(stageName, 'dev'),
    /** True if something is sold on the stage: it cannot be deleted by mistake, and is backed up. Default: on `prod`. */
    protected: v.optional(flag('protected')),
    /** True if this deployment creates the stack. Then nothing is protected from deletion, so that a failure can be cleaned up. */
    firstDeployment: v.optional(flag('firstDeployment'), false),
    /** True if a release replaces every function at once, without moving a tenth of the traffic first. */
    allAtOnce: v.optional(flag('allAtOnce'), false),
    /** True if `npm run prove` may destroy the stage with all its data. Never on a protected stage. */
    ephemeral: v.optional(flag('ephemeral'), false),
    /** The provider that enrolls descriptors: administrators, or a sandbox that goes by the clock alone. */
    enrollmentProvider: v.optional(
      v.picklist(['manual', 'sandbox'], 'enrollmentProvider: must be manual or sandbox'),
      'manual',
    ),
    /** True if payment sites without a processor use the sandbox, which moves no money. Never on a stage that sells. */
    allowSandbox: v.optional(flag('allowSandbox'), false),
    /** True if the API document and its page are served. Default: except on a protected stage. */
    allowDocs: v.optional(flag('allowDocs')),
    /** `required`: signing in with a browser needs a second factor. Optional is for stages without real money. */
    secondFactor: v.optional(
      v.picklist(['required', 'optional'], 'secondFactor: must be required or optional'),
      'required',
    ),
    /** Where people open the dashboard: messages in chats link to alerts there. */
    dashboardUrl: v.optional(webAddress, ''),
    /** True if provider_a's alerts are fetched from it each minute. */
    providerAPull: v.optional(flag('providerAPull'), false),
    /** Files that map resellers' messages to those of the providers, comma-separated: see docs/provider-mappings.md. */
    providerMappings: v.optional(mappingFiles, ''),
    /** The sender of e-mails. */
    mailFrom: v.optional(address, 'alerts@forewarn.example'),
    /** The domain that is verified with SES instead of the one address; `mailFrom` must be of it. */
    alertDomain: v.optional(v.string()),
    /**
     * True if the stack creates the SES identity of the sender. An account has one of each name, so a second stage uses the existing one.
     */
    mailIdentity: v.optional(v.picklist(['create', 'existing'], 'mailIdentity: must be create or existing'), 'create'),
    /** The address that is notified of alarms and of new retailers. */
    operationsEmail: v.optional(address),
    /** Ports in addition to 443 and 8443 to which webhooks may go. */
    extraWebhookPorts: v.optional(portList, ''),
    /** The number of requests from one address within five minutes that the firewall lets through. */
    requestsPerAddress: v.optional(count('requestsPerAddress', 10), 6000),
    /** The same, of calls that sign in or renew a session: of a whole office behind one address. */
    signInsPerAddress: v.optional(count('signInsPerAddress', 10), 300),
    /** The account's quota of concurrent executions, or the part of it that this stage may use. */
    lambdaConcurrency: v.optional(count('lambdaConcurrency', 10), 1000),
    /** Concurrent executions reserved for each provider's intake and for the authorizer. Default: see `createConcurrencyBudget`. */
    reservedConcurrency: v.optional(count('reservedConcurrency', 0)),
    /** For how many days each daily backup of the table is kept; 0: no daily backups. Default: 35 on a protected stage. */
    backupRetentionDays: v.optional(count('backupRetentionDays', 0)),
    /** The limit of the account's monthly cost, in USD. `operationsEmail` gets a mail when it is nearly spent. */
    monthlyBudget: v.optional(count('monthlyBudget', 1)),
    /** A table that was restored from a backup, to be used in place of the stack's own. */
    restoredTable: v.optional(v.string()),
    /** The stream of `restoredTable`. */
    restoredTableStream: v.optional(v.string()),
  }),
  v.forward(
    v.partialCheck(
      [['alertDomain'], ['mailFrom']],
      ({ alertDomain, mailFrom }) => alertDomain === undefined || mailFrom.endsWith(`@${alertDomain}`),
      'mailFrom: must be an address of alertDomain',
    ),
    ['mailFrom'],
  ),
  v.forward(
    v.partialCheck(
      [['restoredTable'], ['restoredTableStream']],
      ({ restoredTable, restoredTableStream }) => (restoredTable === undefined) === (restoredTableStream === undefined),
      'restoredTable and restoredTableStream: give both or none',
    ),
    ['restoredTableStream'],
  ),
  v.forward(
    v.partialCheck(
      [['stage'], ['protected'], ['operationsEmail']],
      ({ operationsEmail, ...given }) => operationsEmail !== undefined || !isProtected(given),
      ({ input: { stage } }) => `operationsEmail: is required on stage ${stage}, or nobody would be told of its alarms`,
    ),
    ['operationsEmail'],
  ),
  v.forward(
    v.partialCheck(
      [['monthlyBudget'], ['operationsEmail']],
      ({ monthlyBudget, operationsEmail }) => monthlyBudget === undefined || operationsEmail !== undefined,
      'operationsEmail: is required for monthlyBudget',
    ),
    ['operationsEmail'],
  ),
  v.forward(
    v.partialCheck(
      [['stage'], ['protected'], ['ephemeral']],
      ({ ephemeral, ...given }) => !(ephemeral && isProtected(given)),
      ({ input: { stage } }) => `ephemeral: stage ${stage} must not be destroyed by a proof`,
    ),
    ['ephemeral'],
  ),
  v.rawCheck(({ dataset, addIssue }) => {
    const fault = dataset.typed ? domainFault(dataset.value) : undefined;
    if (fault !== undefined) addIssue({ message: fault });
  }),
  v.transform(({ allowDocs, backupRetentionDays, ...given }) => ({
    ...given,
    allowDocs: allowDocs ?? !isProtected(given),
    backupRetentionDays: backupRetentionDays ?? (isProtected(given) ? 35 : 0),
  })),
);

/** An operator's settings of a deployment: CDK context, all of it optional. */
export type Settings = v.InferOutput<typeof Settings>;

/** The names of all settings. docs/settings.md describes each. */
export const settingNames = [
  'domainName',
  'domainBasePath',
  'certificateArn',
  'hostedZoneId',
  'mutualTlsDomainName',
  'mutualTlsCertificateArn',
  'mutualTlsTruststore',
  'mutualTlsTruststoreVersion',
  'mutualTlsProviders',
  'providerAFormat',
  'providerASubject',
  'providerAPull',
  'providerMappings',
  'backupRetentionDays',
  'monthlyBudget',
  'stage',
  'protected',
  'firstDeployment',
  'allAtOnce',
  'ephemeral',
  'enrollmentProvider',
  'allowSandbox',
  'secondFactor',
  'allowDocs',
  'dashboardUrl',
  'mailFrom',
  'alertDomain',
  'mailIdentity',
  'operationsEmail',
  'extraWebhookPorts',
  'requestsPerAddress',
  'signInsPerAddress',
  'lambdaConcurrency',
  'reservedConcurrency',
  'restoredTable',
  'restoredTableStream',
] as const satisfies readonly (keyof Settings)[];

/** Settings that a stage's file gives; the command line overrides them. Those that this release does not know are left out with a warning. Throws an Error for a file that is not a JSON object. */
export const readStageFile = (stage: unknown, folder: string): Readonly<Record<string, unknown>> => {
  const path = `${folder}/${String(stage)}.json`;
  if (typeof stage !== 'string' || !/^[a-z][a-z0-9]*$/.test(stage) || !existsSync(path)) return {};
  const given: unknown = JSON.parse(readFileSync(path, 'utf8'));
  if (!isFields(given)) throw new Error(`${path}: must be a JSON object of settings`);
  const unknown = Object.keys(given).filter((name) => !settingNames.some((known) => known === name));
  // A stage that goes back a release has settings that the release does not know.
  if (unknown.length > 0)
    process.stderr.write(`Warning: ${path}: this release has no settings ${unknown.join(', ')}. They are ignored.\n`);
  return Object.fromEntries(Object.entries(given).filter(([name]) => !unknown.includes(name)));
};

/** Reads the settings through `contextOf`, such as a construct's `tryGetContext`. Throws an Error naming everything that is wrong. */
export const readSettings = (contextOf: (name: string) => unknown): Settings => {
  const given = settingNames.flatMap((name) => {
    const value = contextOf(name);
    return value === undefined || value === null || value === '' ? [] : [[name, value] as const];
  });
  const result = v.safeParse(Settings, Object.fromEntries(given));
  if (result.success) return result.output;
  const wrong = result.issues.map((issue) => `${v.getDotPath(issue) ?? 'context'}: ${issue.message}`);
  throw new Error(`These settings are wrong: ${wrong.join('; ')}`);
};
