import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import { handler as listSitesHandler } from '#accounts/merchants/api/list-sites/handler.ts';
import { listSitesOperation } from '#accounts/merchants/api/list-sites/operation.ts';
import { toSiteItem } from '#accounts/merchants/site/site-row.ts';
import type { Operation } from '#core/platform/operation/operation.ts';
import type { Item } from '#core/platform/table/table.ts';
import type { Alert } from '#disputes/alerts/alert.ts';
import { toAlertItem } from '#disputes/alerts/alert-row.ts';
import { handler as listAlertsHandler } from '#disputes/alerts/api/list-alerts/handler.ts';
import { listAlertsOperation } from '#disputes/alerts/api/list-alerts/operation.ts';
import { handler as listInformHandler } from '#disputes/alerts/api/list-inform-alerts/handler.ts';
import { listInformAlertsOperation } from '#disputes/alerts/api/list-inform-alerts/operation.ts';
import { handler as listUnmatchedHandler } from '#disputes/alerts/api/list-unmatched/handler.ts';
import { listUnmatchedOperation } from '#disputes/alerts/api/list-unmatched/operation.ts';
import { descriptorTerm } from '#disputes/alerts/search/alert-search.ts';
import { informKey, informWrites } from '#disputes/alerts/search/inform-row.ts';
import { handler as listEnrollmentsHandler } from '#disputes/enrollments/api/list-enrollments/handler.ts';
import { listEnrollmentsOperation } from '#disputes/enrollments/api/list-enrollments/operation.ts';
import { type Enrollment, newItems, withStatus } from '#disputes/enrollments/enrollment.ts';
import { toEnrollmentItem } from '#disputes/enrollments/enrollment-row.ts';
import { itemStatuses } from '#disputes/enrollments/enrollment-vocabulary.ts';
import { handler as listNotificationsHandler } from '#messaging/webhooks/api/list/handler.ts';
import { listNotificationsOperation } from '#messaging/webhooks/api/list/operation.ts';
import { type Delivery, deliveryIdOf, deliveryStates } from '#messaging/webhooks/delivery/delivery.ts';
import { deliveryKinds } from '#messaging/webhooks/delivery/delivery-policy.ts';
import { toDeliveryItem } from '#messaging/webhooks/delivery/delivery-row.ts';
import { anAlert, aSite } from '#test/disputes/alerts/samples.ts';
import { type CallCounter, sumCalls } from '#test/support/call-counter.ts';
import { call, gatewayEvent } from '#test/support/gateway-event.ts';
import { countRowsOf as countRows, writeRows } from '#test/support/many-rows.ts';

/** A list of the service: its rows, and the filters it can be asked with. */
export type BenchList = {
  name: string;
  operation: Operation;
  handler: (event: APIGatewayProxyEvent, context: Context) => Promise<APIGatewayProxyResult>;
  /** The n-th row, in order of time. */
  rowOf: (n: number) => Item;
  filters: Readonly<Record<string, Record<string, unknown>>>;
  /** The way a page far in is requested: `page` counts pages from 1 and, like `offset` alone, knows no cursor. */
  pageBy?: 'page' | 'offset';
};

const firstReceipt = Date.UTC(2026, 3, 1);
const spacingMilliseconds = 3000;
const nthTime = (n: number): string => new Date(firstReceipt + n * spacingMilliseconds).toISOString();
const nthId = (n: number): number => 1_000_000_000_000_000 + n;
const pick = <const T>(values: readonly [T, ...T[]], n: number): T => values[n % values.length] ?? values[0];

const site = aSite();
const sampleAlert = anAlert({}, site);
const alertAt = (n: number, owner: Alert['owner']): Alert => {
  // Numbers without a common divisor, so that every status meets every type.
  const type = pick(['FRAUD', 'DISPUTE', 'CANCEL'], n);
  const status = pick(['OPEN', 'RESOLVED', 'DECLINED', 'WIP', 'RESOLVED'], n);
  const [alertId, receivedAt] = [nthId(n), nthTime(n)];
  return { ...sampleAlert, alertId, receivedAt, status, owner, providerAlert: { ...sampleAlert.providerAlert, type } };
};

