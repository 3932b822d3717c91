import { createHmac } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { escapeHtml } from '#core/kernel/html.ts';
import { bodyOfRefusal, type ErrorCode, Refusal, refusals } from '#core/platform/operation/errors.ts';
import type { Operation } from '#core/platform/operation/operation.ts';
import { operations as everyOperation } from '#functions/operations.ts';
import { answerProblems, isRefusedUnread, requestProblems, type Sent } from './api-document.ts';
import { foreignPairs, type OwnIds } from './foreign-ids.ts';
import { holdsPlanted, learnPlanted, listPlaces, listRequests, plantedCalls } from './planted-cards.ts';
import type { CallReply, TestStack } from './stack.ts';

/** Calls every operation of some areas badly, through the gateway, in each way that its declaration speaks of. */

type Fields = Record<string, unknown>;
export type Change = {
  as?: 'admin' | 'merchant' | 'otherTenant';
  /** Those that are not in the path go into the query. */
  params?: Record<string, string | number>;
  body?: Fields;
  headers?: Record<string, string>;
};

/** An error in a call, and the field that must be named. */
export type Wrong = Change & { names: string };
/**
 * A call that is refused. `after`: one that is made first; `prepare`: creates the subject of the call, and returns the call.
 * `'race'`: only a concurrent call causes it.
 */
type Refused = (Change & { after?: Change; prepare?: () => Promise<Change> }) | 'race';

/** The right call of an operation, and the changes that make the operation refuse it. */
export type BadCalls = Change & {
  /** Values that are not allowed, by field. At least one of the path or query, if it has any; and one of the body. */
  wrongParams?: Readonly<Record<string, readonly (string | number)[]>>;
  wrongBody?: Readonly<Record<string, readonly unknown[]>>;
  /** Those that more than the field itself makes wrong. */
  wrong?: readonly Wrong[];
  /** Each refusal that the operation declares. */
  refused?: Partial<Record<ErrorCode, Refused>>;
  /** For a list that refuses no ids: a call for another tenant's. */
  unseen?: Change;
  /** A call for another tenant's, and one for what does not exist: their answers must be the same. */
  alike?: readonly [theirs: Change, nobodys: Change];
};

/** Every wrong value of a call, with the field that must be named. */
export const listWrong = ({ wrongParams = {}, wrongBody = {}, wrong = [] }: BadCalls): readonly Wrong[] => [
  ...toEach(wrongParams, (names, value) => ({ params: { [names]: value }, names })),
  ...toEach(wrongBody, (names, value) => ({ body: { [names]: value }, names })),
  ...wrong,
];

const toEach = <T>(
  values: Readonly<Record<string, readonly T[]>>,
  toWrong: (names: string, value: T) => Wrong,
): Wrong[] => Object.entries(values).flatMap(([names, all]) => all.map((value) => toWrong(names, value)));

export type Scene = {
  service: TestStack;
  tokens: Record<'admin' | 'merchant' | 'otherTenant', string>;
  calls: Record<string, BadCalls>;
  /** A merchant, a retailer and a site of the other tenant's own. */
  own: OwnIds;
};

const fullName = ({ area, name }: Operation) => `${area}/${name}`;
const findCalls = ({ calls }: Scene, operation: Operation): BadCalls => {
  const found = calls[fullName(operation)];
  if (!found) {
    throw new Error(
      `There are no bad calls of ${fullName(operation)}: export them as badCalls from test/${fullName(operation)}.bad-calls.ts`,
    );
  }
  return found;
};

/** Of providers of alerts; processors sign in ways of their own. */
const signCall = ({ service }: Scene, operation: Operation, body: string): Record<string, string> => {
  const provider = operation.path.split('/')[4] as keyof typeof service.credentials.providers;
  const secret = service.credentials.providers[provider];
  if (secret === undefined) return {};
  const seconds = Math.floor(service.clock.now().getTime() / 1000);
  return {
    'x-signature': `t=${seconds},v1=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')}`,
  };
};

const toPairs = (fields: Fields): [string, string][] =>
  Object.entries(fields).map(([name, value]) => [name, String(value)]);

const fillPath = ({ path }: Operation, params: Record<string, string | number>): string => {
  const inPath = new Set([...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name));
  const address = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const query = toPairs(params).filter(([name]) => !inPath.has(name));
  return query.length > 0 ? `${address}?${new URLSearchParams(query)}` : address;
};

/** Where calls and answers of this file were not as the API document has them. */
const undocumented = new Set<string>();

const watch = (operation: Operation, sent: Sent, { status, headers, text }: CallReply): void => {
  const answered = answerProblems(operation, sent, { status, headers: Object.fromEntries(headers), body: text });
  const asked = isRefusedUnread(status) ? [] : requestProblems(operation, sent);
  for (const problem of [...answered, ...asked]) undocumented.add(`${fullName(operation)}: ${problem}`);
};

