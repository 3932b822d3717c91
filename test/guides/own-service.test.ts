import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { iso, milliseconds, nowIso, nowMilliseconds } from '#core/kernel/clock.ts';
import { connectHttp } from '#payments/processors/http/http-connected-client.ts';
import { guidePrograms, isMissing, useGuideProgram } from './programs.ts';

/** The services of the guide let Forewarn find a charge, refund it once, and learn the result, exactly as printed. */

const folder = mkdtempSync(join(tmpdir(), 'forewarn-charges-'));
beforeAll(() => {
  process.env['ALLOW_LOOPBACK_HTTP'] = 'true';
});
afterAll(() => {
  delete process.env['ALLOW_LOOPBACK_HTTP'];
  rmSync(folder, { recursive: true });
});

const startProgram = useGuideProgram();
const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

for (const language of guidePrograms('charges')) {
  describe.skipIf(isMissing(language))(`the merchant's own service in ${language.name}`, () => {
    it('is found to work, finds and lists the charge, and refunds it once', async () => {
      const { url: base_url } = await startProgram(language, {
        SIGNING_SECRET: secret,
        STATE_FILE: join(folder, `${language.name}.json`),
      });
      const gateway = connectHttp({ base_url, secret });
      expect(await gateway.check()).toEqual({ isWorking: true });
      const found = await gateway.find({
        ...{ arn: '', authCode: '', first6: '411111', last4: '1111', descriptor: 'SHOP' },
        ...{ money: { minor: 4520n, currency: 'USD' }, day: nowIso() },
      });
      expect(found).toMatchObject({
        isWhole: true,
        candidates: [{ reference: 'ch_1', captured: 4520n, brand: 'VISA' }],
      });
      const [from, to] = [iso(nowMilliseconds() - milliseconds.day), iso(nowMilliseconds() + milliseconds.day)];
      expect(await gateway.list?.({ from, to }, null)).toMatchObject({
        charges: [{ reference: 'ch_1' }],
        next: null,
      });
      const earlier = { from: iso(Date.parse(from) - milliseconds.day), to: from };
      expect(await gateway.list?.(earlier, null)).toEqual({ charges: [], next: null });
      const order = {
        ...{ reference: 'ch_1', money: { minor: 2000n, currency: 'USD' }, key: 'alert-1', begunAt: nowIso() },
        ...{ reason: 'dispute' as const, alertId: 1 },
      };
      const first = await gateway.refund(order);
      expect(first).toMatchObject({ outcome: 'OK' });
      expect(await gateway.refund(order)).toEqual(first);
      expect(await gateway.refundState(order)).toEqual(first);
      expect(await gateway.look('ch_1')).toMatchObject({ refunded: 2000n });
      const rest = { ...order, key: 'alert-2', money: { minor: 2521n, currency: 'USD' } };
      expect(await gateway.refund(rest)).toMatchObject({ outcome: 'EXC', code: 'refund_failed' });
      const stranger = connectHttp({ base_url, secret: `whsec_${Buffer.alloc(32).toString('base64')}` });
      expect(await stranger.check()).toMatchObject({ isWorking: false, problem: 'credentials' });
    });
  });
}

it('has a page that names each of them', () => {
  const page = readFileSync('docs/guides/connect-your-service.md', 'utf8');
  for (const name of ['charges.mjs', 'charges.py', 'charges.php']) {
    expect(page).toContain(name);
    expect(existsSync(`docs/guides/receivers/${name}`)).toBe(true);
  }
});
