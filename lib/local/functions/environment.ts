import { readProviderMappings } from '#lib/build/provider-mappings.ts';
import { region } from '../template/resolver.ts';
import { type FunctionDefinition, sharedEnvironment } from './function-runner.ts';

/** Returns the environment of every function: the template's variables, and the addresses of the local services. */
export const localEnvironment = (
  functions: readonly FunctionDefinition[],
  { servicesUrl, tableUrl, objectsUrl, webUrl }: Record<'servicesUrl' | 'tableUrl' | 'objectsUrl' | 'webUrl', string>,
): Record<string, string> => ({
  ...sharedEnvironment(functions),
  // The deployed stack never sets it: merchants' endpoints of a local stack are on this machine.
  ALLOW_LOOPBACK_HTTP: 'true',
  // No provider can be asked from here.
  ENROLLMENT_PROVIDER: 'sandbox',
  DASHBOARD_URL: `${webUrl}/dashboard`,
  // The demo users have none.
  SECOND_FACTOR: 'optional',
  // `PROVIDER_A_FORMAT=ethoca npm start` has the local stack receive alerts in that shape.
  PROVIDER_A_FORMAT: process.env['PROVIDER_A_FORMAT'] ?? 'neutral',
  PROVIDER_A_SUBJECT: 'CN=alerts.ethoca.example',
  // `PROVIDER_MAPPING_FILES=mappings/rdr.json npm start` has it read resellers' messages.
  PROVIDER_MAPPINGS: readProviderMappings(process.env['PROVIDER_MAPPING_FILES'] ?? ''),
  // Payments can be tried without an account at a processor.
  ALLOW_SANDBOX: 'true',
  AWS_REGION: region,
  AWS_ACCESS_KEY_ID: 'local',
  AWS_SECRET_ACCESS_KEY: 'local',
  AWS_ENDPOINT_URL_DYNAMODB: tableUrl,
  AWS_ENDPOINT_URL_S3: objectsUrl,
  AWS_ENDPOINT_URL_SQS: servicesUrl,
  AWS_ENDPOINT_URL_SCHEDULER: servicesUrl,
  AWS_ENDPOINT_URL_SECRETS_MANAGER: servicesUrl,
  AWS_ENDPOINT_URL_SESV2: servicesUrl,
});

/** Credentials of the person at the terminal that would win over the ones above. */
const foreign = ['AWS_SESSION_TOKEN', 'AWS_PROFILE', 'AWS_ENDPOINT_URL'] as const;

/** Gives this process that environment, whose functions share it; the returned function undoes it. */
export const enterEnvironment = (environment: Readonly<Record<string, string>>): (() => void) => {
  const before = { ...process.env };
  for (const name of foreign) delete process.env[name];
  Object.assign(process.env, environment);
  return () => {
    for (const name of [...foreign, ...Object.keys(environment)]) {
      const value = before[name];
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  };
};
