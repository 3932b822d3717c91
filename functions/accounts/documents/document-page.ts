import { guides } from './guides.ts';

const guideLinks = guides.map(({ file, title }) => `<li><a href="docs/${file}">${title}</a></li>`).join('\n');

/**
 * The page that shows the API document. Its head needs no script, so that there is something to read at once. Everything it
 * needs is served beside it; its relative addresses work under any stage.
 */
export const docsHtml = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Forewarn API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="docs/docs.css">
</head>
<body>
<header>
<h1>Forewarn API</h1>
<p>Dispute alerts before they become chargebacks, and the answers back; card payments and fraud checks. The document itself is
<a href="openapi.json">openapi.json</a>.</p>
<nav aria-label="Guides">
<h2>Guides</h2>
<ul>
${guideLinks}
</ul>
</nav>
<h2 id="operations">Operations</h2>
</header>
<noscript><p>The list of operations needs JavaScript.</p></noscript>
<main id="reference" aria-labelledby="operations"><p>Reading the document …</p></main>
<script src="docs/swagger-ui.js" defer></script>
<script src="docs/docs.js" defer></script>
</body>
</html>
`;

/** The page loads from its own origin only, and cannot be framed. */
export const docsPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');
