import type { Answer } from './gateway-event.ts';
import { ask } from './operations.ts';

/** The headers of a page of the service itself. */
export const ownPage = { 'sec-fetch-site': 'same-origin' };

/** The value that a `set-cookie` header gives the session's cookie; '' if it takes it away. */
export const cookieIn = ({ headers }: Answer): string =>
  /^__Host-forewarn-session=([^;]*);/.exec(String(headers['set-cookie']))?.[1] ?? '';

/** Calls an operation of sessions as a page does, with the cookie that the browser has. */
export const fromPage = (operation: string, body: object, cookie?: string): Promise<Answer> =>
  ask(operation, {
    as: 'nobody',
    body,
    headers: { ...ownPage, ...(cookie && { cookie: `other=1; __Host-forewarn-session=${cookie}` }) },
  });
