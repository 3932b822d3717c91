import { escapeHtml } from '#core/kernel/html.ts';
import { type Refusal, refusals } from '../operation/errors.ts';

/** Pages for people, in one style: they fetch nothing and run no script. */

const style = `
:root { color-scheme: light dark; --ink: #1a2233; --paper: #f4f6fa; --card: #fff; --line: #d9dfeb; --act: #1f4fd8; --quiet: #5b667d; --good: #0b7a43; --bad: #b3261e; }
@media (prefers-color-scheme: dark) { :root { --ink: #e8ecf5; --paper: #11151f; --card: #1a2030; --line: #2c3650; --act: #7aa2ff; --quiet: #9aa7c2; --good: #5fd39a; --bad: #ff8a80; } }
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; display: grid; grid-template-columns: minmax(0, 1fr); place-items: center; padding: 1.5rem; background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
main { width: 100%; max-width: 26rem; background: var(--card); border: 1px solid var(--line); border-radius: .75rem; padding: 1.75rem; overflow-wrap: anywhere; }
h1 { font-size: 1.25rem; margin: 0 0 .75rem; }
p { margin: .5rem 0; }
.banner { margin: -1.75rem -1.75rem 1.25rem; padding: .5rem 1.75rem; border-radius: .75rem .75rem 0 0; background: #ffe08a; color: #4a3500; font-size: .875rem; font-weight: 600; }
.amount { font-size: clamp(1.5rem, 7vw, 2rem); font-weight: 650; font-variant-numeric: tabular-nums; margin: .25rem 0; }
.quiet { color: var(--quiet); font-size: .875rem; }
.good { color: var(--good); } .bad { color: var(--bad); }
form { display: grid; gap: .75rem; margin-top: 1.25rem; }
label { display: grid; gap: .25rem; font-weight: 600; }
input { font: inherit; padding: .6rem .75rem; border: 1px solid var(--quiet); border-radius: .5rem; background: transparent; color: inherit; letter-spacing: .1em; }
button, .button { font: inherit; font-weight: 600; padding: .7rem 1rem; border-radius: .5rem; border: 1px solid var(--act); background: var(--act); color: var(--card); cursor: pointer; text-align: center; text-decoration: none; }
.button { display: block; margin-top: 1.25rem; }
button.second { background: transparent; color: var(--act); }
:focus-visible { outline: 3px solid var(--act); outline-offset: 2px; }
`;

/** The `banner` of pages about payments in the sandbox. */
export const testBanner = 'Test mode: no money moves';

type PageParts = { title: string; body: string; banner?: string; style?: string; language?: string };

/**
 * Renders a whole page. `body`: HTML with untrusted text escaped. `banner`: a warning on top, such as of a test mode. `style`: rules in
 * addition to those of all pages. `language`: that of the words, if not English.
 */
export const renderPage = ({ title, body, banner, style: own = '', language = 'en' }: PageParts): string =>
  `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)}</title>
<style>${style}${own}</style>
</head>
<body>
<main>
${banner ? `<p class="banner">${escapeHtml(banner)}</p>` : ''}
${body}
</main>
</body>
</html>
`;

/** Pages load nothing, run nothing, cannot be framed, and send their forms only to their own origin. */
export const pageHeaders: Readonly<Record<string, string>> = {
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
};

/** Renders a refusal for people: what went wrong and what to do about it. */
export const refusalPage = ({ code, details }: Refusal): string => {
  const { msg } = refusals[code];
  return renderPage({ title: msg, body: `<h1>${escapeHtml(msg)}</h1>\n<p class="quiet">${escapeHtml(details)}</p>` });
};
