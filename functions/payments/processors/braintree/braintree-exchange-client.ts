import type { FileOfEvidence } from '../ports/evidence-kinds.ts';
import type { KeylessFailure } from '../ports/keyless.ts';
import { toNode } from '../ports/outside-data.ts';
import type { OperationKind } from '../ports/processor.ts';
import { exchange, exchangeMilliseconds, outcomeOfError } from '../ports/processor-exchange-client.ts';
import { type BraintreeError, outcomeOfErrors } from './braintree-codes.ts';
import { type BraintreeTransaction, readTransaction } from './braintree-outcomes.ts';
import { type DocumentName, documents } from './braintree-requests.ts';

/** Braintree's GraphQL API: one address, one document per request. */

/** `base_url`: of a stand-in on this machine. */
export type BraintreeKeys = {
  public_key: string;
  private_key: string;
  environment: 'test' | 'live';
  base_url?: string | undefined;
};

/** `merchant_accounts`: by currency, which one is charged. */
export type BraintreeCredentials = BraintreeKeys & { merchant_accounts: Readonly<Record<string, string>> };

export type BraintreeAnswer = { data: Readonly<Record<string, unknown>> } | KeylessFailure;

/** The version of the API that its documents were written for. */
const apiVersion = '2019-01-01';

const graphQlUrl = ({ environment, base_url }: BraintreeKeys): string => {
  if (base_url !== undefined) return `${base_url}/graphql`;
  return environment === 'live'
    ? 'https://payments.braintree-api.com/graphql'
    : 'https://payments.sandbox.braintree-api.com/graphql';
};

type Asked = {
  document: DocumentName;
  variables: Readonly<Record<string, unknown>>;
  kind: OperationKind;
  within?: number;
  /** A file that the document is about. */
  file?: FileOfEvidence;
};

/** A document with a file, as a form. @see https://developer.paypal.com/braintree/graphql/integration_guides/uploading_files */
const uploadForm = (query: string, variables: Asked['variables'], { name, type, bytes }: FileOfEvidence): FormData => {
  const form = new FormData();
  const operations = JSON.stringify({ query, variables: { ...variables, file: null } });
  form.append('operations', new Blob([operations], { type: 'application/json' }));
  form.append('map', JSON.stringify({ file: 'variables.file' }));
  form.append('file', new Blob([new Uint8Array(bytes)], { type }), name);
  return form;
};

/**
 * Sends one document. If the connection breaks, queries are sent once more; anything that changes something is not, as Braintree
 * has no idempotency keys. Nothing that it returns contains what was sent.
 */
export const askBraintree = async (
  credentials: BraintreeKeys,
  { document, variables, kind, within = exchangeMilliseconds, file }: Asked,
): Promise<BraintreeAnswer> => {
  const query = documents[document];
  try {
    const init = {
      method: 'POST',
      headers: {
        authorization: `Basic ${Buffer.from(`${credentials.public_key}:${credentials.private_key}`).toString('base64')}`,
        'braintree-version': apiVersion,
        // A form states its own type, with its boundary.
        ...(!file && { 'content-type': 'application/json' }),
      },
      body: file ? uploadForm(query, variables, file) : JSON.stringify({ query, variables }),
      signal: AbortSignal.timeout(within),
    };
    const isRepeatable = query.startsWith('query') || document === 'tokenizeCreditCard';
    const response = await exchange(graphQlUrl(credentials), init, { isRepeatable });
    const text = await response.text();
    return response.ok ? readAnswer(text, kind) : outcomeOfStatus(response.status);
  } catch (error) {
    return outcomeOfError('braintree', error);
  }
};

const outcomeOfStatus = (status: number): KeylessFailure => {
  const code =
    status === 401 || status === 403 ? 'processor_credentials' : status === 429 ? 'processor_unavailable' : null;
  const detail = `braintree ${status}`;
  return code ? { outcome: 'EXC', code, reference: null, detail } : { outcome: 'UNKNOWN', detail };
};

const toError = (value: unknown): BraintreeError => {
  const { errorClass, legacyCode } = toNode(toNode(value)['extensions']);
  return {
    errorClass: typeof errorClass === 'string' ? errorClass : '',
    legacyCode: typeof legacyCode === 'string' ? legacyCode : '',
  };
};

