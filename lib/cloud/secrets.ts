import { RemovalPolicy } from 'aws-cdk-lib';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import { type SecretName, serviceSecrets } from '#core/platform/operation/grants.ts';
import { providerSecrets } from '#disputes/providers/providers.ts';
import { type Names, pascal } from './names.ts';

const servicePurposes: Readonly<Record<(typeof serviceSecrets)[number], string>> = {
  jwt: 'Signs access tokens',
  encryption: 'Encrypts what the table holds sealed: rcodes, signing secrets, webhook tokens',
  minfraud:
    'MaxMind minFraud: put `<account id>:<licence key>` in place of the generated key to have fraud scored there',
  'operator-sso':
    'Operators sign in at this identity provider: put a description of it in place of the generated key (docs/settings.md)',
  'processor-apps':
    'Merchants connect their processors by signing in through these apps: put a description of them in place of the generated key (docs/settings.md)',
  sift: 'Sift: put the API key in place of the generated key to have fraud scored there',
};

const purposes: readonly { name: SecretName; purpose: string }[] = [
  ...serviceSecrets.map((name) => ({ name, purpose: servicePurposes[name] })),
  ...providerSecrets,
];

export type ServiceSecrets = ReadonlyMap<SecretName, Secret>;

/** The secret that a declaration names. */
export const secretOf = (secrets: ServiceSecrets, name: SecretName): Secret => {
  const found = secrets.get(name);
  if (!found) throw new Error(`There is no secret ${name}`);
  return found;
};

/**
 * Rings of keys, `{"current":"k1","k1":"<64 letters and digits>"}`. They are retained when the stack is deleted, because without
 * `encryption` the retained table could not be read; but not when the deployment that creates them fails, so that it can be repeated.
 */
export const createSecrets = (scope: Construct, names: Names, encryptionKey: IKey): ServiceSecrets => {
  const create = ({ name, purpose }: (typeof purposes)[number]) =>
    new Secret(scope, `${pascal(name)}Secret`, {
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
  return new Map(purposes.map((one) => [one.name, create(one)]));
};
