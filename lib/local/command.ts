import type { Readable } from 'node:stream';
import { type ParseArgsConfig, parseArgs } from 'node:util';
import colours from 'picocolors';
import { stageNames } from '#lib/cloud/names.ts';
import { dataFolder, enterStack, readEndpoints } from './endpoints.ts';
import { codeIn, errorText, UserError } from './user-error.ts';

/** The flags of an operator's command that name its stack, for `parseArgs`. */
const targetOptions = {
  stage: { type: 'string' },
  region: { type: 'string' },
  table: { type: 'string' },
} as const;

/** The flag by which a command is asked for JSON, for programs. */
export const jsonOption = { json: { type: 'boolean', default: false } } as const;

/** The flag by which a command's help is asked for. */
export const helpOption = { help: { type: 'boolean', short: 'h' } } as const;

/** The options of all commands that use a deployed stage or the local stack. */
export const commandOptions = { ...jsonOption, ...targetOptions, ...helpOption } as const;

/** Returns the help for `targetOptions`, its words beginning in a column; `own`: lines of its own after those. */
export const targetHelp = (column: number, own: readonly (readonly [flag: string, words: string])[] = []): string => {
  const lines = [
    ['--stage <name>', 'A deployed stack, with the AWS credentials of your environment'],
    ['--region <name>', 'Where it is deployed (default: AWS_REGION)'],
    ['--table <name>', 'Its table, if not forewarn-<stage>'],
    ...own,
  ] as const;
  return lines.map(([flag, words]) => `${`  ${flag}`.padEnd(column)}${words}\n`).join('');
};
/** Which stack is meant where none is named. */
export const localTargetHelp =
  'Without --stage it is the running local stack, whose data is in DATA_DIR (default: .local/).\n';

type Writable = { write(text: string): unknown };
/** Where a command reads and writes: the process, unless it is called as a function. Its environment is the process's, as the AWS clients ask that. */
export type Terminal = {
  stdin: Readable;
  stdout: Writable;
  stderr: Writable;
  /** 1 where a command has done its work, and what it found is no success. */
  exitCode?: number | string | null | undefined;
};

/** Returns the parsed command; undefined after printing the help that was requested or needed. */
export const parseCommand = <const O extends Options>(
  args: string[],
  options: O,
  help: string,
  { stdout }: Pick<Terminal, 'stdout'> = process,
) => {
  const { values: flags, positionals } = parseArgs({ args, options, allowPositionals: true });
  const [name, ...rest] = positionals;
  if (name !== undefined && !Object.keys(flags).includes('help')) return { name, rest, flags };
  stdout.write(help);
  return undefined;
};

type Options = NonNullable<ParseArgsConfig['options']> & typeof helpOption;
/** The values of a command's flags. */
export type FlagsOf<O extends Options> = NonNullable<ReturnType<typeof parseCommand<O>>>['flags'];

/** One of the things that a command does. `takes`: the one argument that it needs, such as `a username`; absent: none. */
type Subcommand<F> = {
  takes?: string;
  run: (flags: F, argument: string, terminal: Terminal) => Promise<void>;
};

type Subcommands<O extends Options> = {
  /** Its name in package.json. */
  script: string;
  help: string;
  options: O;
  commands: Readonly<Record<string, Subcommand<FlagsOf<O>>>>;
  isMistake?: Judge;
};

/** A command as a function. Its status is 0, or 1 when it has said what went wrong, or set the terminal's to 1. */
export type Program = (args: string[], terminal: Terminal) => Promise<0 | 1>;

/** A command that does the one of its subcommands that its first argument names. */
export const makeProgram =
  <const O extends Options>({ script, help, options, commands, isMistake }: Subcommands<O>): Program =>
  (args, terminal) =>
    attempt(
      async () => {
        const asked = parseCommand(args, options, help, terminal);
        if (!asked) return;
        const { name, rest, flags } = asked;
        const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
        if (!command) throw new UserError(`There is no command ${name}; npm run ${script} -- --help lists them.`);
        const { takes, run } = command;
        if (rest.length !== (takes ? 1 : 0))
          throw new UserError(`${name} takes ${takes ? `one argument: ${takes}` : 'no arguments'}.`);
        await run(flags, rest[0] ?? '', terminal);
      },
      terminal,
      isMistake,
    );

