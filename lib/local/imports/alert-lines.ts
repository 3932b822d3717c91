import type { CsvRecord } from '#core/kernel/csv/csv-table.ts';
import { applyMapping, type ProviderMapping } from '#disputes/providers/mapping/mapping.ts';
import { type SigningProvider, signingProviderNames } from '#disputes/providers/providers.ts';
import { bodies, readers } from '#disputes/providers/registered.ts';
import { UserError } from '../user-error.ts';
import { nestFields, type ReadLine, readLines, spelledAs, withColumns } from './rows.ts';

/** Each line of a network's file as a message of its provider, or what is wrong with it. Throws UserError for an unknown provider. */
export const readAlertLines = (
  records: readonly CsvRecord[],
  provider: string,
  mapping: ProviderMapping | undefined,
): ReadLine<{ name: SigningProvider; message: unknown }>[] => {
  const name = signingProviderNames.find((one) => one === provider);
  if (!name) throw new UserError(`${provider} sends no alerts: choose one of ${signingProviderNames.join(', ')}.`);
  if (mapping && mapping.provider !== name)
    throw new UserError(`The mapping is for ${mapping.provider}, not for ${name}.`);
  const spelled = mapping ? records : spelledAs(bodies[name](), records);
  const lines = readLines(spelled, (fields) => {
    const message = mapping ? applyMapping(mapping, fields) : nestFields(fields);
    readers[name](message);
    return { name, message };
  });
  return mapping ? lines : withColumns(spelled, lines);
};
