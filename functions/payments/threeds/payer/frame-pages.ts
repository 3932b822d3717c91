/**
 * The pages in frames on a payer's page. The SDK opens `/3ds/frame`; that opens the issuer's page in a frame inside
 * itself; the issuer's last post reaches `/3ds/method` or `/3ds/challenge` in that inner frame. So the merchant's page and its
 * policy never deal with an issuer. None of these pages reveals anything about an authentication, and without a token they do
 * nothing, so anybody may frame them.
 */

const renderFrame = (title: string, script: string): string => `<!doctype html>
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
export const framePage = renderFrame('Authentication', 'frame.js');
/** Where the issuer's page ends; the same for every post, known or not. */
export const returnPage = renderFrame('Authentication', 'return.js');

/** On the local stack issuers are pages of this machine, and so may merchants' pages be. */
const localSources = ' http://127.0.0.1:* http://localhost:*';

/** The content security policy of these pages. `frame-src` and `form-action` are for issuers, whose addresses can be anywhere. */
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

/** For scripts that our own pages load, which may be cached for a while. */
export const scriptHeaders: Readonly<Record<string, string>> = { 'cache-control': 'public, max-age=300' };
