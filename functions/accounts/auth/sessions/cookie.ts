import { milliseconds } from '#core/kernel/clock.ts';
import { ssoAttemptSeconds } from '../single-sign-on/single-sign-on.ts';
import type { Browser } from './known-browser.ts';

/** The content of a session's cookie. */
export type SessionCookie = { id: string; secret: string };

/** A session's id and secret, and the mark of the browser. Signing out removes the secret and keeps the mark. */
const pattern = /^([0-9a-z]{26})\.([\w-]{43})?(?:\.([0-9a-f]{32}))?$/;

/** Browsers are recognised for 90 days. The service ends their sessions much earlier. */
const browserSeconds = (90 * milliseconds.day) / milliseconds.second;

/**
 * The prefix makes browsers refuse the cookie unless it is for exactly this host, for all paths and over https; a local stack on
 * plain http cannot use it.
 * @see https://developer.mozilla.org/docs/Web/HTTP/Reference/Headers/Set-Cookie#cookie_prefixes
 */
const nameFor = (baseUrl: string, name = 'forewarn-session'): string =>
  isPlainLoopback(baseUrl) ? name : `__Host-${name}`;

const isPlainLoopback = (baseUrl: string): boolean => {
  const { protocol, hostname } = new URL(baseUrl);
  return protocol === 'http:' && ['127.0.0.1', 'localhost', '[::1]'].includes(hostname);
};

const attributes = (baseUrl: string): string =>
  `HttpOnly;${isPlainLoopback(baseUrl) ? '' : ' Secure;'} SameSite=Strict; Path=/`;

const cookieValue = (header: string | undefined, name: string): string =>
  (header ?? '')
    .split(/; */)
    .find((one) => one.startsWith(`${name}=`))
    ?.slice(name.length + 1) ?? '';

/** The session that a `cookie` header names; undefined if it names none. `baseUrl`: where the service was called. */
export const readCookie = (header: string | undefined, baseUrl: string): SessionCookie | undefined => {
  const name = nameFor(baseUrl);
  const [, id, secret] = pattern.exec(cookieValue(header, name)) ?? [];
  return id !== undefined && secret !== undefined ? { id, secret } : undefined;
};

/** The browser that a `cookie` header names; undefined if it names none. */
export const readBrowser = (header: string | undefined, baseUrl: string): Browser | undefined => {
  const [, id, , mark = ''] = pattern.exec(cookieValue(header, nameFor(baseUrl))) ?? [];
  return id === undefined ? undefined : { id, mark };
};

/** The `set-cookie` header that gives a browser a session. `mark`: see known-browser.ts. */
export const cookieHeader = ({ id, secret }: SessionCookie, mark: string, baseUrl: string): string =>
  `${nameFor(baseUrl)}=${id}.${secret}.${mark}; ${attributes(baseUrl)}; Max-Age=${browserSeconds}`;

/** The header that takes the session out of the cookie, and leaves the mark of the browser. */
export const noSessionHeader = (browser: Browser | undefined, baseUrl: string): string =>
  browser?.mark
    ? `${nameFor(baseUrl)}=${browser.id}..${browser.mark}; ${attributes(baseUrl)}; Max-Age=${browserSeconds}`
    : `${nameFor(baseUrl)}=; ${attributes(baseUrl)}; Max-Age=0`;

const ssoCookie = 'forewarn-sso';

/** The `set-cookie` header that binds a sign-in at an identity provider to the browser. */
export const ssoCookieHeader = (secret: string, baseUrl: string): string =>
  `${nameFor(baseUrl, ssoCookie)}=${secret}; ${attributes(baseUrl)}; Max-Age=${ssoAttemptSeconds}`;

/** The secret that binds a sign-in to the browser; undefined if the `cookie` header has none. */
export const readSsoCookie = (header: string | undefined, baseUrl: string): string | undefined =>
  cookieValue(header, nameFor(baseUrl, ssoCookie)) || undefined;
