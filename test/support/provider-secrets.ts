import { variableOfSecret } from '#core/platform/operation/grants.ts';
import { signingProviders } from '#disputes/providers/providers.ts';

/** The variables through which functions learn the secrets of the providers that sign; each secret's id is its name. */
export const providerSecretIds: Readonly<Record<string, string>> = Object.fromEntries(
  signingProviders.map(({ secret }) => [variableOfSecret(secret), secret]),
);
