import * as v from 'valibot';
import { describeError, log } from '#core/platform/log/log.ts';
import type { SecretName } from '#core/platform/operation/grants.ts';
import { secretText } from '#core/platform/secrets/secrets.ts';
import type { OutcomeAnswer, OutcomeProvider } from './outcome-provider.ts';

/** Returns the current connection to a provider; null: this deployment has none. */
export type Connect = () => Promise<OutcomeProvider | null>;

/** The fields of a secret; none if it is no JSON object. */
export const secretFieldsOf = (text: string | undefined): Record<string, unknown> => {
  try {
    const value: unknown = JSON.parse(text ?? '');
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
};

const unusable: OutcomeAnswer = {
  result: 'failed',
  status: null,
  error: 'The connection to it is not set up correctly',
  pauseSeconds: null,
  isOurFault: true,
};

/** Nothing gets through until the operator has fixed the connection; then everything does. */
const broken: OutcomeProvider = {
  send: async (outcomes) => new Map(outcomes.map(({ id }) => [id, unusable])),
};

/**
 * The connection that a secret describes: `{"base_url", …credentials}`. A secret without `base_url`, as in a new stage,
 * describes no connection. One that cannot be used fails every attempt, so that nothing is lost.
 */
export const connection =
  <S extends v.GenericSchema>(
    secret: SecretName,
    schema: S,
    make: (settings: v.InferOutput<S>) => OutcomeProvider,
  ): Connect =>
  async () => {
    const fields = secretFieldsOf(await secretText(secret));
    if (fields['base_url'] === undefined) return null;
    try {
      return make(v.parse(schema, fields));
    } catch (error) {
      log('error', 'outcome_connection_unusable', { connection: secret, error: describeError(error) });
      return broken;
    }
  };
