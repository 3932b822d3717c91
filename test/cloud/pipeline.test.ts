import { execFile } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { App } from 'aws-cdk-lib';
import { describe, expect, it } from 'vitest';
import { checkPolicies } from '#lib/cloud/checks/iam-grammar.ts';
import { readTemplates } from '#lib/cloud/checks/stack-templates.ts';
import { PipelineStack } from '#lib/cloud/pipeline-stack.ts';
import { programEnvironment } from '#test/support/command.ts';
import { at, toList } from './synthesized.ts';

const makeResources = (isProviderKnown: boolean) => {
  const app = new App({ outdir: mkdtempSync(join(tmpdir(), 'forewarn-pipeline-')), analyticsReporting: false });
  const env = { region: 'eu-west-1' };
  new PipelineStack(app, 'Pipeline', { repository: 'shop/forewarn', stage: 'prod', isProviderKnown, env });
  const [stack] = app.synth().stacks;
  return readTemplates(stack?.templateFullPath ?? '').resources;
};

describe('the role of the pipeline', () => {
  const resources = makeResources(false);
  const role = resources.find(({ type }) => type === 'AWS::IAM::Role')?.properties;

  it('can be assumed only by the workflows of one repository in one environment', () => {
    const [trust, ...others] = toList(at(role, 'AssumeRolePolicyDocument', 'Statement'));
    expect(others).toEqual([]);
    expect(trust).toMatchObject({
      Action: 'sts:AssumeRoleWithWebIdentity',
      Condition: {
        StringEquals: {
          'token.actions.githubusercontent.com:aud': 'sts.amazonaws.com',
          'token.actions.githubusercontent.com:sub': 'repo:shop/forewarn:environment:prod',
        },
      },
    });
  });

  it('may only assume the roles of cdk bootstrap and read the state of its stack', () => {
    const statements = toList(at(role, 'Policies', 0, 'PolicyDocument', 'Statement'));
    expect(statements.map((one) => toList(at(one, 'Action')))).toEqual([
      ['sts:AssumeRole'],
      ['cloudformation:DescribeStacks', 'cloudformation:DescribeStackEvents'],
    ]);
    const text = JSON.stringify(statements);
    expect(text).not.toContain('"*"');
    expect(text).toContain(':stack/forewarn-prod/*');
    expect(text.match(/role\/cdk-hnb659fds-[a-z-]+-role-/g)).toHaveLength(3);
  });

  it("follows IAM's grammar", () => expect(checkPolicies(resources)).toEqual([]));

  it("creates GitHub's identity provider only if the account has none", () => {
    const providers = (isKnown: boolean) => makeResources(isKnown).filter(({ type }) => type.endsWith('OIDCProvider'));
    expect([providers(false).length, providers(true).length]).toEqual([1, 0]);
  });

  it('is refused without a repository', async () => {
    const run = promisify(execFile)(process.execPath, ['bin/pipeline.ts'], {
      env: { ...programEnvironment(), CDK_CONTEXT_JSON: '{"stage":"prod"}' },
    });
    await expect(run).rejects.toMatchObject({ stderr: expect.stringContaining('repository: give the repository') });
  });
});

describe('workflows', () => {
  const files = globSync('.github/workflows/*.yml').map((file) => [file, readFileSync(file, 'utf8')] as const);

  it.each(files)('%s may only read contents unless a job needs more, and stores no credentials', (_, text) => {
    expect(text).toMatch(/^permissions:\n {2}contents: read$/m);
    expect(text).not.toContain('pull_request_target');
    const checkouts = text.split('uses: actions/checkout@').slice(1);
    for (const one of checkouts) expect(one.split('- ')[0]).toContain('persist-credentials: false');
  });

  it.each(files)('%s names every action by the commit of a release', (_, text) => {
    const used = text.split('\n').filter((line) => line.includes('uses:'));
    for (const line of used) expect(line).toMatch(/uses: [\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  it('put no user input into a shell line', () => {
    for (const [file, text] of files) {
      const lines = text.split('\n').filter((line) => /^\s+(?:- )?run:|^\s{10}/.test(line));
      expect(
        lines.filter((line) => /run:.*\$\{\{ *(?:inputs|github\.event)/.test(line)),
        file,
      ).toEqual([]);
    }
  });
});

it('the container image is built from a base image that is named by its digest', () => {
  const bases = readFileSync('Containerfile', 'utf8').match(/^FROM .*$/gm) ?? [];
  expect(bases).toHaveLength(1);
  for (const one of bases) expect(one).toMatch(/^FROM docker\.io\/library\/node:24-[\w-]+@sha256:[0-9a-f]{64}$/);
});

it('the container takes calls from outside, and its port is published on loopback by default', () => {
  const text = readFileSync('compose.yaml', 'utf8');
  expect(text).toMatch(/^ {6}BIND_ADDRESS: 0\.0\.0\.0$/m);
  expect(text).toMatch(
    /^ {4}ports:\n {6}- \$\{FOREWARN_ADDRESS:-127\.0\.0\.1\}:[^\n]*\n {4}volumes:\n {6}- data:\/forewarn\/\.local$/m,
  );
});

type LockedPackage = { integrity?: string; link?: boolean; inBundle?: boolean; hasInstallScript?: boolean };
const json = (path: string) => JSON.parse(readFileSync(path, 'utf8'));
const locked = Object.entries(json('package-lock.json').packages as Record<string, LockedPackage>);

it('package-lock.json has an integrity hash for every package that npm ci installs', () => {
  const open = locked.filter(
    ([path, { link, inBundle, integrity }]) => path.includes('node_modules/') && !link && !inBundle && !integrity,
  );
  expect(open.map(([path]) => path)).toEqual([]);
});

it('package.json decides on the install script of every package that has one', () => {
  const { allowScripts } = json('package.json') as { allowScripts: Record<string, boolean> };
  const withScript = locked.filter(([, { hasInstallScript }]) => hasInstallScript).map(([path]) => path);
  expect(withScript.map((path) => path.split('node_modules/').at(-1)).toSorted()).toEqual(
    Object.keys(allowScripts).toSorted(),
  );
  expect(allowScripts).toEqual({ '@scarf/scarf': false, esbuild: true });
});
