/**
 * Headers of every reply: browsers must use TLS only for two years, and must not guess the media type. The gateway sends the same with
 * its own replies.
 */
export const securityHeaders = {
  'strict-transport-security': 'max-age=63072000; includeSubDomains',
  'x-content-type-options': 'nosniff',
} as const;
