import { escapeHtml } from '#core/kernel/html.ts';
import { endpoint } from '#core/platform/http/http.ts';
import { pageHeaders, refusalPage, renderPage } from '#core/platform/http/page.ts';
import { Refusal } from '#core/platform/operation/errors.ts';
import { explainCode } from '../../error-help.ts';
import { errorPageOperation } from './operation.ts';

/** Words between backticks are names in a call. */
const withNames = (text: string): string => escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>');

export const handler = endpoint(
  errorPageOperation,
  async ({ params }) => {
    const found = explainCode(params.code);
    if (!found) throw new Refusal('page_not_found', 'There is no such error code.');
    const { code, status, msg, help } = found;
    return renderPage({
      title: `${code}: ${msg}`,
      body: `<p class="quiet">HTTP ${status} · <code>${code}</code></p>\n<h1>${escapeHtml(msg)}</h1>\n<p>${withNames(help)}</p>`,
    });
  },
  { errorPage: refusalPage, headers: pageHeaders },
);
