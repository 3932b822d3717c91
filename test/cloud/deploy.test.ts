import { execFile } from 'node:child_process';
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
