import { GetSecretValueCommand, PutSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import type { KeyRing } from '#core/kernel/crypto.ts';
import { readKeyRing, writeKeyRing } from '#core/kernel/key-ring.ts';
import { requireVariable } from '../operation/environment.ts';
import { type SecretName, variableOfSecret } from '../operation/grants.ts';
import { clientSettings } from '../table/aws.ts';

/** Reads and changes rings of keys for an operator: uncached, and used by no function. */

const client = new SecretsManagerClient(clientSettings);

export type StoredRing = { ring: KeyRing; changedAt: Date | undefined };

export const readRing = async (name: SecretName): Promise<StoredRing> => {
  const SecretId = requireVariable(variableOfSecret(name));
  const { SecretString, CreatedDate } = await client.send(new GetSecretValueCommand({ SecretId }));
  return { ring: readKeyRing(SecretString), changedAt: CreatedDate };
};

export const writeRing = async (name: SecretName, ring: KeyRing): Promise<void> => {
  const SecretId = requireVariable(variableOfSecret(name));
  await client.send(new PutSecretValueCommand({ SecretId, SecretString: writeKeyRing(ring) }));
};
