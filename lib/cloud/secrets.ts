import { RemovalPolicy } from 'aws-cdk-lib';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import type { SecretName } from '../../functions/core/grants.ts';
import { type Names, pascal } from './names.ts';

const purposes: Readonly<Record<SecretName, string>> = {
  jwt: 'Signs access tokens',
  encryption: 'Encrypts what the table holds sealed: rcodes, signing secrets, webhook tokens',
  'provider-a': 'provider_a signs its alerts with it',
  'provider-b': 'provider_b signs its alerts with it',
  rdr: 'rdr signs its alerts with it',
  minfraud:
    'MaxMind minFraud: put `<account id>:<licence key>` in place of the generated key to have fraud scored there',
  'outcome-provider-a':
    'How provider_a is told of outcomes: put {"base_url","consumer_key","private_key"} in place of the generated value; until then a person tells it',
  'outcome-provider-b':
    'How provider_b is told of outcomes: put {"base_url","username","password","secret"} in place of the generated value; until then a person tells it',
};

/** Every secret, by its name in `forewarn-<stage>/<name>`. */
export const secretNames = Object.keys(purposes) as readonly SecretName[];

export type ServiceSecrets = Readonly<Record<SecretName, Secret>>;

/**
 * Rings of keys, `{"current":"k1","k1":"<64 letters and digits>"}`. They stay when the stack goes: without `encryption`
 * the table that stays could not be read.
 */
export const createSecrets = (scope: Construct, names: Names, encryptionKey: IKey): ServiceSecrets => {
  const create = (name: SecretName) =>
    new Secret(scope, `${pascal(name)}Secret`, {
      secretName: `${names.prefix}/${name}`,
      description: purposes[name],
      encryptionKey,
      removalPolicy: RemovalPolicy.RETAIN,
      generateSecretString: {
        secretStringTemplate: '{"current":"k1"}',
        generateStringKey: 'k1',
        passwordLength: 64,
        excludePunctuation: true,
      },
    });
  return {
    jwt: create('jwt'),
    encryption: create('encryption'),
    'provider-a': create('provider-a'),
    'provider-b': create('provider-b'),
    rdr: create('rdr'),
    minfraud: create('minfraud'),
    'outcome-provider-a': create('outcome-provider-a'),
    'outcome-provider-b': create('outcome-provider-b'),
  };
};
