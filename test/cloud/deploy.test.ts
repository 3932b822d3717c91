import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

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
