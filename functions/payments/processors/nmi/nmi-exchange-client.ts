import type { KeylessFailure } from '../ports/keyless.ts';
import { exchange, exchangeMilliseconds, outcomeOfError } from '../ports/processor-exchange-client.ts';
import { warnOfUnknownStates } from '../unknown-state-client.ts';
import type { NmiReply } from './nmi-codes.ts';
import { type NmiTransaction, nmiActionTypes, nmiConditions, readNmiReport } from './nmi-transaction.ts';

/** The two addresses of an NMI account: transact.php moves money, query.php reports. https://docs.nmi.com/reference */

/** `base_url`: of a stand-in on this machine. */
export type NmiKeys = {
  security_key: string;
  environment: 'test' | 'live';
  base_url?: string | undefined;
};

export type NmiCredentials = NmiKeys & { webhook_key: string };

const nmiUrl = ({ environment, base_url }: NmiKeys): string =>
  base_url ?? (environment === 'live' ? 'https://secure.nmi.com' : 'https://sandbox.nmi.com');

type Sent = Readonly<Record<string, string>>;

/** One POST; returns the text, or why there is none. Nothing that it returns contains what was sent. */
const post = async (
  credentials: NmiKeys,
  { path, fields, isRepeatable, within }: { path: string; fields: Sent; isRepeatable: boolean; within: number },
): Promise<{ text: string } | KeylessFailure> => {
  try {
    const init = {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ security_key: credentials.security_key, ...fields }).toString(),
      signal: AbortSignal.timeout(within),
    };
    const response = await exchange(`${nmiUrl(credentials)}/api/${path}`, init, { isRepeatable });
    const text = await response.text();
    if (response.ok) return { text };
    return response.status === 429
      ? { outcome: 'EXC', code: 'processor_unavailable', reference: null, detail: 'nmi 429' }
      : { outcome: 'UNKNOWN', detail: `nmi ${response.status}` };
  } catch (error) {
    return outcomeOfError('nmi', error);
  }
};

/** Has NMI do something, once: it has no idempotency keys, so nothing is sent twice. */
export const transactAtNmi = async (
  credentials: NmiKeys,
  fields: Sent,
  within = exchangeMilliseconds,
): Promise<NmiReply | KeylessFailure> => {
  const answer = await post(credentials, { path: 'transact.php', fields, isRepeatable: false, within });
  if ('outcome' in answer) return answer;
  const said = new URLSearchParams(answer.text);
  const [response, transactionId] = [said.get('response') ?? '', said.get('transactionid') ?? ''];
  if (!/^[123]$/.test(response) || !said.has('response_code'))
    return { outcome: 'UNKNOWN', detail: 'nmi said nothing that can be read' };
  return {
    response,
    code: said.get('response_code') ?? '',
    text: said.get('responsetext') ?? '',
    transactionId,
    authCode: said.get('authcode') ?? '',
  };
};

/** As many as one answer may have; NMI counts its pages from 0. */
const pageSize = 100;
const maxPages = 10;

/** An answer of the Query API: transactions, or that it could not be asked. */
export type NmiFound = { transactions: readonly NmiTransaction[] } | { unasked: string; isCredentials: boolean };

/** Asks the Query API, page by page. */
export const queryNmi = async (
  credentials: NmiKeys,
  fields: Sent,
  within = exchangeMilliseconds,
): Promise<NmiFound> => {
  const transactions: NmiTransaction[] = [];
  for (let page = 0; page < maxPages; page += 1) {
    const found = await queryNmiPage(credentials, fields, page, within);
    if ('unasked' in found) return found;
    transactions.push(...found.transactions);
    if (found.isLast) return { transactions };
  }
  return { unasked: 'nmi has too many transactions that fit', isCredentials: false };
};

type NmiPage = { transactions: readonly NmiTransaction[]; isLast: boolean } | Extract<NmiFound, { unasked: string }>;

/** Asks the Query API for one page, counted from 0. */
export const queryNmiPage = async (
  credentials: NmiKeys,
  fields: Sent,
  page: number,
  within: number,
): Promise<NmiPage> => {
  const paged = { ...fields, result_limit: String(pageSize), page_number: String(page) };
  const found = await queryNmiOnce(credentials, paged, within);
  return 'unasked' in found ? found : { ...found, isLast: found.transactions.length < pageSize };
};

const queryNmiOnce = async (credentials: NmiKeys, fields: Sent, within: number): Promise<NmiFound> => {
  const answer = await post(credentials, { path: 'query.php', fields, isRepeatable: true, within });
  if ('outcome' in answer) return { unasked: answer.detail ?? '', isCredentials: false };
  const report = readNmiReport(answer.text);
  if (!report) return { unasked: 'nmi answered no report', isCredentials: false };
  if (!('error' in report)) {
    const { transactions } = report;
    const types = transactions.flatMap(({ actions }) => actions.map(({ type }) => type));
    warnOfUnknownStates(
      'nmi',
      transactions.map(({ condition }) => condition),
      nmiConditions,
    );
    warnOfUnknownStates('nmi', types, nmiActionTypes);
    return report;
  }
  return {
    unasked: 'nmi refused the question',
    isCredentials: /authentication|username|key|permission|not authorized/i.test(report.error),
  };
};
