/**
 * The environment variables a function reads, in addition to those that `core/platform/operation/grants.ts` names after queues and secrets.
 * The stack sets them; no other file spells their names.
 */
const variables = [
  'TABLE_NAME',
  'DEADLINE_QUEUE_ARN',
  'SCHEDULE_GROUP_NAME',
  'SCHEDULE_ROLE_ARN',
  'MAIL_FROM',
  /** Where the operators of this deployment read their e-mail. */
  'OPERATIONS_MAIL',
  /** The provider that enrolls descriptors: see disputes/enrollments/enrollment-provider.ts. */
  'ENROLLMENT_PROVIDER',
  /** `true` if payment sites without a processor of their own use the sandbox. */
  'ALLOW_SANDBOX',
  /** `true` if the API document and its page are shown. */
  'ALLOW_DOCS',
  /** A stand-in for minFraud at MaxMind; used only if ALLOW_LOOPBACK_HTTP is true. */
  'MINFRAUD_URL',
  /** The same for Sift. */
  'SIFT_URL',
  /** `required` if every person needs a second factor to sign in with a browser. */
  'SECOND_FACTOR',
  /** The address of the dashboard; empty if not known. */
  'DASHBOARD_URL',
  /** `ethoca` if provider_a sends alerts as Mastercard's Ethoca Alerts for Merchants API does; else `neutral`. */
  'PROVIDER_A_FORMAT',
  /** The whole subject of provider_a's client certificate, as the gateway spells it; needed for that format. */
  'PROVIDER_A_SUBJECT',
  /** The mappings of resellers' messages, as JSON: see disputes/providers/mapping/mapping.ts. */
  'PROVIDER_MAPPINGS',
  'STAGE_NAME',
  /** `true` only on the local stack: webhooks may then go to http on a loopback address. */
  'ALLOW_LOOPBACK_HTTP',
  /** Ports a webhook may use in addition to 443 and 8443, comma-separated; usually empty. */
  'EXTRA_WEBHOOK_PORTS',
  /** The bucket with files; comes with a grant of `objects`, or alone for the dashboard's page, whose scripts upload to it. */
  'OBJECTS_BUCKET',
] as const;

export type Variable = (typeof variables)[number] | `${string}_QUEUE_URL` | `${string}_SECRET_ID`;

/** The settings that an operator decides; the other variables come with a function's grants. */
export type SettingName = Extract<
  Variable,
  | 'MAIL_FROM'
  | 'OPERATIONS_MAIL'
  | 'ENROLLMENT_PROVIDER'
  | 'ALLOW_SANDBOX'
  | 'ALLOW_DOCS'
  | 'ALLOW_LOOPBACK_HTTP'
  | 'MINFRAUD_URL'
  | 'SIFT_URL'
  | 'SECOND_FACTOR'
  | 'PROVIDER_A_FORMAT'
  | 'PROVIDER_A_SUBJECT'
  | 'PROVIDER_MAPPINGS'
  | 'DASHBOARD_URL'
  | 'EXTRA_WEBHOOK_PORTS'
  | 'OBJECTS_BUCKET'
>;

/** Reads a variable that must be set. Throws with its name: an operator's mistake, found at the first call. */
export const requireVariable = (name: Variable): string => {
  const value = process.env[name];
  if (!value) throw new Error(`Missing environment variable ${name}`);
  return value;
};

/** Returns the id of the X-Ray trace that this invocation belongs to; undefined outside Lambda. */
export const readTraceId = (): string | undefined => /Root=([^;]+)/.exec(process.env['_X_AMZN_TRACE_ID'] ?? '')?.[1];

/** Returns the version of the function that runs, which Lambda sets; `$LATEST` outside Lambda. */
export const readFunctionVersion = (): string => process.env['AWS_LAMBDA_FUNCTION_VERSION'] ?? '$LATEST';

/** Reads a variable that may be absent. */
export const optional = (name: Variable): string | undefined => process.env[name] || undefined;
