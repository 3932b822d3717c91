import { afterAll, vi } from 'vitest';
import { nowMilliseconds, setClock } from '#core/kernel/clock.ts';
import { withAnswer } from '#payments/processors/sandbox/sandbox.ts';
import { sandboxProcessor } from '#payments/processors/sandbox/sandbox-client.ts';
import { changePayment } from '#payments/processors/sandbox/sandbox-store.ts';
import { useTable } from '#test/support/table.ts';
import { describeProcessor, usualDeclines } from './contract.ts';

useTable();
vi.spyOn(process.stdout, 'write').mockReturnValue(true);
afterAll(() => {
  setClock();
  vi.restoreAllMocks();
});

const ring = { current: 'k2', keys: { k1: 'an old key', k2: 'the key' } };

describeProcessor('sandbox', {
  start: async () => {
    let ahead = 0;
    setClock(() => Date.now() + ahead);
    return {
      processor: sandboxProcessor({
        sid: 7,
        ring,
        pause: async () => undefined,
      }),
      move: (milliseconds) => {
        ahead += milliseconds;
      },
      completeRedirect: async (url, answer) => {
        const id = url.split('/').at(-1)?.slice(0, 32) ?? '';
        await changePayment(id, undefined, (payment) => withAnswer(payment, answer, nowMilliseconds()));
        return undefined;
      },
    };
  },
  approve: {},
  declines: usualDeclines,
  pending: { minor: 2061n, after: 60_000 },
  lost: { minor: 2062n },
  neverArrives: { minor: 2066n, certainAfter: 0 },
  lostFollowUp: { minor: 2068n },
  slow: { minor: 2067n },
  refundFails: { minor: 2065n },
  redirect: { minor: 2063n },
  otp: { minor: 2064n, right: '123456', wrong: '000000', tries: 3 },
  abandonedAfter: 3_600_000,
  payout: {},
  currencies: { none: 'JPY', three: 'KWD', unsupported: 'XTS' },
});
