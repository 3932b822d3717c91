/** The common part of operations that read a session's cookie. */
export const ofSessions = {
  method: 'POST',
  auth: 'public',
} as const;

/** The check that only Forewarn's own pages call. */
export const fromOwnPages =
  'For pages of the service itself: it requires `content-type: application/json` and `sec-fetch-site: same-origin`, or an `Origin` ' +
  'that is the service’s.';
