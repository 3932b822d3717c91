import { expect, it } from 'vitest';
import { toSiteItem } from '#accounts/merchants/site/site-row.ts';
import { putItem } from '#core/platform/table/table.ts';
import { hasMoved } from '#messaging/webhooks/delivery-access-store.ts';
import { useTable } from '#test/support/table.ts';
import { alertSite } from './support.ts';

useTable();

let sid = 700;
const siteAt = async (url: string | null): Promise<number> => {
  sid += 1;
  await putItem(toSiteItem(alertSite(sid, url)));
  return sid;
};
const attempted = (own: number, ...urls: (string | null)[]): Parameters<typeof hasMoved>[0] => ({
  ...{ kind: 'new_alert', postbackUrl: null, sid: own },
  attempts: urls.map((url) => ({ url })),
});

it.each([
  ['goes to another host', 'https://new.example/a', ['https://old.example/a'], true],
  ['goes to another port', 'https://old.example:8443/a', ['https://old.example/a'], true],
  ['goes to another path of the same host', 'https://old.example/b', ['https://old.example/a'], false],
  [
    'goes to the host of its latest attempt',
    'https://old.example/a',
    ['https://older.example', 'https://old.example'],
    false,
  ],
  ['went elsewhere before an attempt without an address', 'https://new.example/a', ['https://old.example', null], true],
  ['was never attempted', 'https://new.example/a', [], false],
  ['was only attempted without an address', 'https://new.example/a', [null], false],
  ['goes nowhere now', null, ['https://old.example/a'], false],
] as const)('tells whether a delivery that %s has moved', async (_, url, before, moved) => {
  expect(await hasMoved(attempted(await siteAt(url), ...before))).toBe(moved);
});

it('a delivery of a site that no longer exists has not moved', async () => {
  expect(await hasMoved(attempted(999_999, 'https://old.example'))).toBe(false);
});

it.each([
  ['another host', 'https://hooks.new.example/…', true],
  ['the same host', 'https://hooks.slack.example/…', false],
] as const)('tells whether a message to a chat goes to %s', async (_, before, moved) => {
  sid += 1;
  const site = alertSite(sid, null, {
    slack_webhook_url: { sealed: '', validUntil: null, host: 'hooks.slack.example' },
  });
  await putItem(toSiteItem(site));
  const delivery = { ...attempted(sid, before), kind: 'slack' } as Parameters<typeof hasMoved>[0];
  expect(await hasMoved(delivery)).toBe(moved);
  await putItem(toSiteItem(alertSite(sid, null)));
  expect(await hasMoved(delivery)).toBe(false);
});