/** Runs a command as this process. */
export const runProgram = async (program: Program): Promise<void> => {
  if ((await program(process.argv.slice(2), process)) !== 0) process.exitCode = 1;
};

/** Runs the one of a command's subcommands that its first argument names. */
export const runSubcommands = <const O extends Options>(all: Subcommands<O>): Promise<void> =>
  runProgram(makeProgram(all));

/** One value as one line of JSON. */
export const printJson = (value: unknown, stdout: Writable = process.stdout): void =>
  void stdout.write(`${JSON.stringify(value)}\n`);

type Target = { stage?: string | undefined; region?: string | undefined; table?: string | undefined };

/**
 * Points the AWS clients, which are made when the stores are first imported, at the stack that is meant: without a stage the
 * local one. `more`: what else of a deployed stack's environment the command needs, by the prefix of its names. Throws UserError.
 */
export const enterTarget = (
  { stage, region, table }: Target,
  more: (prefix: string) => Record<string, string> = () => ({}),
): void => {
  if (stage !== undefined) {
    const { prefix } = stageNames(stage);
    const AWS_REGION = region ?? process.env['AWS_REGION'] ?? process.env['AWS_DEFAULT_REGION'];
    if (!AWS_REGION) throw new UserError('Say where the stack is deployed: --region, or AWS_REGION.');
    Object.assign(process.env, { AWS_REGION, TABLE_NAME: table ?? prefix, ...more(prefix) });
    return;
  }
  const endpoints = readEndpoints();
  if (!endpoints) {
    throw new UserError(
      `No local stack runs with the data folder ${dataFolder()}; start it with npm start, or name a deployed one with --stage.`,
    );
  }
  enterStack(endpoints);
};

/** The longest time that a person waits without a report of progress. */
const wordMilliseconds = 2000;

/** Does the work and says every two seconds how far it is, on stderr, as the result is for pipes. */
export const reportProgress = async <T>(
  words: () => string,
  work: () => Promise<T>,
  stderr: Writable = process.stderr,
): Promise<T> => {
  const timer = setInterval(() => void stderr.write(colours.dim(`${words()} …\n`)), wordMilliseconds);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
};

type Judge = (error: unknown) => boolean;

/** Returns a sentence that a person can act on: Forewarn's own, parseArgs' words, or AWS's message. */
const sayError = (error: unknown, isMistake: Judge): string => {
  if (error instanceof UserError || isMistake(error)) return errorText(error);
  if (codeIn(error) === 'ECONNREFUSED') return 'The stack does not answer.';
  const said = errorText(error).split('\n')[0] ?? '';
  if (codeIn(error)?.startsWith('ERR_PARSE_ARGS')) return said;
  return `It failed: ${said || (error instanceof Error ? error.name : 'unknown error')}`;
};

const attempt = async (
  work: () => Promise<void>,
  terminal: Pick<Terminal, 'stderr' | 'exitCode'>,
  isMistake: Judge = () => false,
): Promise<0 | 1> => {
  try {
    await work();
    return terminal.exitCode === 1 ? 1 : 0;
  } catch (error) {
    terminal.stderr.write(`${colours.red(sayError(error, isMistake))}\n`);
    return 1;
  }
};

/**
 * Runs a command with its arguments. What goes wrong is said in a sentence, and ends it with status 1; `isMistake`: what else
 * than a UserError is said as it is.
 */
export const runCommand = (main: (args: string[]) => Promise<void>, isMistake?: Judge): Promise<void> =>
  runProgram((args, terminal) => attempt(() => main(args), terminal, isMistake));
