import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { CloudFormationClient, DescribeStacksCommand, type StackStatus } from '@aws-sdk/client-cloudformation';
import { DescribeTableCommand, DynamoDBClient, ResourceNotFoundException } from '@aws-sdk/client-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { describe, expect, it } from 'vitest';
import { deployInPhases } from '#lib/operator/deploy-phases.ts';
import { readDeployTarget } from '#lib/operator/deploy-target.ts';
import { at, serviceStack, toList } from './synthesized.ts';

it('says that there are no credentials before anything is built', async () => {
  const env = {
    ...{ PATH: process.env['PATH'], HOME: '/nonexistent', AWS_EC2_METADATA_DISABLED: 'true' },
    AWS_CONFIG_FILE: '/nonexistent/config',
    AWS_SHARED_CREDENTIALS_FILE: '/nonexistent/credentials',
    AWS_REGION: 'eu-west-1',
  };
  const ended = await new Promise<{ code: unknown; said: string }>((resolve) => {
    execFile(process.execPath, ['bin/deploy.ts'], { env }, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, said: stdout + stderr }),
    );
  });
  expect(ended).toEqual({ code: 1, said: expect.stringMatching(/^There are no AWS credentials\. Set AWS_PROFILE/) });
});

it('prints its help without credentials', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['bin/deploy.ts', '--help'], { env: {} });
  expect(stdout).toContain('--all-at-once');
});

it('starts the app with the packaged Node, whichever one runs the CDK', () => {
  const { app } = JSON.parse(readFileSync('cdk.json', 'utf8')) as { app: string };
  const [node = '', program = ''] = app.split(' ');
  expect([existsSync(node), existsSync(program)]).toEqual([true, true]);
  expect(node).toBe('node_modules/.bin/node');
});

it('prints only the deployed stack and its outputs for programs', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'forewarn-deploy-'));
  writeFileSync(join(folder, 'cdk'), '#!/bin/sh\necho "the CDK at work in $AWS_REGION: $*"\n', { mode: 0o755 });
  const member = '<OutputKey>ApiUrl</OutputKey><OutputValue>https://api.example/prod/</OutputValue>';
  const stack = `<StackName>forewarn-prod</StackName><CreationTime>2026-05-02T10:00:00Z</CreationTime><StackStatus>UPDATE_COMPLETE</StackStatus><Outputs><member>${member}</member></Outputs>`;
  const answer = `<DescribeStacksResponse><DescribeStacksResult><Stacks><member>${stack}</member></Stacks></DescribeStacksResult></DescribeStacksResponse>`;
  const server = createServer((_, response) => response.writeHead(200, { 'content-type': 'text/xml' }).end(answer));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as { port: number };
  const env = {
    ...{ PATH: `${folder}:${process.env['PATH']}`, HOME: '/nonexistent', AWS_DEFAULT_REGION: 'eu-west-1' },
    ...{ AWS_ACCESS_KEY_ID: 'key', AWS_SECRET_ACCESS_KEY: 'secret' },
    AWS_ENDPOINT_URL_CLOUDFORMATION: `http://127.0.0.1:${port}`,
  };
  const args = ['bin/deploy.ts', '-c', 'stage=prod', '--json'];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, args, { env });
  server.close();
  rmSync(folder, { recursive: true });
  expect(stderr).toContain('the CDK at work in eu-west-1: deploy -c stage=prod');
  expect(stderr).toContain('Stage prod, Region eu-west-1');
  expect(JSON.parse(stdout)).toEqual({
    stack: 'forewarn-prod',
    status: 'UPDATE_COMPLETE',
    outputs: { ApiUrl: 'https://api.example/prod/' },
  });
});

