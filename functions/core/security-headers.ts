/**
 * What every answer tells a browser, whatever function gives it: come back by TLS only, for two years, and take the media type at its
 * word. The gateway sends the same with what it answers itself.
 */
export const securityHeaders = {
  'strict-transport-security': 'max-age=63072000; includeSubDomains',
  'x-content-type-options': 'nosniff',
} as const;
