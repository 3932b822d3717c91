import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { operations } from '#functions/operations.ts';
import { workers } from '#functions/workers.ts';
import { firstDeploymentCheck, templateChecks } from '#lib/cloud/checks/check-templates.ts';
import { quotaBudget, quotaWarnings } from '#lib/cloud/checks/quota-budget.ts';
import { readTemplates, type StackTemplates } from '#lib/cloud/checks/stack-templates.ts';
import { createServiceApp } from '#lib/cloud/service-app.ts';
import { printJson } from '#lib/local/command.ts';

/**
 * Checks offline what AWS checks when a stage is created: the API import, IAM's grammar, quotas, and whether a failed first deployment can be
 * repeated. Without `--quick`, CloudFormation's schemas and the rule packs are checked too, for each of these stages. With `--json`, prints
 * a line of JSON for each stage.
 */
const isQuick = process.argv.includes('--quick');
const isForPrograms = process.argv.includes('--json');
const prod = { stage: 'prod', operationsEmail: 'ops@shop.example', allowSandbox: 'true' };
const everySetting = {
  ...prod,
  ...{ alertDomain: 'shop.example', mailFrom: 'alerts@shop.example', extraWebhookPorts: '9443' },
};
const stages: readonly { context: Readonly<Record<string, string>>; isFirst?: true }[] = [
  { context: { ...everySetting, firstDeployment: 'true' }, isFirst: true },
  ...(isQuick ? [] : [{ context: everySetting }, { context: {} }, { context: { lambdaConcurrency: '10' } }]),
];

const code = mkdtempSync(join(tmpdir(), 'forewarn-code-'));
writeFileSync(join(code, 'index.js'), 'exports.handler = async () => ({});\n');

/** Throws an Error for what the schemas or the rule packs find. */
const synthesize = (context: Readonly<Record<string, string>>): StackTemplates => {
  const [stack] = createServiceApp({
    ...{ operations, workers, bundleOf: () => code },
    outdir: mkdtempSync(join(tmpdir(), 'forewarn-check-')),
    context: { ...(isQuick && { checks: 'off' }), ...context },
  }).synth().stacks;
  if (!stack) throw new Error('Nothing was synthesized');
  return readTemplates(stack.templateFullPath);
};

type Found = { settings: object; resources: number; findings: readonly string[]; nearly_used: readonly string[] };

const print = ({ settings, resources, findings, nearly_used }: Found, quotas: ReturnType<typeof quotaBudget>): void => {
  const title = JSON.stringify(settings);
  for (const finding of findings) process.stderr.write(`${title} ${finding}\n`);
  process.stdout.write(`${title}: ${resources} resources, ${findings.length} findings\n`);
  for (const warning of nearly_used) process.stdout.write(`  nearly used: ${warning}\n`);
  for (const { what, used, quota } of quotas) process.stdout.write(`  ${what}: ${used} of ${quota}\n`);
};

for (const { context, isFirst } of stages) {
  const stack = synthesize(context);
  const checks = [...templateChecks, ...(isFirst ? [firstDeploymentCheck] : [])];
  const findings = checks.flatMap(({ name, run }) => run(stack).map((what) => `${name}: ${what}`));
  if (findings.length > 0) process.exitCode = 1;
  const quotas = quotaBudget(stack);
  const found = { settings: context, resources: stack.resources.length, findings, nearly_used: quotaWarnings(quotas) };
  if (isForPrograms) printJson({ ...found, quotas });
  else print(found, isQuick ? [] : quotas);
}
