import { Refusal } from '#core/platform/operation/errors.ts';
import { applyMapping, type ProviderMapping, unreadPaths } from '#disputes/providers/mapping/mapping.ts';
import { signingProviderNames } from '#disputes/providers/providers.ts';
import { readers } from '#disputes/providers/registered.ts';

/** The result of a mapping for a sample. `problem`: why the provider's reader refuses it; null if it accepts it. */
export type MappingTrial = { message: unknown; problem: string | null; unread: string[] };

export const tryMapping = (mapping: ProviderMapping, sample: unknown): MappingTrial => {
  const message = applyMapping(mapping, sample);
  return { message, problem: findProblem(mapping.provider, message), unread: unreadPaths(mapping, sample) };
};

const findProblem = (provider: string, message: unknown): string | null => {
  const name = signingProviderNames.find((one) => one === provider);
  if (!name) return `there is no provider ${provider}`;
  try {
    readers[name](message);
    return null;
  } catch (error) {
    if (error instanceof Refusal) return error.details;
    throw error;
  }
};
