/** The page that shows the API document. Everything it needs comes from beside it; its addresses hold under any stage. */
export const docsHtml = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Forewarn API</title>
<style>
body { margin: 0; font-family: system-ui, sans-serif; }
noscript { display: block; padding: 2rem; }
a[href^="https://redocly.com"] { display: none; }
</style>
</head>
<body>
<noscript>This page needs JavaScript; the document itself is at <a href="openapi.json">openapi.json</a>.</noscript>
<redoc spec-url="openapi.json" disable-search="false" hide-hostname="true" native-scrollbars="true"
 theme='{"typography":{"fontFamily":"system-ui, sans-serif","headings":{"fontFamily":"system-ui, sans-serif"}}}'></redoc>
<script src="docs/redoc.js"></script>
</body>
</html>
`;

/** The page loads from its own origin only, and stands in nobody's frame. */
export const docsPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  'worker-src blob:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');
