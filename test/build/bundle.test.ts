import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operations } from '#functions/operations.ts';
import { workers } from '#functions/workers.ts';
import { type Bundle, bundle, bundleName, zippedBytesOf } from '#lib/build/bundle.ts';
import { processorNames } from '#payments/processors/ports/processors.ts';
import { builtCode } from '#test/support/built-code.ts';

/** All functions are built; a machine that does much else takes its time. That they load is seen in `test/budget.test.ts`. */
const allowedToBuild = 120_000;

/** Of the largest function, which brings every adapter of evidence, the PDF library and the one that reads fonts: Lambda fetches it before its first call. */
const maxZippedBytes = 656 * 1024;

const functions = [...operations, ...workers];
const names = functions.map(bundleName);
const apiNames = operations.map(bundleName);
/** In one file; split, because parts of it are loaded lazily; with an app and other files. */
const alone = ['alerts/update-alert', 'transactions/singletx', 'dashboard/dashboard'];
const folder = mkdtempSync(join(tmpdir(), 'forewarn-bundles-'));
const built = { bundles: new Map<string, Bundle>() };

beforeAll(async () => {
  const { bundleOf } = builtCode();
  built.bundles = new Map(await Promise.all(names.map(async (name) => [name, await bundleOf(name)] as const)));
}, allowedToBuild);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const findBundle = (name: string) => {
  const found = built.bundles.get(name);
  if (!found) throw new Error(`${name} was not built`);
  return found;
};

const listSources = (name: string): readonly string[] => {
  const { atOnce, later } = findBundle(name).modules;
  return [...atOnce, ...later];
};

/** Runs a script in a fresh process that has a function's environment and nothing else. */
const runFresh = (script: string, environment: Record<string, string> = {}): unknown =>
  JSON.parse(
    execFileSync(process.execPath, ['-e', script], {
      encoding: 'utf8',
      timeout: allowedToBuild - 5000,
      env: { AWS_REGION: 'eu-west-1', AWS_ACCESS_KEY_ID: 'key', AWS_SECRET_ACCESS_KEY: 'secret', ...environment },
    }),
  );

describe('the bundles', () => {
  it('are one for each function', () => {
    expect([...built.bundles.keys()].sort()).toEqual([...names].sort());
  });

  it('contain only code and declared files: no source map, no installed package', () => {
    for (const one of functions) {
      const assets = 'assets' in one ? Object.keys(one.assets ?? {}) : [];
      if ('app' in one && one.app !== undefined) assets.push('app');
      const { dir, files } = findBundle(bundleName(one));
      expect(files).toContain('index.js');
      expect(readdirSync(dir).sort()).toEqual([...files, 'package.json', ...assets].sort());
    }
  });

  it('are the same, byte for byte, each time they are built, and whatever is built with them', async () => {
    // The suite has built them in one pass. Each area's first is built again in another company, and some alone.
    const firsts = [...new Map([...functions].reverse().map((one) => [one.area, one])).values()];
    const companies = [firsts, ...alone.map((name) => functions.filter((one) => bundleName(one) === name))];
    for (const [index, company] of companies.entries()) {
      const again = await bundle({ outdir: join(folder, `company-${index}`), functions: company });
      expect([...again.bundles.keys()].sort()).toEqual(company.map(bundleName).sort());
      for (const [name, { dir, files }] of again.bundles) {
        expect(files).toEqual(findBundle(name).files);
        // A stack trace of a deployment is read with it.
        expect(existsSync(`${dir}.js.map`), name).toBe(true);
        for (const file of files) {
          expect(readFileSync(join(dir, file)).equals(readFileSync(join(findBundle(name).dir, file))), name).toBe(true);
        }
      }
    }
  });

  it('refuse a function without code', async () => {
    const missing = [{ area: 'auth', name: 'no-such-handler' }];
    await expect(bundle({ outdir: join(folder, 'third'), functions: missing })).rejects.toThrow('no-such-handler');
  });
});

describe('a cold start', () => {
  it.each(apiNames)('%s is small enough to fetch', (name) => {
    expect(zippedBytesOf(findBundle(name))).toBeLessThanOrEqual(maxZippedBytes);
  });

  it.each(apiNames)('%s brings no undici of its own', (name) => {
    expect(listSources(name).filter((path) => path.includes('node_modules/undici'))).toEqual([]);
  });

  it('has the parts of the SDK that cannot run on Lambda left out', () => {
    const inputs = names.flatMap(listSources);
    const chain = /credential-provider-(node|ini|sso|imds|process|web-identity|http)|endpoint-cache|event-streams/;
    expect([...new Set(inputs)].filter((path) => chain.test(path) && !path.startsWith('lean-sdk:'))).toEqual([]);
  });
});

/** The libraries that only some functions need, by a text that shows their presence. */
const parts: Readonly<Record<string, RegExp>> = {
  ...Object.fromEntries(
    processorNames.map((name) => [name, new RegExp(`^functions/payments/processors/${name}/${name}-client\\.ts$`)]),
  ),
  'connected processors': /^functions\/payments\/processors\/[\w-]+\/[\w-]+-connected-client\.ts$/,
  minfraud: /^functions\/payments\/fraud\/scorers\/minfraud-client\.ts$/,
  'rules engine': /(^|\/)node_modules\/json-rules-engine\//,
  'package of Stripe': /(^|\/)node_modules\/stripe\//,
  'XML parser': /(^|\/)node_modules\/fast-xml-parser\//,
};
type Contents = { atOnce: readonly string[]; later: readonly string[] };

