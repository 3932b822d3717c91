import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { installPython } from './ministack.ts';
import { synthesizeSettings } from './template-settings.ts';

/**
 * Lints the templates of several settings with cfn-lint, AWS's own linter (MIT-0, from PyPI), for four Regions, one of them GovCloud. Fails for each error and
 * each warning that is not listed here.
 * @see https://github.com/aws-cloudformation/cfn-lint
 */
const version = '1.58.0';
const regions = ['eu-central-1', 'us-east-1', 'ap-southeast-1', 'us-gov-west-1'] as const;
/** Warnings that stay, with the reason. */
const accepted: Readonly<Record<string, string>> = {
  W3005: 'The CDK writes DependsOn where a reference already orders two resources; it is redundant and harmless.',
};

/** Findings that stay, with the reason. */
const expected: readonly { text: string; reason: string }[] = [
  {
    text: "'AWS::Budgets::Budget' does not exist in 'us-gov-west-1'",
    reason: 'The setting monthlyBudget is refused in GovCloud (lib/cloud/budget.ts).',
  },
];

const run = promisify(execFile);
const programs = await installPython('cfn-lint', version);
const folder = mkdtempSync(join(tmpdir(), 'forewarn-lint-'));
try {
  const outdirs = synthesizeSettings(folder);
  // The nested stacks of all settings differ in names alone.
  const templates = outdirs.flatMap((outdir) =>
    readdirSync(outdir)
      .filter((name) => name.endsWith('.template.json') && (outdir.endsWith('full') || !name.includes('.nested.')))
      .map((name) => join(outdir, name)),
  );
  const args = [
    '--format',
    'parseable',
    '--ignore-checks',
    ...Object.keys(accepted),
    '--regions',
    ...regions,
    '--template',
    ...templates,
  ];
  const found = await run(join(programs, 'cfn-lint'), args, { maxBuffer: 1 << 28 }).then(
    () => '',
    (error: { stdout?: string; message: string }) => error.stdout || error.message,
  );
  const lines = [
    ...new Set(
      found
        .split('\n')
        .filter((line) => line !== '' && !expected.some(({ text }) => line.includes(text)))
        .map((line) => line.replace(folder, '')),
    ),
  ];
  process.stdout.write(
    `${lines.slice(0, 40).join('\n')}\ncfn-lint: ${templates.length} templates in ${regions.length} Regions, ${lines.length} findings\n`,
  );
  process.exitCode = lines.length === 0 ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
