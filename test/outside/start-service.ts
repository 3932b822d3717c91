import { type ChildProcess, spawn } from 'node:child_process';

/** Starts `npm start` on a free port, for a program of others to call. `folder`: where it keeps its state. */
export const startService = (folder: string): Promise<{ url: string; service: ChildProcess }> =>
  new Promise((resolve, reject) => {
    const environment = { ...process.env, PORT: '0', DATA_DIR: folder, TIME_LIMITS: 'off' };
    const service = spawn(process.execPath, ['--import', './lib/local/preflight.mjs', 'bin/local.ts'], {
      env: environment,
    });
    let output = '';
    service.stdout.on('data', (chunk: Buffer) => {
      output += chunk;
      const [, url] = /ready (http:\S+)/.exec(output) ?? [];
      if (url !== undefined) resolve({ url, service });
    });
    service.on('close', (code) => reject(new Error(`npm start ended with ${code}: ${output.slice(-500)}`)));
  });
