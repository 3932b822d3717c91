/** One step of a longer procedure at AWS: a shell command, the permissions it needs, and why it is there. */
export type OperatorStep = {
  name: string;
  why: string;
  /** A line for bash; it reads the variables of the procedure. */
  command: string;
  /** IAM actions that the command needs. */
  permissions: readonly string[];
};

/** The result of a step. */
export type StepResult = { name: string; state: 'done' | 'failed' | 'not run'; seconds?: number; output?: string };

type StepRun = {
  steps: readonly OperatorStep[];
  /** The names of the steps that an earlier run has finished. */
  finished: readonly string[];
  /** Runs a line of bash and returns its exit code and output. */
  run: (command: string) => Promise<{ code: number; output: string }>;
  /** Keeps the names of finished steps for the next run. */
  save: (finished: readonly string[]) => void;
  say: (words: string) => void;
  nowMilliseconds: () => number;
};

/** Output of a step that the report shows: its end. */
const shownCharacters = 2000;

/**
 * Runs the steps that are not finished, in order, until one fails. Returns a result for each step; those after a failure are not run. A run that is
 * repeated goes on with the step that failed.
 */
export const runSteps = async ({
  steps,
  finished,
  run,
  save,
  say,
  nowMilliseconds,
}: StepRun): Promise<StepResult[]> => {
  const results: StepResult[] = [];
  const done = [...finished];
  let isBroken = false;
  for (const [index, { name, command }] of steps.entries()) {
    if (done.includes(name) || isBroken) {
      results.push({ name, state: isBroken ? 'not run' : 'done' });
      continue;
    }
    say(`${index + 1} of ${steps.length}: ${name}`);
    const began = nowMilliseconds();
    const { code, output } = await run(command);
    const seconds = (nowMilliseconds() - began) / 1000;
    isBroken = code !== 0;
    results.push({ name, state: isBroken ? 'failed' : 'done', seconds, output: output.slice(-shownCharacters) });
    if (isBroken) continue;
    done.push(name);
    save(done);
  }
  return results;
};

/** The steps as data, for programs. */
export const stepPlanData = (steps: readonly OperatorStep[], variables: Readonly<Record<string, string>>) => ({
  variables,
  steps: steps.map(({ name, why, command, permissions }) => ({ name, why, command, permissions })),
});

/** The steps as text: what each does, its command and its permissions. */
export const stepPlan = (steps: readonly OperatorStep[], variables: Readonly<Record<string, string>>): string[] => [
  ...Object.entries(variables).map(([name, value]) => `export ${name}=${value}`),
  ...steps.flatMap(({ name, why, command, permissions }, index) => [
    '',
    `${index + 1}. ${name}: ${why}`,
    `   ${command.replaceAll('\n', '\n   ')}`,
    `   needs ${permissions.length === 0 ? 'no permissions' : permissions.join(', ')}`,
  ]),
];

/** A report in Markdown: each step with its state, and plainly what was not run. */
export const stepReport = (title: string, results: readonly StepResult[]): string => {
  const missing = results.filter(({ state }) => state === 'not run').map(({ name }) => name);
  const rows = results.map(
    ({ name, state, seconds }) => `| ${name} | ${state} | ${seconds === undefined ? '' : seconds.toFixed(0)} |`,
  );
  const outputs = results.flatMap(({ name, output }) =>
    output ? [`## ${name}`, '', '```text', output.trimEnd(), '```', ''] : [],
  );
  return [
    `# ${title}`,
    '',
    missing.length === 0 ? 'Every step was run.' : `Not run: ${missing.join(', ')}.`,
    '',
    '| step | state | seconds |',
    '|---|---|---|',
    ...rows,
    '',
    ...outputs,
  ].join('\n');
};