const deliveryAt = (n: number): Delivery => ({
  id: deliveryIdOf(nthId(n)),
  kind: pick(deliveryKinds, n),
  state: pick(deliveryStates, n),
  sid: site.sid,
  mid: site.mid,
  rid: site.rid,
  alertId: nthId(n),
  contentType: 'application/json',
  body: '{}',
  postbackUrl: null,
  createdAt: nthTime(n),
  expiresAt: nthTime(n + 1),
  nextAttemptAt: null,
  manualSlot: null,
  cancelledAt: null,
  lease: null,
  // Before an attempt it would appear in the list of its alert alone.
  attempts: [
    {
      ...{ id: 'first', at: nthTime(n), slot: nthTime(n), url: 'https://merchant.example/alerts', status: 503 },
      ...{ latencyMilliseconds: 80, error: 'http_status', response: '', responseTruncated: false, replyUpdate: null },
    },
  ],
  version: 1,
});

/** The row by which the n-th informational alert is found by a term; every 13th card is another. */
const informRow = (n: number, term: string): Item => {
  const alert = alertAt(n, sampleAlert.owner);
  const type = pick(['FRAUD_NOTICE', 'DISPUTE_NOTICE'], n);
  const writes = informWrites({ ...alert, providerAlert: { ...alert.providerAlert, type } }, site);
  const row = writes.find(({ Put }) => Put?.Item?.['pk'] === informKey(alert.alertId, term).pk)?.Put?.Item;
  if (!row) throw new Error(`No row for ${term}`);
  return row;
};

const enrollmentAt = (n: number): Enrollment => ({
  enrollmentId: n + 1,
  sid: site.sid,
  mid: site.mid,
  rid: site.rid,
  merchantName: site.merchantName,
  siteName: site.name,
  emailCcList: [],
  providedBy: 'manual',
  createdAt: nthTime(n),
  updatedAt: nthTime(n),
  items: newItems(
    [{ provider: ['provider_a', 'provider_b'], descriptor: `SHOP ${n}`, match_type: 'Exact' }],
    nthTime(n),
  ).map((item) => withStatus(item, pick(itemStatuses, n + item.number * (n % 2)), nthTime(n))),
  version: 1,
});

/** Every list there is, each with no filter, one, the other and both of those it knows. */
export const benchLists: readonly [BenchList, ...BenchList[]] = [
  {
    name: 'alerts',
    operation: listAlertsOperation,
    handler: listAlertsHandler,
    rowOf: (n) => toAlertItem(alertAt(n, sampleAlert.owner)),
    filters: {
      'no filter': {},
      'one filter': { status: 'OPEN' },
      'the other filter': { alert_type: 'DISPUTE' },
      'both filters': { status: ['OPEN', 'RESOLVED'], alert_type: ['DISPUTE', 'FRAUD'] },
    },
  },
  {
    name: 'notifications',
    operation: listNotificationsOperation,
    handler: listNotificationsHandler,
    rowOf: (n) => toDeliveryItem(deliveryAt(n)),
    filters: {
      'no filter': {},
      'one filter': { state: 'PENDING' },
      'the other filter': { kind: 'new_alert' },
      'both filters': { state: ['PENDING', 'DELIVERED'], kind: ['new_alert', 'postback'] },
    },
  },
  {
    name: 'sites',
    operation: listSitesOperation,
    handler: listSitesHandler,
    rowOf: (n) => toSiteItem(aSite({ sid: n + 1, createdAt: nthTime(n), type: pick(['alert', 'payment', '3ds'], n) })),
    filters: { 'no filter': {}, 'one filter': { type: 'alert' }, 'another value': { type: ['payment', '3ds'] } },
  },
  {
    name: 'unmatched alerts',
    operation: listUnmatchedOperation,
    handler: listUnmatchedHandler,
    rowOf: (n) => toAlertItem(alertAt(n + 500_000, null)),
    filters: { 'no filter': {} },
  },
  {
    name: 'informational alerts',
    operation: listInformAlertsOperation,
    handler: listInformHandler,
    rowOf: (n) => informRow(n, '*'),
    filters: { 'no filter': {}, 'one type': { field: 'alert_type', keyword: 'FRAUD_NOTICE' } },
    pageBy: 'page',
  },
  {
    name: 'informational alerts by keyword',
    operation: listInformAlertsOperation,
    handler: listInformHandler,
    rowOf: (n) => informRow(n, descriptorTerm(['SHOP', 'ONLINE'])),
    filters: { keyword: { field: 'descriptor', keyword: 'shop*online' } },
    pageBy: 'page',
  },
  {
    name: 'enrollments',
    operation: listEnrollmentsOperation,
    handler: listEnrollmentsHandler,
    rowOf: (n) => toEnrollmentItem(enrollmentAt(n)),
    filters: { 'no filter': {}, 'one status': { status: ['ENROLLED'] } },
    pageBy: 'offset',
  },
];

