import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import colours from 'picocolors';
import { readStageFile } from '#lib/cloud/settings.ts';
import { helpOption, jsonOption, printJson, runCommand } from '#lib/local/command.ts';
import { UserError } from '#lib/local/user-error.ts';
import { proveSteps, unproved } from '#lib/operator/steps/prove-steps.ts';
import { runProcedure } from '#lib/operator/steps/step-command.ts';
import { stepPlan, stepPlanData } from '#lib/operator/steps/step-runner.ts';

/** `npm run prove`: a release, proved in an account. */
const help = `${colours.bold('npm run prove -- --stage <name>')}    Deploys, probes, upgrades, restores and destroys an ephemeral stage

  --on ministack       Prove it on an AWS emulator written by others, which is installed outside the repository (needs Python); nothing else is needed
  --plan               Print each step with its command and permissions; nothing is run
  --json               Print the plan, or the results of the steps, as JSON; progress is then on stderr
  --region <name>      Where to deploy it (default: AWS_REGION)
  --previous <commit>  The release before this one (default: the last one in docs/releases.json)

The stage's file must have "ephemeral": true, as everything of it is destroyed at the end. It needs the AWS CLI, and credentials that may do what --plan
lists. Run it again to go on after a step that failed. The report, dist/prove/<stage>.md, says what was not run.
`;

/** The commit of the last release. */
const lastRelease = (): string => {
  const releases: Record<string, string> = JSON.parse(readFileSync('docs/releases.json', 'utf8'));
  return Object.values(releases).at(-1) ?? '';
};

await runCommand(async (args) => {
  const { values: flags } = parseArgs({
    args,
    options: {
      plan: { type: 'boolean', default: false },
      on: { type: 'string' },
      ...{ stage: { type: 'string' }, region: { type: 'string' }, previous: { type: 'string' } },
      ...jsonOption,
      ...helpOption,
    },
  });
  if (flags.on !== undefined) {
    if (flags.on !== 'ministack') throw new UserError('--on must be ministack.');
    const { status } = spawnSync(process.execPath, ['test/outside/prove-ministack.ts'], { stdio: 'inherit' });
    process.exitCode = status ?? 1;
    return;
  }
  if (flags.help || flags.stage === undefined) {
    process.stdout.write(help);
    return;
  }
  const region = flags.region ?? process.env['AWS_REGION'];
  if (region === undefined) throw new UserError('Say where to deploy the stage: --region, or AWS_REGION.');
  const variables = { STAGE: flags.stage, AWS_REGION: region, PREVIOUS: flags.previous ?? lastRelease() };
  if (flags.plan) {
    if (flags.json) printJson({ ...stepPlanData(proveSteps, variables), unproved });
    else
      process.stdout.write(
        `${stepPlan(proveSteps, variables).join('\n')}\n\nNo step covers: ${unproved.join('; ')}.\n`,
      );
    return;
  }
  if (readStageFile(flags.stage, 'stages')['ephemeral'] !== true)
    throw new UserError(
      `stages/${flags.stage}.json must have "ephemeral": true: everything of the stage is destroyed.`,
    );
  const files = {
    stateFile: `dist/prove/${flags.stage}.json`,
    reportFile: `dist/prove/${flags.stage}.md`,
    unproved,
    json: flags.json,
  };
  process.exitCode = await runProcedure(`Proof on forewarn-${flags.stage}`, proveSteps, variables, files);
});
