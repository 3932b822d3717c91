import { readFileSync } from 'node:fs';
import colours from 'picocolors';
import { helpOption, jsonOption, parseCommand, printJson, runCommand } from '#lib/local/command.ts';
import { UserError } from '#lib/local/user-error.ts';

/** `npm run provider:try`: tries a mapping of a reseller's messages on a sample. */
const help = `${colours.bold('npm run provider:try -- <mapping.json> <sample.json>')}    Try a mapping of a reseller's messages on a sample

  --json  Prints {"message", "problem", "unread"} instead

Shows the provider's fields that the mapping makes of the sample, what the provider's reader says of them, and which
fields of the sample the mapping does not read.
`;

const readJson = (file: string): unknown => {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new UserError(`${file} ${error instanceof SyntaxError ? 'is not JSON' : 'cannot be read'}.`);
  }
};

const mappingFrom = async (file: string) => {
  const { readMappingFile } = await import('#lib/build/provider-mappings.ts');
  try {
    return readMappingFile(file);
  } catch (error) {
    throw new UserError(`${error instanceof Error ? error.message : String(error)}.`);
  }
};

const main = async (args: string[]): Promise<void> => {
  const asked = parseCommand(args, { ...jsonOption, ...helpOption } as const, help);
  if (!asked) return;
  const { name: mappingFile, rest, flags } = asked;
  const [sampleFile] = rest;
  if (sampleFile === undefined || rest.length > 1) throw new UserError('Give a mapping and one sample.');
  const [{ tryMapping }, mapping] = await Promise.all([
    import('#lib/local/imports/mapping-trial.ts'),
    mappingFrom(mappingFile),
  ]);
  const trial = tryMapping(mapping, readJson(sampleFile));
  if (flags.json) printJson(trial);
  else {
    process.stdout.write(`${JSON.stringify(trial.message, undefined, 2)}\n`);
    if (trial.unread.length > 0) process.stdout.write(`Not read: ${trial.unread.join(', ')}\n`);
    process.stdout.write(
      trial.problem === null
        ? `${colours.green(`${mapping.provider} accepts it.`)}\n`
        : `${colours.red(`${mapping.provider} refuses it:`)} ${trial.problem}\n`,
    );
  }
  if (trial.problem !== null) process.exitCode = 1;
};

await runCommand(main);
