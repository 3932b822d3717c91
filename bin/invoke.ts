import { parseArgs } from 'node:util';
import colours from 'picocolors';
import { helpOption, jsonOption, printJson, runCommand } from '#lib/local/command.ts';
import type { writeEvent } from '#lib/local/invoke/invoke.ts';
import { codeIn, UserError } from '#lib/local/user-error.ts';

/** `npm run invoke`: one function with an event, as Lambda runs it. */
const help = `${colours.bold('npm run invoke -- <function> [event.json]')}    Runs one function with its sample event, or another

  <function>    Such as alerts/update-alert; without one, lists them all
  --print       Writes the filled event and the environment to dist/invoke/ instead, and prints how to run the function with plain Node or SAM
  --json        Prints JSON instead, for programs

Against the local stack that npm start runs (DATA_DIR says which), or else one that lives just as long.
Exit status 1 if it cannot run or the function fails, be it for one message of a batch.
`;

const options = { print: { type: 'boolean', default: false }, ...jsonOption, ...helpOption } as const;
const print = (lines: readonly string[]): void => void process.stdout.write(`${lines.join('\n')}\n`);

const loadInvoke = async () => {
  const [invoke, report] = await Promise.all([
    import('#lib/local/invoke/invoke.ts'),
    import('#lib/local/invoke/invoke-report.ts'),
  ]);
  return { ...invoke, ...report };
};

/** Returns the commands that run the function with the written event. */
const debugCommands = ({ folder, eventFile, environmentFile }: Awaited<ReturnType<typeof writeEvent>>): string[] => [
  `${eventFile} and ${environmentFile} written. Plain Node:`,
  `  node_modules/.bin/node lib/local/invoke/run-handler.mjs ${folder} ${eventFile} ${environmentFile}`,
  'SAM, in a container on this machine (after npm run synth; the logical id is in the template):',
  `  sam local invoke <logical id> -t cdk.out/forewarn-dev.template.json --docker-network host -e ${eventFile} -n ${environmentFile}`,
];

const main = async (args: string[]): Promise<void> => {
  const { values: flags, positionals } = parseArgs({ args, options, allowPositionals: true });
  if (flags.help) {
    process.stdout.write(help);
    return;
  }
  const [name, eventFile] = positionals;
  const { hasFailed, invocationJson, invocationReport, invokables, invokablesReport, invokeFunction, writeEvent } =
    await loadInvoke();
  if (name === undefined) {
    if (flags.json) printJson(invokables());
    else print(invokablesReport(invokables()));
    return;
  }
  if (flags.print) {
    const written = await writeEvent({ name, eventFile }, `dist/invoke/${name}`);
    if (flags.json) printJson(written);
    else print(debugCommands(written));
    return;
  }
  const invoked = await invokeFunction({ name, eventFile });
  if (flags.json) printJson(invocationJson(name, invoked));
  else print(invocationReport(name, invoked));
  process.exitCode = hasFailed(invoked.invocation) ? 1 : 0;
};

await runCommand(async (args) => {
  try {
    await main(args);
  } catch (error) {
    if (codeIn(error) === 'ERR_MODULE_NOT_FOUND') throw new UserError('A package is missing; run npm ci.');
    throw error;
  }
});
// A function keeps its connections open for the next call, which never comes here.
process.exit();
