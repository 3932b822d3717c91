import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { type Block, expectedOutput, findBlocks, localReason, readSkip, readTab } from './page-blocks.ts';

/** The service that a page is played against: the local one, or a deployed stage. */
export type Place = 'local' | 'stage';

/** `stderr`: of all commands; empty if nothing went wrong. `outputs`: each stated output, with what was printed. */
export type PlayedPage = { stderr: string; outputs: { expected: RegExp; printed: string }[] };

/** Ends the output of one block; no reader sees it. */
const end = '=== end of block ===';

const run = promisify(execFile);

const whySkip = (block: Block, place: Place): string | undefined =>
  readSkip(block) ?? (place === 'stage' ? localReason(block) : undefined);

/** The commands of a page, and the outputs that follow them. */
const playable = (text: string): Block[] =>
  findBlocks(text).filter((block) => !readTab(block) && ['sh', 'output'].includes(block.language));
const isRun = (block: Block, place: Place): boolean => block.language === 'sh' && whySkip(block, place) === undefined;

/** The reasons for which commands of a page are not run at a place. */
export const listReasons = (text: string, place: Place): string[] =>
  playable(text).flatMap((block) => (block.language === 'sh' ? (whySkip(block, place) ?? []) : []));

/**
 * Runs the commands of a page in one shell, from the project's folder; undefined if it has none. Output that follows commands that are not run is
 * not compared. Throws what execFile throws if a command fails.
 */
export const playPage = async (
  text: string,
  place: Place,
  environment: NodeJS.ProcessEnv,
): Promise<PlayedPage | undefined> => {
  const blocks = playable(text);
  const commands = blocks.filter((block) => isRun(block, place));
  if (commands.length === 0) return undefined;
  const script = commands.map((one) => `${one.text}\nprintf '%s\\n' '${end}'\n`).join('');
  // A shell whose input is a socket may take itself for a remote one, and read the machine's own start-up file first.
  const { stdout, stderr } = await run('bash', ['--norc', '-euo', 'pipefail', '-c', script], {
    env: { ...environment, NO_COLOR: '1' },
  });
  const printed = stdout.split(`${end}\n`);
  const outputs = blocks.flatMap((block, index) => {
    const command = blocks[index - 1];
    if (block.language !== 'output' || !command || !isRun(command, place)) return [];
    return { expected: expectedOutput(block.text), printed: (printed[commands.indexOf(command)] ?? '').trim() };
  });
  return { stderr, outputs };
};
