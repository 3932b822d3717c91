import { optional } from '#core/platform/operation/environment.ts';
import { applyMapping, type ProviderMapping } from '#disputes/providers/mapping/mapping.ts';
import type { SigningProvider } from '#disputes/providers/providers.ts';

/** The mappings of this stage, which were checked when it was deployed. */
const readMappings = (): readonly ProviderMapping[] => JSON.parse(optional('PROVIDER_MAPPINGS') ?? '[]');

/** A message in its provider's own fields: mapped where the stage has a mapping for that provider, else as it was sent. */
export const toProviderFields = (provider: SigningProvider, sent: unknown): unknown => {
  const mapping = readMappings().find((one) => one.provider === provider);
  return mapping ? applyMapping(mapping, sent) : sent;
};
