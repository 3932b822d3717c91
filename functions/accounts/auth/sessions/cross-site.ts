import { Refusal } from '#core/platform/operation/errors.ts';

type Sent = { headers: Readonly<Record<string, string | undefined>>; baseUrl: string };

/**
 * Refuses what another site could make a browser send: the operations of sessions are the only ones that look at a cookie.
 * A form of another site cannot send JSON, and no script can set `sec-fetch-site` or `origin`.
 */
export const refuseCrossSite = ({ headers, baseUrl }: Sent): void => {
  const type = headers['content-type']?.split(';')[0]?.trim().toLowerCase();
  const site = headers['sec-fetch-site'];
  const isOurs = site === undefined ? headers['origin'] === new URL(baseUrl).origin : site === 'same-origin';
  if (isOurs && type === 'application/json') return;
  throw new Refusal('cross_site', 'Send content-type application/json from a page of the service itself.', {
    fields: { code: 'cross_site' },
  });
};
