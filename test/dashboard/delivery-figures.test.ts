import { describe, expect, it } from 'vitest';
import { figuresByHost, latencyText, sumFailing, wholePercent } from '../../lib/dashboard/screens/delivery-figures.ts';

const attempt = (latency_ms: number, error: string | null = null, status: number | null = error ? 500 : 200) => ({
  ...{ latency_ms, error, status },
});
const sent = (host: string, ...attempts: ReturnType<typeof attempt>[]) => ({ url: `https://${host}/hook`, attempts });

describe('the figures of deliveries', () => {
  it('count accepted attempts by host, the host that refuses most first', () => {
    const rows = [
      sent('good.example', attempt(100)),
      sent('good.example', attempt(900, 'http_status'), attempt(300)),
      sent('bad.example', attempt(10_000, 'timeout', null), attempt(10_000, 'timeout', null)),
      { url: null, attempts: [attempt(0, 'no_url', null)] },
      sent('new.example'),
    ];
    expect(figuresByHost(rows)).toEqual([
      { host: 'bad.example', attempts: 2, accepted: 0, median: null, slow: null },
      { host: 'good.example', attempts: 3, accepted: 2, median: 300, slow: 900 },
    ]);
    expect(figuresByHost([])).toEqual([]);
  });

  it('add up failing notifications by site, with the first and the last failure', () => {
    const at = (time: string, error: string | null, status = error ? 503 : 200) => ({ at: time, error, status });
    const rows = [
      { sid: 1, attempts: [at('10:00', 'http_status', 500), at('10:05', 'http_status')] },
      { sid: 2, attempts: [at('09:00', 'http_status'), at('09:30', null)] },
      { sid: 3, attempts: [at('11:00', 'timeout')] },
      { sid: 1, attempts: [at('09:50', 'timeout')] },
      { sid: 4, attempts: [] },
    ];
    expect(sumFailing(rows)).toEqual([
      { sid: 1, count: 2, since: '09:50', last: at('10:05', 'http_status') },
      { sid: 3, count: 1, since: '11:00', last: at('11:00', 'timeout') },
    ]);
  });

  it('say within which time half and 19 of 20 replies came', () => {
    const rows = Array.from({ length: 100 }, (_, index) => sent('a.example', attempt(index + 1)));
    expect(figuresByHost(rows)).toMatchObject([{ median: 50, slow: 95 }]);
  });

  it('say 100% only if all attempts were accepted', () => {
    expect(wholePercent(999, 1000)).toBe('99%');
    expect(wholePercent(3, 3)).toBe('100%');
    expect(wholePercent(0, 3)).toBe('0%');
  });

  it('show times in milliseconds, or in seconds from one second on', () => {
    expect([0, 999, 1000, 12_345].map(latencyText)).toEqual(['0 ms', '999 ms', '1.0 s', '12.3 s']);
  });
});
