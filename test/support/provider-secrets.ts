import { variableOfSecret } from '../../functions/core/grants.ts';
import { signingProviders } from '../../functions/providers/providers.ts';

/** The variables through which functions learn the secrets of the providers that sign; each secret's id is its name. */
export const providerSecretIds: Readonly<Record<string, string>> = Object.fromEntries(
  signingProviders.map(({ secret }) => [variableOfSecret(secret), secret]),
);