/** Errors count even if there is data as well: then part of what was asked for is missing. */
const readAnswer = (text: string, kind: OperationKind): BraintreeAnswer => {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return { outcome: 'UNKNOWN', detail: 'braintree answered no JSON' };
  }
  const { data, errors } = toNode(body);
  if (Array.isArray(errors) && errors.length > 0) return outcomeOfErrors(errors.map(toError), kind);
  if (typeof data !== 'object' || data === null) return { outcome: 'UNKNOWN', detail: 'braintree answered no data' };
  return { data: { ...data } };
};

type LegacyType = 'TRANSACTION' | 'REFUND' | 'DISPUTE';

/** The API's identifier for one that Braintree's pages show. */
export const globalId = async (
  credentials: BraintreeKeys,
  legacyId: string,
  type: LegacyType,
  within = exchangeMilliseconds,
): Promise<{ id: string } | KeylessFailure> => {
  if (!/^\w{1,40}$/.test(legacyId)) return notFound;
  const answer = await askBraintree(credentials, {
    document: 'idFromLegacyId',
    variables: { legacyId, type },
    kind: 'pay',
    within,
  });
  if ('outcome' in answer) return answer;
  const id = answer.data['idFromLegacyId'];
  return typeof id === 'string' ? { id } : notFound;
};

const notFound: KeylessFailure = {
  outcome: 'EXC',
  code: 'not_found_at_processor',
  reference: null,
  detail: 'braintree: no such reference',
};

/** The object with an identifier; `EXC` only if there surely is none. */
export const readNode = async (
  credentials: BraintreeKeys,
  legacyId: string,
  type: LegacyType,
  within = exchangeMilliseconds,
): Promise<{ id: string; node: unknown } | KeylessFailure> => {
  const global = await globalId(credentials, legacyId, type, within);
  if ('outcome' in global) return global;
  const answer = await askBraintree(credentials, {
    document: 'node',
    variables: { id: global.id },
    kind: 'pay',
    within,
  });
  if ('outcome' in answer) return answer;
  const { node } = answer.data;
  return node === null || node === undefined ? notFound : { id: global.id, node };
};

export const readPayment = async (
  credentials: BraintreeKeys,
  legacyId: string,
  within = exchangeMilliseconds,
): Promise<{ id: string; payment: BraintreeTransaction } | KeylessFailure> => {
  const read = await readNode(credentials, legacyId, 'TRANSACTION', within);
  if ('outcome' in read) return read;
  const payment = readTransaction(read.node);
  return payment ? { id: read.id, payment } : notFound;
};

/** More pages are not useful: a search names a card or an order. */
const maxPages = 10;

type Search = {
  document: 'transactions' | 'refunds' | 'disputes';
  input: Readonly<Record<string, unknown>>;
  within?: number;
};

/** A page of what a search finds; or why it could not be made. `next`: the cursor of the following page; null: it was the last. */
export const searchBraintreePage = async (
  credentials: BraintreeKeys,
  { document, input, within = exchangeMilliseconds }: Search,
  after: string | null,
): Promise<{ nodes: unknown[]; next: string | null } | { unasked: string }> => {
  const variables: Record<string, unknown> = { input, after };
  const answer = await askBraintree(credentials, { document, variables, kind: 'pay', within });
  if ('outcome' in answer) return { unasked: answer.detail ?? '' };
  const found = toNode(toNode(answer.data['search'])[document]);
  const edges: unknown[] = Array.isArray(found['edges']) ? found['edges'] : [];
  const { hasNextPage, endCursor } = toNode(found['pageInfo']);
  const next = hasNextPage === true && typeof endCursor === 'string' ? endCursor : null;
  if (next !== null && next === after) return { unasked: 'braintree repeats a page of its list' };
  return { nodes: edges.map((edge) => toNode(edge)['node']), next };
};

/** Everything that a search finds; or why it could not be made, which says nothing about what it looks for. */
export const searchBraintree = async (
  credentials: BraintreeKeys,
  search: Search,
): Promise<{ nodes: unknown[] } | { unasked: string }> => {
  const nodes: unknown[] = [];
  let after: string | null = null;
  for (let page = 1; page <= maxPages; page += 1) {
    const found: Awaited<ReturnType<typeof searchBraintreePage>> = await searchBraintreePage(
      credentials,
      search,
      after,
    );
    if ('unasked' in found) return found;
    nodes.push(...found.nodes);
    if (found.next === null) return { nodes };
    after = found.next;
  }
  return { unasked: 'braintree has too much that fits' };
};
