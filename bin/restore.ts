import { parseArgs } from 'node:util';
import colours from 'picocolors';
import { helpOption, jsonOption, printJson, runCommand } from '#lib/local/command.ts';
import { UserError } from '#lib/local/user-error.ts';
import { restoreSteps, resumeSteps, switchSteps } from '#lib/operator/steps/restore-steps.ts';
import { runProcedure } from '#lib/operator/steps/step-command.ts';
import { stepPlan, stepPlanData } from '#lib/operator/steps/step-runner.ts';

/** `npm run restore`: a stage with its table at an earlier moment, in a new table. */
const help = `${colours.bold('npm run restore -- --stage <name>')}    Stops a stage, and restores its table into a new table next to it

  --switch           Have the stopped stage use the new table, and start it again
  --resume           Start the stopped stage again with the table that it has
  --plan             Print each step with its command and permissions; nothing is run
  --json             Print the plan, or the results of the steps, as JSON; progress is then on stderr
  --region <name>    Where the stage is deployed (default: AWS_REGION)
  --at <instant>     The moment, such as 2026-05-02T11:59:00Z (default: ten minutes ago)
  --target <name>    The new table (default: forewarn-<stage>-restored)

Calls are refused with 429 until --switch or --resume, so that nothing is lost. It needs the AWS CLI. Run it again to go on after a step that failed.
`;

await runCommand(async (args) => {
  const { values: flags } = parseArgs({
    args,
    options: {
      plan: { type: 'boolean', default: false },
      ...{ switch: { type: 'boolean', default: false }, resume: { type: 'boolean', default: false } },
      ...{ stage: { type: 'string' }, region: { type: 'string' }, at: { type: 'string' }, target: { type: 'string' } },
      ...jsonOption,
      ...helpOption,
    },
  });
  if (flags.help || flags.stage === undefined) {
    process.stdout.write(help);
    return;
  }
  const region = flags.region ?? process.env['AWS_REGION'];
  if (region === undefined) throw new UserError('Say where the stage is deployed: --region, or AWS_REGION.');
  const moment = flags.at === undefined ? Date.now() - 600_000 : Date.parse(flags.at);
  if (Number.isNaN(moment)) throw new UserError('--at must be an instant in UTC such as 2026-05-02T11:59:00Z.');
  const variables = {
    STAGE: flags.stage,
    AWS_REGION: region,
    AT: `${new Date(moment).toISOString().slice(0, 19)}Z`,
    TARGET: flags.target ?? `forewarn-${flags.stage}-restored`,
  };
  const part = flags.switch ? 'switch' : flags.resume ? 'resume' : 'restore';
  const steps = { restore: restoreSteps, switch: switchSteps, resume: resumeSteps }[part];
  if (flags.plan) {
    if (flags.json) printJson(stepPlanData(steps, variables));
    else process.stdout.write(`${stepPlan(steps, variables).join('\n')}\n`);
    return;
  }
  const name = `dist/restore/${variables.TARGET}${part === 'restore' ? '' : `-${part}`}`;
  const files = { stateFile: `${name}.json`, reportFile: `${name}.md`, json: flags.json };
  process.exitCode = await runProcedure(`${part} of forewarn-${flags.stage}`, steps, variables, files);
});
