import { describe, expect, it } from 'vitest';
import { figuresByHost, latencyText, sumFailing, wholePercent } from '../../lib/dashboard/screens/delivery-figures.ts';

const attempt = (latency_ms: number, error: string | null = null, status: number | null = error ? 500 : 200) => ({
  ...{ latency_ms, error, status },
});
const sent = (host: string, ...attempts: ReturnType<typeof attempt>[]) => ({ url: `https://${host}/hook`, attempts });

const other = { kind: 'status_update', url: 'https://updates.example/hook' };

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

  const at = (time: string, error: string | null = 'http_status') => ({ at: time, error, status: error ? 503 : 200 });
  const row = (sid: number, state: string, ...attempts: ReturnType<typeof at>[]) => ({
    ...{ sid, state, attempts, kind: 'new_alert', url: `https://site-${sid}.example/hook` },
  });
  const accepted = row(1, 'DELIVERED', at('24', null));

  it('add up failing notifications by site, with the first and the last failure', () => {
    const rows = [
      row(1, 'PENDING', at('10'), at('12')),
      row(2, 'DELIVERED', at('09'), at('10', null)),
      row(3, 'EXPIRED', at('11', 'timeout')),
      row(1, 'EXPIRED', at('08', 'timeout')),
      row(4, 'PENDING'),
    ];
    expect(sumFailing(rows)).toEqual({
      sites: [
        { sid: 1, count: 2, since: '08', last: at('12') },
        { sid: 3, count: 1, since: '11', last: at('11', 'timeout') },
      ],
      lost: [],
    });
  });

  it.each([
    ['no longer, once it accepted a later one', [row(1, 'EXPIRED', at('22'), at('23'))], null, 1],
    ['no longer, once it accepted one while another waits', [row(1, 'PENDING', at('23'))], null, 0],
    [
      'since the first failure after it accepted one',
      [row(1, 'EXPIRED', at('23')), row(1, 'PENDING', at('25'))],
      '25',
      0,
    ],
    ['since its first failed attempt after that', [row(1, 'PENDING', at('23'), at('25'), at('26'))], '25', 0],
    ['though an endpoint of another kind and address accepts', [{ ...row(1, 'PENDING', at('23')), ...other }], '23', 0],
    ['no longer, once its new address accepts', [{ ...row(1, 'EXPIRED', at('23')), url: other.url }], null, 1],
    [
      'no longer, once its address accepts another kind',
      [{ ...row(1, 'EXPIRED', at('23')), kind: other.kind }],
      null,
      1,
    ],
    ['though another site accepts', [row(2, 'PENDING', at('23'))], '23', 0],
    ['not for a notification that was given up without an attempt', [row(1, 'EXPIRED')], null, 1],
  ])('say that an endpoint fails %s', (_, rows, since, lost) => {
    const found = sumFailing([...rows, accepted]);
    expect(found.sites.map((site) => site.since)).toEqual(since === null ? [] : [since]);
    expect(found.lost).toEqual(lost === 0 ? [] : [{ sid: 1, count: lost }]);
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
