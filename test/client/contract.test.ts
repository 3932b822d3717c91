import { execFile, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildClient } from '#lib/openapi/client-package.ts';
import { buildPhpClient } from '#lib/openapi/php-package.ts';
import { buildPythonClient } from '#lib/openapi/python-package.ts';
import { answer, passingFaults } from './flaky.ts';

/** The same calls through the three clients, against a service that answers as each case says. */

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), 'forewarn-contract-'));
const { version } = JSON.parse(readFileSync('package.json', 'utf8'));

type Request = { path: string; headers: IncomingHttpHeaders; body: string };
type Answer = (reply: ServerResponse) => void;
type Case = {
  /** One answer for each request; the last one again for further ones. */
  answers: readonly Answer[];
  name?: string;
  method?: readonly [group: string, method: string];
  token?: string;
  user?: { username: string; password: string };
  rcode?: string;
  attempts?: number;
  /** Seconds. */
  timeout?: number;
  times?: number;
  path?: object;
  body?: object;
  key?: string;
  headers?: object;
};
type Expected = {
  outcome: unknown;
  requests?: number;
  seen?: (requests: Request[]) => void;
};

const done = answer(200, { status: 'ok' });
const busy = answer(503, { msg: 'Later', code: 'internal' });
const list = { name: 'POST /api/v3/site/list', token: 't', body: {} };
const pay = { name: 'POST /api/v1/index.php/{id}/singletx', token: 't', path: { id: 7 }, body: {} };
const rule = { name: 'POST /api/v3/rules/create', token: 't', body: {} };
const ok = { ok: { status: 'ok' } };
const refused = (status: number, more: object = {}) => ({
  refused: { status, code: null, details: null, doc: null, requestId: null, ...more },
});
const later = refused(503, { code: 'internal' });
const header = (name: string) => (requests: Request[]) => requests.map(({ headers }) => headers[name]);
const user = { username: 'ada', password: 'secret' };
const signIn = answer(200, { access_token: 'a.b.c' });
const unauthenticated = answer(401, { msg: 'No', code: 'unauthenticated' });
const silence: Answer = () => undefined;
const text =
  (status: number, type: string, body: string): Answer =>
  (reply) =>
    void reply.writeHead(status, { 'content-type': type }).end(body);

