import { ArnFormat, RemovalPolicy, Stack } from 'aws-cdk-lib';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import { operatorSecrets, type SecretName, serviceSecrets } from '#core/platform/operation/grants.ts';
import { providerSecrets } from '#disputes/providers/providers.ts';
import { type Names, pascal } from './names.ts';

const servicePurposes: Readonly<Record<(typeof serviceSecrets)[number], string>> = {
  jwt: 'Signs access tokens',
  encryption: 'Encrypts what the table holds sealed: rcodes, signing secrets, webhook tokens',
  minfraud:
    'MaxMind minFraud: put `<account id>:<licence key>` in place of the generated key to have fraud scored there',
  sift: 'Sift: put the API key in place of the generated key to have fraud scored there',
};

const purposes: readonly { name: SecretName; purpose: string }[] = [
  ...serviceSecrets.map((name) => ({ name, purpose: servicePurposes[name] })),
  ...providerSecrets,
];

/** A secret by what functions call it, and by the ARN, or the pattern of ARNs, that their roles allow. */
export type ServiceSecret = { id: string; arn: string };
export type ServiceSecrets = ReadonlyMap<SecretName, ServiceSecret>;

/** The secret that a declaration names. */
export const findSecret = (secrets: ServiceSecrets, name: SecretName): ServiceSecret => {
  const found = secrets.get(name);
  if (!found) throw new Error(`There is no secret ${name}`);
  return found;
};

/**
 * Rings of keys, `{"current":"k1","k1":"<64 letters and digits>"}`. They are retained when the stack is deleted, because without
 * `encryption` the retained table could not be read; but not when the deployment that creates them fails, so that it can be repeated.
 */
export const createSecrets = (scope: Construct, names: Names, encryptionKey: IKey): ServiceSecrets => {
  const create = ({ name, purpose }: (typeof purposes)[number]): ServiceSecret => {
    const { secretArn } = new Secret(scope, `${pascal(name)}Secret`, {
      secretName: `${names.prefix}/${name}`,
      description: purpose,
      encryptionKey,
      removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
      generateSecretString: {
        secretStringTemplate: '{"current":"k1"}',
        generateStringKey: 'k1',
        passwordLength: 64,
        excludePunctuation: true,
      },
    });
    return { id: secretArn, arn: secretArn };
  };
  // Secrets Manager adds six characters to the name: https://docs.aws.amazon.com/secretsmanager/latest/userguide/auth-and-access_iam-policies.html
  const expect = (name: SecretName): ServiceSecret => {
    const id = `${names.prefix}/${name}`;
    const resource = { service: 'secretsmanager', resource: 'secret', arnFormat: ArnFormat.COLON_RESOURCE_NAME };
    return { id, arn: Stack.of(scope).formatArn({ ...resource, resourceName: `${id}-??????` }) };
  };
  return new Map([
    ...purposes.map((one) => [one.name, create(one)] as const),
    ...operatorSecrets.map((name) => [name, expect(name)] as const),
  ]);
};
