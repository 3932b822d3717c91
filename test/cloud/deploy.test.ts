import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { CloudFormationClient, DescribeStacksCommand, type StackStatus } from '@aws-sdk/client-cloudformation';
import { mockClient } from 'aws-sdk-client-mock';
import { describe, expect, it } from 'vitest';
import { contextOf, deployInPhases } from '#lib/operator/deploy-phases.ts';
import { at, listOf, serviceStack } from './synthesized.ts';

it('says that there are no credentials before anything is built', async () => {
  const env = {
    ...{ PATH: process.env['PATH'], HOME: '/nonexistent', AWS_EC2_METADATA_DISABLED: 'true' },
    AWS_CONFIG_FILE: '/nonexistent/config',
    AWS_SHARED_CREDENTIALS_FILE: '/nonexistent/credentials',
  };
  const ended = await new Promise<{ code: unknown; said: string }>((resolve) => {
    execFile(process.execPath, ['bin/deploy.ts'], { env }, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, said: stdout + stderr }),
    );
  });
  expect(ended).toEqual({ code: 1, said: expect.stringMatching(/^There are no AWS credentials\. Set AWS_PROFILE/) });
});

it('starts the app with the packaged Node, whichever one runs the CDK', () => {
  const { app } = JSON.parse(readFileSync('cdk.json', 'utf8')) as { app: string };
  const [node = '', program = ''] = app.split(' ');
  expect([existsSync(node), existsSync(program)]).toEqual([true, true]);
  expect(node).toBe('node_modules/.bin/node');
});

it('prints only the deployed stack and its outputs for programs', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'forewarn-deploy-'));
  writeFileSync(join(folder, 'cdk'), '#!/bin/sh\necho "the CDK at work"\n', { mode: 0o755 });
  const member = '<OutputKey>ApiUrl</OutputKey><OutputValue>https://api.example/prod/</OutputValue>';
  const stack = `<StackName>forewarn-prod</StackName><CreationTime>2026-05-02T10:00:00Z</CreationTime><StackStatus>UPDATE_COMPLETE</StackStatus><Outputs><member>${member}</member></Outputs>`;
  const answer = `<DescribeStacksResponse><DescribeStacksResult><Stacks><member>${stack}</member></Stacks></DescribeStacksResult></DescribeStacksResponse>`;
  const server = createServer((_, response) => response.writeHead(200, { 'content-type': 'text/xml' }).end(answer));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as { port: number };
  const env = {
    ...{ PATH: `${folder}:${process.env['PATH']}`, HOME: '/nonexistent', AWS_REGION: 'eu-west-1' },
    ...{ AWS_ACCESS_KEY_ID: 'key', AWS_SECRET_ACCESS_KEY: 'secret' },
    AWS_ENDPOINT_URL_CLOUDFORMATION: `http://127.0.0.1:${port}`,
  };
  const args = ['bin/deploy.ts', '-c', 'stage=prod', '--json'];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, args, { env });
  server.close();
  rmSync(folder, { recursive: true });
  expect(stderr).toContain('the CDK at work');
  expect(JSON.parse(stdout)).toEqual({
    stack: 'forewarn-prod',
    status: 'UPDATE_COMPLETE',
    outputs: { ApiUrl: 'https://api.example/prod/' },
  });
});

describe('npm run deploy', () => {
  const given = ['-c', 'stage=prod', '--all-at-once'];
  const args = ['-c', 'stage=prod', '-c', 'allAtOnce=true'];
  const first = [...args, '-c', 'firstDeployment=true'];
  const missing = Object.assign(new Error('Stack with id forewarn-prod does not exist'), { name: 'ValidationError' });

  /** Deploys where CloudFormation reports these statuses, one after the other, and `cdk deploy` exits with these codes. */
  const deploy = async (statuses: readonly (StackStatus | Error)[], codes: readonly number[]) => {
    const asked = mockClient(CloudFormationClient).on(DescribeStacksCommand, { StackName: 'forewarn-prod' });
    for (const status of statuses) {
      if (status instanceof Error) asked.rejectsOnce(status);
      else
        asked.resolvesOnce({ Stacks: [{ StackName: 'forewarn-prod', CreationTime: undefined, StackStatus: status }] });
    }
    const runs: (readonly string[])[] = [];
    const code = await deployInPhases({
      args: given,
      cloudFormation: new CloudFormationClient({ region: 'eu-west-1' }),
      deploy: async (own) => codes[runs.push(own) - 1] ?? 0,
      say: () => undefined,
    });
    return { code, runs };
  };

  it('protects a new stack in a second phase, after the first has succeeded', async () => {
    expect(await deploy([missing, 'CREATE_COMPLETE'], [0, 0])).toEqual({ code: 0, runs: [first, args] });
  });

  it('protects nothing if the first phase fails', async () => {
    expect(await deploy([missing], [7])).toEqual({ code: 7, runs: [first] });
  });

  it.each(['REVIEW_IN_PROGRESS', 'ROLLBACK_COMPLETE', 'ROLLBACK_FAILED'] as const)(
    'begins with the first phase where the stack is %s',
    async (status) => {
      expect(await deploy([status, 'CREATE_COMPLETE'], [0, 0])).toEqual({ code: 0, runs: [first, args] });
    },
  );

  it.each(['CREATE_COMPLETE', 'UPDATE_COMPLETE', 'UPDATE_ROLLBACK_COMPLETE'] as const)(
    'keeps the protection of a stack that is %s, and adds it if the second phase was interrupted',
    async (status) => {
      expect(await deploy([status], [0])).toEqual({ code: 0, runs: [args] });
    },
  );

  it('skips the second phase if only a change set was prepared', async () => {
    expect(await deploy([missing, 'REVIEW_IN_PROGRESS'], [0])).toEqual({ code: 0, runs: [first] });
  });

  it('deploys nothing if the status is unknown', async () => {
    await expect(deploy([new Error('not authorized')], [])).rejects.toThrow('not authorized');
  });

  it.each([
    [['-c', 'stage=one'], 'one'],
    [['--context', 'stage=two', '-c', 'stage=three'], 'three'],
    [['--context=stage=four'], 'four'],
    [['-c', 'mailFrom=stage=five'], undefined],
  ])('reads the stage of %j', (given, stage) => {
    expect(contextOf(given, 'stage')).toBe(stage);
  });

  it('finds no protection in the template of the first phase, and all of it in that of the second', () => {
    const prod = { stage: 'prod', operationsEmail: 'ops@shop.example' };
    const protectionOf = (context: Record<string, string>) => {
      const { only, isTerminationProtected } = serviceStack(context);
      const [replica] = listOf(only('AWS::DynamoDB::GlobalTable').properties['Replicas']);
      return [at(replica, 'DeletionProtectionEnabled'), isTerminationProtected];
    };
    expect(protectionOf({ ...prod, firstDeployment: 'true' })).toEqual([false, false]);
    expect(protectionOf(prod)).toEqual([true, true]);
  });
});