const cases: readonly [title: string, given: Case, expected: Expected][] = [
  ['a call is answered', { ...list, answers: [done] }, { outcome: ok, requests: 1 }],
  [
    'an operation is a method',
    { ...list, method: ['merchants', 'listSites'], answers: [done] },
    {
      outcome: ok,
      seen: ([request]) => expect(request?.path).toBe('/api/v3/site/list'),
    },
  ],
  [
    'a method fills its path',
    { token: 't', method: ['merchants', 'siteDetails'], path: { sid: 'a/b' }, answers: [done] },
    {
      outcome: ok,
      seen: ([request]) => expect(request?.path).toBe('/api/v3/site/a%2Fb/details'),
    },
  ],
  [
    'a token is sent',
    { ...list, answers: [done] },
    {
      outcome: ok,
      seen: (requests) => expect(header('authorization')(requests)).toEqual(['Bearer t']),
    },
  ],
  [
    'the client names itself',
    { ...list, answers: [done] },
    {
      outcome: ok,
      seen: (requests) =>
        expect(header('user-agent')(requests)[0]).toMatch(new RegExp(`^forewarn-(typescript|python|php)/${version}`)),
    },
  ],
  [
    'a refusal has its parts',
    {
      ...list,
      answers: [
        answer(
          404,
          { msg: 'Not found', code: 'site_not_found', details: 'sid', doc: '/errors/x' },
          { 'x-request-id': 'r-1' },
        ),
      ],
    },
    {
      outcome: refused(404, { code: 'site_not_found', details: 'sid', doc: '/errors/x', requestId: 'r-1' }),
      requests: 1,
    },
  ],
  [
    'a refusal of a payment has its code',
    {
      ...list,
      answers: [answer(400, { status: 'EXC', error_code: 'request_invalid', error_msg: 'No' })],
    },
    { outcome: refused(400, { code: 'request_invalid' }) },
  ],
  [
    'a refusal as a page is a refusal',
    { ...rule, answers: [text(403, 'text/html', '<h1>No</h1>')] },
    { outcome: refused(403) },
  ],
  [
    'an answer that is no JSON is no answer',
    { ...rule, answers: [text(200, 'application/json', '<html>')] },
    {
      outcome: { connection: true },
      requests: 1,
    },
  ],
  [
    'a refusal that is no JSON is no answer',
    { ...rule, answers: [text(404, 'application/json', '<html>')] },
    {
      outcome: { connection: true },
      requests: 1,
    },
  ],
  [
    'a broken connection is no answer',
    { ...rule, answers: [(reply) => void reply.destroy()] },
    {
      outcome: { connection: true },
      requests: 1,
    },
  ],
  [
    'a silent service is given up after the timeout',
    { ...rule, timeout: 1, answers: [silence] },
    {
      outcome: { connection: true },
      requests: 1,
    },
  ],
  [
    'a read is tried again after silence',
    { ...list, timeout: 1, answers: [silence, done] },
    { outcome: ok, requests: 2 },
  ],
  ['a read is tried again after faults that pass', { ...list, answers: passingFaults }, { outcome: ok, requests: 4 }],
  [
    'a payment is tried again with one key',
    { ...pay, answers: passingFaults },
    {
      outcome: ok,
      requests: 4,
      seen: (requests) => expect(new Set(header('idempotency-key')(requests)).size).toBe(1),
    },
  ],
  [
    'a caller’s key is kept',
    { ...pay, key: 'k-1', answers: [busy, done] },
    {
      outcome: ok,
      seen: (requests) => expect(header('idempotency-key')(requests)).toEqual(['k-1', 'k-1']),
    },
  ],
  [
    'a key among the headers is kept',
    { ...pay, headers: { 'Idempotency-Key': 'k-2' }, answers: [busy, done] },
    {
      outcome: ok,
      seen: (requests) => expect(header('idempotency-key')(requests)).toEqual(['k-2', 'k-2']),
    },
  ],
  [
    'no two calls have one key',
    { ...pay, times: 2, answers: [done] },
    {
      outcome: ok,
      seen: (requests) => expect(new Set(header('idempotency-key')(requests)).size).toBe(2),
    },
  ],
  ['a write without keys is sent once', { ...rule, answers: [busy] }, { outcome: later, requests: 1 }],
  ['attempts end', { ...list, answers: [busy] }, { outcome: later, requests: 4 }],
  ['attempts can be fewer', { ...list, attempts: 2, answers: [busy] }, { outcome: later, requests: 2 }],
  [
    'a conflict without retry-after is final',
    { ...pay, answers: [answer(409, { code: 'tid_reused' })] },
    {
      outcome: refused(409, { code: 'tid_reused' }),
      requests: 1,
    },
  ],
  [
    'retry-after that is no number is not followed',
    {
      ...list,
      answers: [answer(503, {}, { 'retry-after': 'Wed, 21 Oct 2099 07:28:00 GMT' }), done],
    },
    { outcome: ok, requests: 2 },
  ],
  [
    'a redirect is not followed',
    { ...list, attempts: 1, answers: [(reply) => void reply.writeHead(302, { location: '/other' }).end()] },
    {
      outcome: refused(302),
      requests: 1,
    },
  ],
  [
    'a user signs in once',
    { ...list, token: '', user, times: 1, answers: [signIn, done] },
    {
      outcome: ok,
      seen: (requests) => {
        expect(requests.map(({ path }) => path)).toEqual(['/api/v2/index.php/gettoken', '/api/v3/site/list']);
        expect(JSON.parse(requests[0]?.body ?? '')).toEqual(user);
        expect(header('authorization')(requests)).toEqual([undefined, 'Bearer a.b.c']);
      },
    },
  ],
  [
    'calls at once share a sign-in',
    { ...list, token: '', user, times: 8, answers: [signIn, done] },
    { outcome: ok, requests: 9 },
  ],
  [
    'a token that has run out is replaced',
    { ...list, user, answers: [unauthenticated, signIn, done] },
    {
      outcome: ok,
      seen: (requests) => expect(header('authorization')(requests)).toEqual(['Bearer t', undefined, 'Bearer a.b.c']),
    },
  ],
  [
    'a token without a user is not replaced',
    { ...list, answers: [unauthenticated] },
    {
      outcome: refused(401, { code: 'unauthenticated' }),
      requests: 1,
    },
  ],
  [
    'wrong credentials are a refusal',
    { ...list, token: '', user, answers: [answer(401, { code: 'credentials_wrong' })] },
    {
      outcome: refused(401, { code: 'credentials_wrong' }),
      requests: 1,
    },
  ],
  [
    'a site’s calls are signed',
    { ...pay, token: '', rcode: 'r', answers: [done] },
    {
      outcome: ok,
      seen: ([request]) => {
        expect(request?.headers['x-signature']).toMatch(/^t=\d+,v1=[\da-f]{64}$/);
        expect(request?.headers['rcode']).toBeUndefined();
      },
    },
  ],
  [
    'a body with a hash is not signed again',
    { ...pay, token: '', rcode: 'r', body: { hash: 'h' }, answers: [done] },
    {
      outcome: ok,
      seen: ([request]) => expect(request?.headers['x-signature']).toBeUndefined(),
    },
  ],
];

