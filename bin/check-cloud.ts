import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { operations } from '#functions/operations.ts';
import { workers } from '#functions/workers.ts';
import { firstDeploymentCheck, templateChecks } from '#lib/cloud/checks/check-templates.ts';
import { quotaBudget, quotaWarnings } from '#lib/cloud/checks/quota-budget.ts';
import { readTemplates, type StackTemplates } from '#lib/cloud/checks/stack-templates.ts';
import { createServiceApp } from '#lib/cloud/service-app.ts';

/**
 * Checks offline what AWS checks when a stage is created: the API import, IAM's grammar, quotas, and whether a failed first deployment can be
 * repeated. Without `--quick`, CloudFormation's schemas and the rule packs are checked too, for each of these stages.
 */
const isQuick = process.argv.includes('--quick');
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

for (const { context, isFirst } of stages) {
  const stack = synthesize(context);
  const checks = [...templateChecks, ...(isFirst ? [firstDeploymentCheck] : [])];
  const findings = checks.flatMap(({ name, run }) => run(stack).map((what) => `${name}: ${what}`));
  const title = JSON.stringify(context);
  for (const finding of findings) process.stderr.write(`${title} ${finding}\n`);
  if (findings.length > 0) process.exitCode = 1;
  process.stdout.write(`${title}: ${stack.resources.length} resources, ${findings.length} findings\n`);
  for (const warning of quotaWarnings(quotaBudget(stack))) process.stdout.write(`  nearly used: ${warning}\n`);
  if (isQuick) continue;
  for (const { what, used, quota } of quotaBudget(stack)) process.stdout.write(`  ${what}: ${used} of ${quota}\n`);
}
