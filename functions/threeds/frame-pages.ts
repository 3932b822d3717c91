/**
 * The pages that stand in frames on a payer's page. The SDK opens `/3ds/frame`; that opens the issuer's page in a frame inside
 * itself; the issuer's last post reaches `/3ds/method` or `/3ds/challenge` in that inner frame. The merchant's page so never
 * meets an issuer, nor its policy one. None of them says anything of an authentication, and without a token they do nothing, so
 * they may stand in anybody's frame.
 */

const pageOf = (title: string, script: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<script src="${script}" defer></script>
</head>
<body></body>
</html>
`;

/** Opened by the SDK. */
export const framePage = pageOf('Authentication', 'frame.js');
/** Where the issuer's page ends; the same for every post, known or not. */
export const returnPage = pageOf('Authentication', 'return.js');

/** On the local stack issuers are pages of this machine, and so may merchants' pages be. */
const localSources = ' http://127.0.0.1:* http://localhost:*';

/** What these pages may do. `frame-src` and `form-action` are for issuers, of which anybody may be one. */
export const framePolicy = (allowLoopbackHttp: boolean): string => {
  const anywhere = `https:${allowLoopbackHttp ? localSources : ''}`;
  return [
    "default-src 'none'",
    "script-src 'self'",
    "connect-src 'self'",
    `frame-src ${anywhere}`,
    `form-action ${anywhere}`,
    `frame-ancestors ${anywhere}`,
    "base-uri 'none'",
  ].join('; ');
};

export const frameHeaders = (allowLoopbackHttp: boolean): Record<string, string> => ({
  'content-security-policy': framePolicy(allowLoopbackHttp),
  'referrer-policy': 'no-referrer',
});

/** Of scripts that our own pages load, which may be kept for a while. */
export const scriptHeaders: Readonly<Record<string, string>> = { 'cache-control': 'public, max-age=300' };
