import { afterAll, afterEach, vi } from 'vitest';
import { expectNoLeaks, learnRcode, watch } from './secret-leak-scan.ts';

/** Lets the scan see, in every test file, the lines that are logged, the messages that are sent, the secrets made. */
vi.mock('#core/platform/log/log.ts', async (original) => {
  const module = await original<typeof import('#core/platform/log/log.ts')>();
  const log: typeof module.log = (...entry) => {
    const { write } = process.stdout;
    const lines: string[] = [];
    // The present function, which may be a test's own stand-in, is called as before.
    process.stdout.write = (line: string | Uint8Array) => {
      lines.push(String(line));
      return Reflect.apply(write, process.stdout, [line]);
    };
    try {
      module.log(...entry);
    } finally {
      process.stdout.write = write;
    }
    for (const line of lines) watch('a log line', line);
  };
  return { ...module, log };
});

vi.mock('#accounts/merchants/site/site-secrets.ts', async (original) => {
  const module = await original<typeof import('#accounts/merchants/site/site-secrets.ts')>();
  const freshRcode: typeof module.freshRcode = (...site) => {
    const fresh = module.freshRcode(...site);
    learnRcode(fresh.text);
    return fresh;
  };
  return { ...module, freshRcode };
});

vi.mock('@aws-sdk/client-sqs', async (original) => {
  const module = await original<typeof import('@aws-sdk/client-sqs')>();
  class SendMessageBatchCommand extends module.SendMessageBatchCommand {
    constructor(input: ConstructorParameters<typeof module.SendMessageBatchCommand>[0]) {
      for (const { MessageBody } of input.Entries ?? []) watch('a queue message', MessageBody ?? '');
      super(input);
    }
  }
  return { ...module, SendMessageBatchCommand };
});

afterEach(expectNoLeaks);
afterAll(expectNoLeaks);
