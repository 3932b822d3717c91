/** What all operations that read a session's cookie have in common. */
export const ofSessions = {
  area: 'auth',
  method: 'POST',
  auth: 'public',
} as const;

/** Who may send them. */
export const fromOwnPages =
  'For pages of the service itself: it requires `content-type: application/json` and `sec-fetch-site: same-origin`, or an `Origin` ' +
  'that is the service’s.';