/** Calls an operation rightly but for a change. `raw`: sent in the place of the body. */
const send = async (scene: Scene, operation: Operation, change: Change, raw?: string): Promise<CallReply> => {
  const { service } = scene;
  const { address, ...request } = makeRequest(scene, operation, change, raw);
  const reply = await service.call(address, request);
  watch(operation, toSent(address, request), reply);
  return reply;
};

const toSent = (address: string, { headers, body }: { headers: Record<string, string>; body?: string }): Sent => {
  const { pathname, searchParams } = new URL(address, 'http://localhost');
  const contentType = headers['content-type'] ?? 'application/json';
  return { path: pathname, query: Object.fromEntries(searchParams), contentType, body: body ?? '' };
};

const makeRequest = (scene: Scene, operation: Operation, change: Change, raw?: string) => {
  const { service, tokens } = scene;
  const right = findCalls(scene, operation);
  const isForm = operation.formats?.includes('json') === false;
  const fields = { ...right.body, ...change.body };
  const body = raw ?? (isForm ? String(new URLSearchParams(toPairs(fields))) : JSON.stringify(fields));
  const isGuarded = operation.auth === 'bearer' || operation.auth === 'admin';
  return {
    address: fillPath(operation, { ...right.params, ...change.params }),
    method: operation.method,
    ...(isGuarded && { token: tokens[change.as ?? right.as ?? 'merchant'] }),
    ...(operation.body && { body }),
    headers: {
      ...(isForm && { 'content-type': 'application/x-www-form-urlencoded' }),
      ...(operation.auth === 'provider' && signCall(scene, operation, body)),
      ...(operation.auth === 'site' && { rcode: service.credentials.site.rcode }),
      ...right.headers,
      ...change.headers,
    },
  };
};

const getEntries = (schema: unknown): object =>
  typeof schema === 'object' && schema !== null && 'entries' in schema ? Object(schema.entries) : {};
const takesFields = ({ body }: Operation) =>
  body !== undefined && (!('entries' in body) || Object.keys(getEntries(body)).length > 0);
/** Lists whose ids are filters only: another tenant's are absent. */
const isSilent = ({ body, auth, errors }: Operation) =>
  auth === 'bearer' && errors.length === 0 && ['mid', 'sid'].some((id) => id in getEntries(firstPiped(body)));
const firstPiped = (schema: unknown): unknown =>
  typeof schema === 'object' && schema !== null && 'pipe' in schema && Array.isArray(schema.pipe)
    ? schema.pipe.find((one) => 'entries' in Object(one))
    : schema;

/** The operations that every merchant may read: sites name one. */
const everybodys: readonly string[] = ['fraud/fraud-template-details'];

/** Returns a refusal without its details. */
const refusalWords = (code: ErrorCode): object => {
  const { details: _, ...words } = bodyOfRefusal(new Refusal(code)) as Record<string, unknown>;
  return words;
};

/** That a reply is a refusal, in the shape that its operation declares. Answers its details. */
const checkDetails = (
  { errorShape = 'plain' }: Operation,
  code: ErrorCode,
  { status, body, text, headers }: CallReply,
  about: string = code,
): string => {
  expect([status, text], about).toEqual([refusals[code].status, expect.any(String)]);
  if (errorShape === 'page') {
    expect(headers.get('content-type')).toContain('text/html');
    expect(text).toContain(`<h1>${escapeHtml(refusals[code].msg)}</h1>`);
    return /<p class="quiet">(.*)<\/p>/.exec(text)?.[1] ?? '';
  }
  if (errorShape === 'transaction') {
    expect(body, code).toEqual({
      status: 'EXC',
      error_code: code,
      error_msg: expect.any(String),
      doc: `/errors/${code}`,
    });
    return String(body['error_msg']);
  }
  expect(body, code).toEqual(expect.objectContaining(refusalWords(code)));
  return String(body['details']);
};

/**
 * Defines the tests. `scene`: the subjects of the calls, once created. `ownerless`: the operations without an owner; all others
 * must answer alike for another tenant's and for what does not exist.
 */
