import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { FrameLocator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { sdkVersions } from '#payments/threeds/payer/sdk-files.ts';
import {
  type BegunOverHttp,
  beginOverHttp,
  type create3dsBody,
  detailsHash,
  type ThreeDsSite,
} from '#test/support/authentications.ts';
import { filesUnder } from '#test/support/secret-leak-scan.ts';
import type { TestStack } from '#test/support/stack.ts';

/**
 * A merchant's page on an origin of its own, whose policy lets nothing through but what docs/three-ds.md says that the SDK
 * needs, and the merchant's server behind it.
 */

const [version] = sdkVersions;
const integrity = JSON.parse(readFileSync('lib/sdk/three-ds/released/integrity.json', 'utf8')) as {
  versions: Record<string, Record<string, string>>;
};

const policyFor = (service: string): string =>
  [
    "default-src 'none'",
    `script-src 'self' ${service}`,
    `connect-src ${service}`,
    `frame-src ${service}`,
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
  ].join('; ');

const toHtml = (head: string): string => `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Teahouse</title>
${head}</head>
<body><main><h1>Checkout</h1><p><label>Note <input id="note"></label></p><p><button id="pay">Pay</button></p><div id="bank"></div></main></body>
</html>`;

/** The lines of the guide, on a page that has their form and what its server gave it. */
const guidePage = (service: string): string => {
  const [, lines = ''] =
    /## Your page authenticates[\s\S]*?```html\n([\s\S]*?)```/.exec(readFileSync('docs/three-ds.md', 'utf8')) ?? [];
  const fields = ['number', 'month', 'year'].map((id) => `<input id="${id}" aria-label="${id}">`).join('');
  const form = `<form id="checkout">${fields}<button>Pay</button></form>`;
  const token = "<script>const clientToken = new URLSearchParams(location.search).get('token');</script>";
  return `<!doctype html><title>Teahouse</title>${form}${token}${lines.replaceAll('https://api.example.com', service)}`;
};

const makeFiles = (service: string): Readonly<Record<string, { type: string; text: string }>> => ({
  '/': {
    type: 'text/html; charset=utf-8',
    text: toHtml(
      `<script src="${service}/sdk/3ds/${version}.js" integrity="${integrity.versions[version]?.[`${version}.js`]}" crossorigin="anonymous"></script>`,
    ),
  },
  '/module': { type: 'text/html; charset=utf-8', text: toHtml('<script type="module" src="/module.js"></script>') },
  '/module.js': {
    type: 'text/javascript',
    text: `import * as forewarn from '${service}/sdk/3ds/v1.mjs';\nglobalThis.forewarn = forewarn;\n`,
  },
  '/guide': { type: 'text/html; charset=utf-8', text: guidePage(service) },
  '/basket': {
    type: 'text/html; charset=utf-8',
    text: toHtml('').replace('Checkout', 'Basket'),
  },
});

export type Merchant = AsyncDisposable & {
  origin: string;
  /** The orders that its pages posted to its server. */
  orders: URLSearchParams[];
  /** The client tokens that it was given, and the values that prove authentications, which nothing may write down. */
  secrets: Set<string>;
  site: ThreeDsSite;
  /** Begins an authentication of 10.00 USD for the page. */
  begin(change?: Parameters<typeof create3dsBody>[2]): Promise<BegunOverHttp>;
  /** Returns what get3ds returns to the merchant's server. */
  detailsOf(begun: Pick<BegunOverHttp, 'id'>): Promise<Record<string, unknown>>;
};

/** `host`: by which the page is called, as another name is another origin. */
export const startMerchant = async (
  service: TestStack,
  site: ThreeDsSite = service.credentials.three_ds_site,
  host = '127.0.0.1',
): Promise<Merchant> => {
  const files = makeFiles(service.url);
  const orders: URLSearchParams[] = [];
  const secrets = new Set<string>();
  const server: Server = createServer(async (request, response) => {
    const path = (request.url ?? '/').replace(/\?.*/, '');
    if (request.method === 'POST') orders.push(new URLSearchParams(await text(request)));
    const file = files[path];
    if (!file) return response.writeHead(204).end();
    // The guide's lines are in the page itself, as in most shops.
    const policy = path === '/guide' ? {} : { 'content-security-policy': policyFor(service.url) };
    return response.writeHead(200, { 'content-type': file.type, ...policy }).end(file.text);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://${host}:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    orders,
    secrets,
    site,
    begin: async (change = {}) => {
      const fields = { amount: '10.00', currency: 'USD', page_origin: origin, ...change };
      const begun = await beginOverHttp(service, site, fields);
      secrets.add(begun.token);
      return begun;
    },
    detailsOf: async ({ id }) => {
      const reply = await service.call(`/api/v1/index.php/${site.sid}/get3ds`, {
        body: { authentication_id: id, hash: detailsHash(site, id) },
      });
      if (reply.status !== 200) throw new Error(reply.text);
      const { authenticationValue } = reply.body;
      if (typeof authenticationValue === 'string') secrets.add(authenticationValue);
      return reply.body;
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};

type SdkResult = {
  authenticationId: string;
  outcome: string;
  transStatus: string | null;
  liabilityShift: boolean;
  threeDSecure: string;
  cardholderInfo: string | null;
};
/** The result of the SDK, or its error; and the steps that it reported. */
export type Ran = { result?: SdkResult; code?: string; message?: string; steps: string[] };

type Options = { clientToken: string; card?: unknown } & Record<string, unknown>;

const cardFor = (number: string) => ({ number, expMonth: '12', expYear: '2030', holder: 'Ada Example' });

const running = (call: string, { container, ...options }: Options): string => `(async () => {
  const steps = [];
  const options = ${JSON.stringify(options)};
  options.onStep = (step) => { steps.push(step); globalThis.lastStep = step; };
  ${container ? "options.container = document.getElementById('bank');" : ''}
  globalThis.stopper = new AbortController();
  options.signal = globalThis.stopper.signal;
  try {
    return { result: await forewarn.${call}(options), steps };
  } catch ({ code, message }) {
    return { code, message, steps };
  }
})()`;

/** Has the page authenticate its payer, as the merchant's own script would. A page that is closed meanwhile returns nothing. */
export const authenticateIn = (page: Page, { token }: BegunOverHttp, number: string, options = {}): Promise<Ran> => {
  const ran = page.evaluate<Ran>(running('authenticate', { clientToken: token, card: cardFor(number), ...options }));
  ran.catch(() => undefined);
  return ran;
};

export const prepareIn = (page: Page, { token }: BegunOverHttp, number: string): Promise<Ran> =>
  page.evaluate<Ran>(running('prepare', { clientToken: token, card: cardFor(number) }));

/** The issuer's page, inside the SDK's frame, inside the merchant's page. */
export const issuerIn = (page: Page): FrameLocator =>
  page.frameLocator('iframe[title="Your bank"]').frameLocator('iframe');

/** Opens the merchant's page with the SDK in it. */
export const visit = async (page: Page, { origin }: Pick<Merchant, 'origin'>, path = '/'): Promise<void> => {
  await page.goto(`${origin}${path}`);
  await untilLoaded(page);
};

/** Waits for the SDK in a page. */
export const untilLoaded = (page: Page): Promise<void> =>
  untilInPage(page, "typeof globalThis.forewarn?.authenticate === 'function'");

/**
 * Waits until an expression is true in a page. Unlike this, `waitForFunction` evaluates text in the page, which the page's content security
 * policy refuses from the second time on.
 */
export const untilInPage = (page: Page, expression: string): Promise<void> =>
  expect.poll(() => page.evaluate(expression), { timeout: 30_000 }).toBe(true);

/** Returns the merchant's secrets that a log line, or anything that the service stores, contains. */
export const secretsKept = async (service: TestStack, { secrets }: Merchant): Promise<string[]> => {
  await service.untilIdle();
  const kept = filesUnder(service.dataFolder).map((file) => readFileSync(file, 'latin1'));
  const said = service.invocations.flatMap(({ logs, error }) => [...logs, String(error?.stack ?? '')]);
  const all = [...kept, ...said].join('\n');
  return [...secrets].filter((secret) => all.includes(secret));
};
