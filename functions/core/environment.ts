/** Every environment variable a function reads. The stack sets them; nothing else spells their names. */
export const variables = [
  'TABLE_NAME',
  'DELIVERY_QUEUE_URL',
  'MAIL_QUEUE_URL',
  'SWEEP_QUEUE_URL',
  'DEADLINE_QUEUE_URL',
  'ENROLLMENT_QUEUE_URL',
  'RULES_QUEUE_URL',
  'SETTLEMENT_QUEUE_URL',
  'OUTCOME_A_QUEUE_URL',
  'OUTCOME_B_QUEUE_URL',
  'LOOKUPS_QUEUE_URL',
  'CHARGEBACKS_QUEUE_URL',
  'BACK_TESTS_QUEUE_URL',
  'REFUNDS_QUEUE_URL',
  'DEADLINE_QUEUE_ARN',
  'SCHEDULE_GROUP_NAME',
  'SCHEDULE_ROLE_ARN',
  'JWT_SECRET_ID',
  'ENCRYPTION_SECRET_ID',
  'PROVIDER_A_SECRET_ID',
  'PROVIDER_B_SECRET_ID',
  'RDR_SECRET_ID',
  'MINFRAUD_SECRET_ID',
  'OUTCOME_PROVIDER_A_SECRET_ID',
  'OUTCOME_PROVIDER_B_SECRET_ID',
  'MAIL_FROM',
  /** Where the operators of this deployment read their e-mail. */
  'OPERATIONS_MAIL',
  /** Who enrolls descriptors: see enrollments/enrollment-provider.ts. */
  'ENROLLMENT_PROVIDER',
  /** `true` where payment sites without a processor of their own use the sandbox. */
  'ALLOW_SANDBOX',
  /** Where minFraud is asked instead of at MaxMind; heeded only where ALLOW_LOOPBACK_HTTP is true. */
  'MINFRAUD_URL',
  /** `required` where nobody signs in with a browser without a second factor. */
  'SECOND_FACTOR',
  'STAGE_NAME',
  /** `true` only on the local stack: webhooks may then go to http on a loopback address. */
  'ALLOW_LOOPBACK_HTTP',
  /** Ports a webhook may use besides 443 and 8443, comma-separated; usually empty. */
  'EXTRA_WEBHOOK_PORTS',
] as const;

export type Variable = (typeof variables)[number];

/** What an operator decides; the rest comes with a function's grants. */
export type SettingName = Extract<
  Variable,
  | 'MAIL_FROM'
  | 'OPERATIONS_MAIL'
  | 'ENROLLMENT_PROVIDER'
  | 'ALLOW_SANDBOX'
  | 'ALLOW_LOOPBACK_HTTP'
  | 'MINFRAUD_URL'
  | 'SECOND_FACTOR'
  | 'EXTRA_WEBHOOK_PORTS'
>;

/** Reads a variable that must be there. Throws with its name: the operator's mistake, found at the first call. */
export const required = (name: Variable): string => {
  const value = process.env[name];
  if (!value) throw new Error(`Missing environment variable ${name}`);
  return value;
};

/** Reads a variable that may be absent. */
export const optional = (name: Variable): string | undefined => process.env[name] || undefined;