describe('npm run deploy', () => {
  const given = ['-c', 'allowDocs=true', '--all-at-once', '-c', 'stage=prod'];
  const args = ['-c', 'allowDocs=true', '-c', 'allAtOnce=true', '-c', 'stage=prod'];
  const first = [...args, '-c', 'firstDeployment=true'];
  const missing = Object.assign(new Error('Stack with id forewarn-prod does not exist'), { name: 'ValidationError' });
  type Found = StackStatus | Error;

  /** Deploys where CloudFormation reports these statuses, one after the other, and `cdk deploy` exits with these codes. */
  const deploy = async (statuses: readonly Found[], codes: readonly number[], isProtected = false) => {
    const asked = mockClient(CloudFormationClient).on(DescribeStacksCommand, { StackName: 'forewarn-prod' });
    for (const status of statuses) {
      if (status instanceof Error) asked.rejectsOnce(status);
      else
        asked.resolvesOnce({ Stacks: [{ StackName: 'forewarn-prod', CreationTime: undefined, StackStatus: status }] });
    }
    const tables = mockClient(DynamoDBClient).on(DescribeTableCommand, { TableName: 'forewarn-prod' });
    if (isProtected) tables.resolves({ Table: { DeletionProtectionEnabled: true } });
    else tables.rejects(new ResourceNotFoundException({ message: 'not found', $metadata: {} }));
    const runs: (readonly string[])[] = [];
    let checks = 0;
    const code = await deployInPhases({
      ...{ stage: 'prod', args: given, say: () => undefined },
      cloudFormation: new CloudFormationClient({ region: 'eu-west-1' }),
      dynamodb: new DynamoDBClient({ region: 'eu-west-1' }),
      preflight: async () => void checks++,
      deploy: async (own) => codes[runs.push(own) - 1] ?? 0,
    });
    return { code, runs, checks };
  };

  it('checks the account, and protects a new stack in a second phase, after the first has succeeded', async () => {
    expect(await deploy([missing, 'CREATE_COMPLETE'], [0, 0])).toEqual({ code: 0, runs: [first, args], checks: 1 });
  });

  it('protects nothing if the first phase fails', async () => {
    expect(await deploy([missing], [7])).toEqual({ code: 7, runs: [first], checks: 1 });
  });

  it.each(['REVIEW_IN_PROGRESS', 'ROLLBACK_COMPLETE', 'ROLLBACK_FAILED'] as const)(
    'begins with the first phase where the stack is %s',
    async (status) => {
      expect(await deploy([status, 'CREATE_COMPLETE'], [0, 0])).toEqual({ code: 0, runs: [first, args], checks: 1 });
    },
  );

  it.each(['CREATE_COMPLETE', 'UPDATE_COMPLETE', 'UPDATE_ROLLBACK_COMPLETE'] as const)(
    'keeps the protection of a stack that is %s, and adds it if the second phase was interrupted',
    async (status) => {
      expect(await deploy([status], [0])).toEqual({ code: 0, runs: [args], checks: 0 });
    },
  );

  it('skips the second phase if only a change set was prepared', async () => {
    expect(await deploy([missing, 'REVIEW_IN_PROGRESS'], [0])).toMatchObject({ code: 0, runs: [first] });
  });

  it('fails if the stack is not there after the CDK has succeeded', async () => {
    expect(await deploy([missing, missing], [0])).toMatchObject({ code: 1, runs: [first] });
  });

  it('refuses the phase without protection where the table of the stage is protected', async () => {
    await expect(deploy([missing], [], true)).rejects.toThrow('the table forewarn-prod is protected from deletion');
  });

  it('deploys nothing if the status is unknown', async () => {
    await expect(deploy([new Error('not authorized')], [])).rejects.toThrow('not authorized');
  });

  it.each([
    [['-c', 'stage=one'], 'one'],
    [['--context', 'stage=two', '-c', 'stage=three'], 'three'],
    [['--context=stage=four'], 'four'],
    [['-c=stage=five'], 'five'],
    [['-cstage=six'], 'six'],
    [['-c', 'mailFrom=stage=seven'], 'of-the-file'],
    [[], 'of-the-file'],
  ])('reads the stage of %j, and has the CDK use the same', (own, stage) => {
    const target = readDeployTarget({ args: own, environment: {}, context: { stage: 'of-the-file' } });
    expect(target.stage).toBe(stage);
    expect(target.args.slice(-2)).toEqual(['-c', `stage=${stage}`]);
    expect(target.args.filter((arg) => arg.includes('stage=') && !arg.startsWith('mailFrom'))).toHaveLength(1);
  });

  const keys = { AWS_ACCESS_KEY_ID: 'key', AWS_SECRET_ACCESS_KEY: 'secret' };
  it.each([
    [{ AWS_REGION: 'a', AWS_DEFAULT_REGION: 'b' }, [], { region: 'a' }],
    [{ AWS_DEFAULT_REGION: 'b' }, [], { region: 'b' }],
    [{ AMAZON_REGION: 'c', AWS_DEFAULT_REGION: 'b' }, [], { region: 'c' }],
    [{ AWS_DEFAULT_PROFILE: 'p' }, [], { profile: 'p', region: undefined }],
    [{ AWS_PROFILE: 'q', AWS_DEFAULT_PROFILE: 'p' }, [], { profile: 'q' }],
    [{ AWS_PROFILE: 'q', ...keys }, [], { profile: undefined }],
    [{ AWS_PROFILE: 'q', ...keys }, ['--profile', 'r'], { profile: 'r' }],
    [{ CDK_PROFILE: 's', ...keys }, [], { profile: 's' }],
    [{}, ['--profile=r'], { profile: 'r' }],
  ] as const)('reads profile and Region of %j %j as the CDK does', (environment, args, expected) => {
    expect(readDeployTarget({ args, environment, context: {} })).toMatchObject(expected);
  });

  it('finds no protection in the template of the first phase, and all of it in that of the second', () => {
    const prod = { stage: 'prod', operationsEmail: 'ops@shop.example' };
    const protectionOf = (context: Record<string, string>) => {
      const { only, isTerminationProtected } = serviceStack(context);
      const [replica] = toList(only('AWS::DynamoDB::GlobalTable').properties['Replicas']);
      return [at(replica, 'DeletionProtectionEnabled'), isTerminationProtected];
    };
    expect(protectionOf({ ...prod, firstDeployment: 'true' })).toEqual([false, false]);
    expect(protectionOf(prod)).toEqual([true, true]);
  });
});