export const testBadCalls = (areas: readonly string[], scene: () => Scene, ownerless?: readonly string[]): void => {
  const operations: Operation[] = everyOperation.filter(({ area }) => areas.includes(area));
  const those = (filter: (operation: Operation) => unknown) => operations.filter(filter);

  it.each(operations)('$area/$name has bad calls for all that it takes and refuses', (operation) => {
    const calls = findCalls(scene(), operation);
    const { refused = {}, unseen } = calls;
    const wrong = listWrong(calls);
    const name = fullName(operation);
    expect(
      wrong.some(({ params }) => params),
      `${name}: a value of its path or query that is not allowed`,
    ).toBe(operation.params !== undefined);
    expect(
      wrong.some(({ body }) => body),
      `${name}: a value of its body that is not allowed`,
    ).toBe(takesFields(operation));
    expect(Object.keys(refused).sort(), `${name}: a call for each refusal that it declares, and for no other`).toEqual(
      [...operation.errors].sort(),
    );
    const races = Object.entries(refused).filter(([code, how]) => how === 'race' && code !== 'changed_meanwhile');
    expect(races, `${name}: refusals that no race brings about`).toEqual([]);
    expect(unseen !== undefined, `${name}: a call for what is somebody else's, as it refuses none`).toBe(
      isSilent(operation),
    );
  });

  it.each(those(({ params, body }) => params ?? body))('$area/$name names each wrong field', async (operation) => {
    for (const { names, ...change } of listWrong(findCalls(scene(), operation))) {
      const details = checkDetails(operation, 'request_invalid', await send(scene(), operation, change), names);
      expect(details).toMatch(new RegExp(`^${names.replaceAll('.', '\\.')}: `));
      if (change.body || change.params === undefined) continue;
      const { address, ...request } = makeRequest(scene(), operation, change);
      const problems = requestProblems(operation, toSent(address, request));
      expect(problems, `${names}: the API document must refuse it too`).not.toEqual([]);
    }
  });

  it.each(those(({ errors }) => errors.length > 0))('$area/$name refuses what it declares', async (operation) => {
    for (const [code, how] of Object.entries(findCalls(scene(), operation).refused ?? {})) {
      if (how === 'race') continue;
      const { after, prepare, ...change } = how;
      if (after) expect((await send(scene(), operation, after)).status, code).toBe(200);
      const reply = await send(scene(), operation, { ...change, ...(await prepare?.()) });
      checkDetails(operation, code as ErrorCode, reply);
    }
  });

  it.each(those(({ body }) => body))('$area/$name takes no other content type', async (operation) => {
    const reply = await send(scene(), operation, { headers: { 'content-type': 'text/xml' } }, '<xml/>');
    // Where a browser's cookie counts, a request that no page of the service would send is refused before it is parsed.
    const isForPages = operation.errors.includes('cross_site');
    const details = checkDetails(operation, isForPages ? 'cross_site' : 'content_type_unsupported', reply);
    expect(details).toMatch(/^Send content-type /i);
  });

  it.each(those(isSilent))('$area/$name shows nothing of what is somebody else’s', async (operation) => {
    const { status, body } = await send(scene(), operation, findCalls(scene(), operation).unseen ?? {});
    expect([status, body['list'], body['totalResult']]).toEqual([200, [], 0]);
  });

  const owned = ownerless === undefined ? [] : those((operation) => !ownerless.includes(fullName(operation)));
  it.each(owned)('$area/$name answers what is somebody else’s as what does not exist', async (operation) => {
    const [theirs, nobodys] = await Promise.all(
      (findCalls(scene(), operation).alike ?? []).map((change) => send(scene(), operation, change)),
    );
    expect(theirs?.status).toBeOneOf([401, 404]);
    expect([theirs?.status, theirs?.text]).toEqual([nobodys?.status, nobodys?.text]);
  });

  it('knows of no operation that does not exist', () =>
    expect(Object.keys(scene().calls).sort()).toEqual(operations.map(fullName).sort()));

  it.each(those((operation) => operation.auth === 'bearer' && !everybodys.includes(fullName(operation))))(
    '$area/$name tells another tenant nothing of what there is',
    async (operation) => {
      const { params = {}, body = {} } = findCalls(scene(), operation);
      for (const { name, theirs, nobodys } of foreignPairs(operation, { params, body }, scene().own)) {
        const [one, other] = [
          await send(scene(), operation, { as: 'otherTenant', ...theirs }),
          await send(scene(), operation, { as: 'otherTenant', ...nobodys }),
        ];
        expect([one.status, one.text], name).toEqual([other.status, other.text]);
        expect(one.headers.get('content-type'), name).toBe(other.headers.get('content-type'));
      }
    },
  );

  describe('with a card number in each field in turn', () => {
    beforeAll(learnPlanted);

    it.each(those(({ params, body }) => params ?? body))('$area/$name answers without failing', async (operation) => {
      const { params = {}, body = {} } = findCalls(scene(), operation);
      for (const { field, ...change } of plantedCalls(operation, { params, body })) {
        const { address, ...request } = makeRequest(scene(), operation, change as Change);
        const { status } = await scene().service.call(address, request);
        expect(status, field).toBeLessThan(500);
      }
    });

    it('keeps and repeats it nowhere', async () => {
      const { service } = scene();
      await service.untilIdle();
      for (const operation of operations) {
        const { address, ...request } = makeRequest(scene(), operation, {});
        await service.call(address, request);
      }
      await service.untilIdle();
      expect(listRequests(service).filter(holdsPlanted).length).toBeGreaterThan(operations.length);
      const found = listPlaces(service).filter(({ text }) => holdsPlanted(text));
      // Rows and keys are searched when the stack stops: see secret-leak-scan.ts.
      expect(found.map(({ place, text }) => `${place}: ${text.slice(0, 200)}`)).toEqual([]);
    });
  });

  it('takes and answers what the API document says', () => expect([...undocumented]).toEqual([]));

  it('lets no function do what it was not granted, and fails nowhere', () => {
    expect(scene().service.problems).toEqual([]);
    expect(scene().service.invocations.filter(({ error }) => error)).toEqual([]);
  });
};