const requests = new Map<string, Request[]>();
const server = createServer((request, reply) => {
  const [, own = '', path = ''] = /^\/([^/]+)(\/.*)$/.exec(request.url ?? '') ?? [];
  const known = requests.get(own) ?? [];
  requests.set(own, known);
  let body = '';
  request.on('data', (part) => {
    body += part;
  });
  request.on('end', () => {
    known.push({ path, headers: request.headers, body });
    const { answers } = cases[Number(own.split('-')[1])]?.[1] ?? { answers: [done] };
    (answers[known.length - 1] ?? answers.at(-1) ?? done)(reply);
  });
});

const programs = {
  TypeScript: [process.execPath, 'driver.mjs'],
  Python: ['python3', 'driver.py'],
  PHP: ['php', 'driver.php'],
} as const;
type Language = keyof typeof programs;
const languages = Object.keys(programs) as Language[];
const isThere = (language: Language) => spawnSync(programs[language][0], ['--version']).status === 0;
for (const language of languages)
  if (!isThere(language)) process.stderr.write(`\n!!! SKIPPED: the contract of the ${language} client.\n\n`);

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  await Promise.all([
    buildClient(process.cwd(), join(folder, 'typescript')),
    buildPythonClient(process.cwd(), join(folder, 'python')),
    buildPhpClient(process.cwd(), join(folder, 'php')),
  ]);
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(join(folder, 'typescript'), join(folder, 'node_modules/forewarn-client'));
  for (const language of languages)
    cpSync(`test/client/drivers/${programs[language][1]}`, join(folder, programs[language][1]));
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
  rmSync(folder, { recursive: true, force: true });
});

describe.each(languages.filter(isThere))('the %s client', (language) => {
  let outcomes: unknown[];
  beforeAll(async () => {
    const { port } = server.address() as AddressInfo;
    const given = cases.map(([, { answers: _, token, ...one }], index) => ({
      ...one,
      ...(token && { token }),
      url: `http://127.0.0.1:${port}/${language}-${index}`,
    }));
    const [program, file] = programs[language];
    const { stdout } = await run(program, [join(folder, file)], {
      env: {
        PATH: process.env['PATH'],
        PYTHONPATH: join(folder, 'python'),
        PACKAGE: join(folder, 'php'),
        CASES: JSON.stringify(given),
      },
    });
    outcomes = JSON.parse(stdout);
  });

  it.each(cases.map(([title, , expected], index) => ({ title, expected, index })))('$title', ({ expected, index }) => {
    const seen = requests.get(`${language}-${index}`) ?? [];
    expect(outcomes[index]).toEqual(expected.outcome);
    if (expected.requests !== undefined) expect(seen).toHaveLength(expected.requests);
    expected.seen?.(seen);
  });
});
