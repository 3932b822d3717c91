import { readFileSync } from 'node:fs';
import type { ProviderMapping } from '#disputes/providers/mapping/mapping.ts';
import { readMapping } from '#disputes/providers/mapping/mapping-schemas.ts';

/** A function's environment has 4 KB: https://docs.aws.amazon.com/lambda/latest/dg/configuration-envvars.html */
const maxBytes = 2500;

/** Reads a mapping of a reseller's messages. Throws an Error that names the file and what is wrong in it. */
export const readMappingFile = (file: string): ProviderMapping => {
  let given: unknown;
  try {
    given = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new Error(`${file}: ${error instanceof SyntaxError ? 'is not JSON' : 'cannot be read'}`);
  }
  const mapping = readMapping(given);
  if (Array.isArray(mapping)) throw new Error(`${file}: ${mapping.join('; ')}`);
  return mapping;
};

/**
 * Reads the mappings of a stage, as functions get them: a JSON list. `files`: paths, comma-separated. Throws an Error naming the file that is
 * wrong, or the provider that two files map.
 */
export const readProviderMappings = (files: string): string => {
  const mappings = files.split(',').filter(Boolean).map(readMappingFile);
  const names = mappings.map(({ provider }) => provider);
  const repeated = names.find((name, index) => names.indexOf(name) < index);
  if (repeated !== undefined) throw new Error(`two files map ${repeated}`);
  const text = JSON.stringify(mappings);
  if (Buffer.byteLength(text) > maxBytes) throw new Error(`the mappings have more than ${maxBytes} bytes together`);
  return text;
};
