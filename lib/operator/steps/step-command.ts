import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import * as v from 'valibot';
import { printJson } from '#lib/local/command.ts';
import { type OperatorStep, runSteps, stepReport } from './step-runner.ts';

/** Where progress goes: to stderr if the result on stdout is for programs. */
type Output = Pick<NodeJS.WriteStream, 'write'>;

/** A line of bash, its output shown as it comes. */
const runBash = (command: string, environment: Readonly<Record<string, string>>, shown: Output) =>
  new Promise<{ code: number; output: string }>((resolve) => {
    const child = spawn('bash', ['-ec', command], { env: { ...process.env, ...environment } });
    let output = '';
    const keep = (chunk: Buffer): void => {
      output += chunk;
      shown.write(chunk);
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    child.on('error', (error) => resolve({ code: 1, output: `${output}${error.message}` }));
    child.on('close', (code) => resolve({ code: code ?? 1, output }));
  });

/**
 * Runs a procedure, or what is left of it, and writes its report. Returns the exit code. `stateFile`: keeps the finished steps. `json`: prints the
 * results as JSON, and progress on stderr.
 */
export const runProcedure = async (
  title: string,
  steps: readonly OperatorStep[],
  variables: Readonly<Record<string, string>>,
  {
    stateFile,
    reportFile,
    unproved = [],
    json,
  }: { stateFile: string; reportFile: string; unproved?: readonly string[]; json: boolean },
): Promise<number> => {
  const shown = json ? process.stderr : process.stdout;
  mkdirSync(dirname(stateFile), { recursive: true });
  const finished = existsSync(stateFile)
    ? v.parse(v.array(v.string()), JSON.parse(readFileSync(stateFile, 'utf8')))
    : [];
  const results = await runSteps({
    ...{ steps, finished, nowMilliseconds: Date.now },
    run: (command) => runBash(command, variables, shown),
    save: (done) => writeFileSync(stateFile, JSON.stringify(done)),
    say: (words) => shown.write(`${words}\n`),
  });
  const notes = unproved.length === 0 ? '' : `No step covers: ${unproved.join('; ')}.\n`;
  writeFileSync(reportFile, `${stepReport(title, results)}\n${notes}`);
  if (json) printJson({ title, results, unproved, report: reportFile });
  else process.stdout.write(`${reportFile} written.\n`);
  return results.every(({ state }) => state === 'done') ? 0 : 1;
};