function* makeRows({ rowOf }: BenchList, count: number): Generator<Item> {
  for (let n = 0; n < count; n += 1) yield rowOf(n);
}

/** The rows of counters of a list of so many. */
export const countRowsOf = (list: BenchList, count: number): Item[] => countRows(makeRows(list, count));

/** Stores a long list with its counts, past the functions. */
export const storeMany = async (
  client: DynamoDBClient,
  list: BenchList,
  count: number,
  progress: (done: number) => void,
): Promise<void> => {
  const where = { client, table: 'forewarn-test' };
  await writeRows(where, makeRows(list, count), progress);
  await writeRows(where, countRowsOf(list, count));
};

/** The cost of one page: items of the list that were read or counted, and rows of counters and owners read by their keys. */
export type PageCost = {
  name: string;
  size: number;
  shown: number;
  itemsRead: number;
  itemsCounted: number;
  keysRead: number;
  readUnits: number;
  queries: number;
};

/**
 * The most items that a page may read: twice what it shows. With a filter, the lists of all alerts and notifications are nine
 * partitions for each facet, of up to five statuses and seven kinds, and a page reads one item more of each.
 */
export const maxItemsRead = (list: BenchList, { name, size }: Pick<PageCost, 'name' | 'size'>): number => {
  const facets = name.startsWith('no filter')
    ? 0
    : ({ alerts: 5, notifications: deliveryKinds.length }[list.name] ?? 0);
  return Math.max(2 * size, size + 9 * facets);
};

type PageReply = { list: unknown[]; totalResult: number; next_cursor?: string | null };

const readOne = async (list: BenchList, body: Record<string, unknown>): Promise<PageReply> => {
  const event = gatewayEvent({
    path: list.operation.path,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    authorizer: { scope: 'admin', subject: 'bench' },
  });
  const { status, body: reply } = await call(list.handler, event);
  if (status !== 200) throw new Error(`${list.name} answered ${status}`);
  return reply as PageReply;
};

/**
 * Reads pages of a list that holds `stored` rows: with each filter its first page, the one after that by cursor, and one
 * far in by offset.
 */
export const measurePages = async (
  list: BenchList,
  stored: number,
  size: number,
  counter: Pick<CallCounter, 'take'>,
  orders: readonly ('DESC' | 'ASC')[] = ['DESC', 'ASC'],
): Promise<PageCost[]> => {
  const costs: PageCost[] = [];
  const measure = async (name: string, body: Record<string, unknown>) => {
    counter.take();
    const page = await readOne(list, { size, ...body });
    const calls = counter.take();
    const queries = calls.filter(({ operation }) => operation === 'Query').length;
    const shown = page.list.length;
    costs.push({
      name,
      size,
      shown,
      queries,
      itemsRead: sumCalls(calls, 'itemsRead'),
      itemsCounted: sumCalls(calls, 'itemsCounted'),
      readUnits: sumCalls(calls, 'readUnits'),
      keysRead: sumCalls(calls, 'keysRead'),
    });
    return page;
  };
  for (const [filter, body] of Object.entries(list.filters)) {
    for (const order of orders) {
      const start = list.pageBy === 'offset' ? { offset: 0 } : {};
      const first = await measure(`${filter}, ${order}`, { ...body, ...start, order });
      if (!list.pageBy) await measure(`${filter}, ${order}, by cursor`, { ...body, order, cursor: first.next_cursor });
      const page = Math.floor((first.totalResult * 0.7) / size);
      const offset = list.pageBy ? page * size : Math.floor(first.totalResult * 0.7);
      const place = list.pageBy === 'page' ? { page: page + 1 } : { offset };
      await measure(`${filter}, ${order}, at offset ${offset} of ${stored}`, { ...body, order, ...place });
    }
  }
  return costs;
};