const none: Contents = { atOnce: [], later: [] };
const processors = [...processorNames, 'package of Stripe', 'XML parser'];
const asking: Contents = { atOnce: [], later: processors };
const atConnections = ['connected processors', 'adyen', 'package of Stripe', 'XML parser'];
const starting: Contents = { atOnce: ['minfraud'], later: [...processors, 'rules engine'] };
/** All others have none of it. Whatever asks a processor may come to ask any, and loads the one that it asks. */
const contents: Readonly<Record<string, Contents>> = {
  'transactions/singletx': starting,
  'transactions/convertnpay': starting,
  'transactions/payout': starting,
  'refunds/processrefund': asking,
  'transactions/flagcapture': asking,
  'transactions/sendauth': asking,
  'transactions/resendauth': asking,
  'refunds/requery': asking,
  'transactions/payer-page': asking,
  'transactions/payer-page-answer': asking,
  'jobs/settle': asking,
  'balance/balance': asking,
  'connections/alert-transactions': { atOnce: [], later: atConnections },
  'connections/test-connection': { atOnce: [], later: atConnections },
  'connections/register-webhook': { atOnce: [], later: ['package of Stripe'] },
  // By hand, at a site's processor or at the merchant's own.
  'refunds/refund-alert': { atOnce: [], later: [...processors, 'connected processors'] },
  'refunds/settle-refunds': { atOnce: [], later: atConnections },
  // A rule may answer the alert of a payment that is charged back.
  // Evidence is submitted at Stripe alone; who else processed the payment is seen by looking.
  'chargebacks/chargeback-evidence': { atOnce: [], later: ['package of Stripe', 'XML parser'] },
  'chargebacks/decide-chargebacks': { atOnce: ['rules engine'], later: ['package of Stripe', 'XML parser'] },
  'chargebacks/back-test-chargeback-rules': { atOnce: ['rules engine'], later: [] },
  'chargebacks/look-at-disputes': { atOnce: ['rules engine'], later: atConnections },
  'connections/receive-connection-webhook': { atOnce: [], later: ['XML parser'] },
  'transactions/receive-processor-webhook': { atOnce: ['adyen'], later: ['XML parser'] },
  'fraud/fraudcheck': { atOnce: ['minfraud'], later: ['rules engine'] },
  // It looks for charges as a rule that refunds does, wherever the money was taken.
  'rules/dry-run': { atOnce: ['rules engine'], later: atConnections },
  'rules/run-back-tests': { atOnce: ['rules engine'], later: [] },
  'history/past-year': { atOnce: ['rules engine'], later: [] },
  'history/import-history': { atOnce: [], later: atConnections },
  // A rule may refund, wherever the money was taken.
  'rules/decide': { atOnce: ['rules engine'], later: [...processors, 'connected processors'] },
};

it.each(names)('%s brings the adapters and engines that it can use, and no others', (name) => {
  const found = (sources: readonly string[]) =>
    Object.keys(parts)
      .filter((part) => sources.some((path) => parts[part]?.test(path)))
      .sort();
  const { atOnce, later } = contents[name] ?? none;
  const { modules } = findBundle(name);
  expect({ atOnce: found(modules.atOnce), later: found(modules.later) }).toEqual({
    atOnce: [...atOnce].sort(),
    later: [...later].sort(),
  });
});

describe('credentials', () => {
  // Any function will do: the table's client is the same in all of them.
  const name = apiNames.find((one) => one === 'auth/get-token') ?? apiNames[0] ?? '';
  /** Answers the headers of the first request that the function's table client sends. */
  const script = () => `
    const { createServer } = require('node:http');
    const server = createServer((request, response) => {
      console.log(JSON.stringify({
        authorization: request.headers.authorization, token: request.headers['x-amz-security-token'] ?? null,
      }));
      response.destroy();
      process.exit(0);
    }).listen(0, '127.0.0.1', () => {
      process.env.AWS_ENDPOINT_URL_DYNAMODB = 'http://127.0.0.1:' + server.address().port;
      const { handler } = require(${JSON.stringify(findBundle(name).dir)} + '/index.js');
      process.stdout.write = ((write) => (text) => String(text).includes('authorization') ? write(text) : true)(
        process.stdout.write.bind(process.stdout));
      handler({
        headers: { 'content-type': 'application/json' }, isBase64Encoded: false, httpMethod: 'POST', path: '/',
        requestContext: { requestId: 'r', identity: { sourceIp: '127.0.0.1' } },
        body: JSON.stringify({ username: 'anna', password: 'a long enough password' }),
      }, {}).then((reply) => {
        console.error('It answered without a request: ' + JSON.stringify(reply));
        process.exit(1);
      });
    });`;

  it('come from the environment, session included', () => {
    const sent = runFresh(script(), {
      AWS_ACCESS_KEY_ID: 'from-environment',
      AWS_SESSION_TOKEN: 'session',
      TABLE_NAME: 't',
    });
    expect(sent).toEqual({
      authorization: expect.stringContaining('Credential=from-environment/'),
      token: 'session',
    });
  });
});
