/**
 * The baseline for update-alert: the same operation in one file, on the AWS SDK alone, without a framework or a schema library.
 * It makes the same checks, the same two calls and the same rows; a test compares what both send. Of the service it imports types
 * only, which leave no code.
 */
import { createHash } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { BatchGetCommand, DynamoDBDocumentClient, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import type { Alert } from '#disputes/alerts/alert.ts';
import type { AlertUpdate } from '#disputes/alerts/answer/alert-update.ts';

type Item = Record<string, unknown>;
type Detail = { duplicate_alertid?: string; userid?: string; username?: string };

const client = DynamoDBDocumentClient.from(new DynamoDBClient({}), {
  marshallOptions: { removeUndefinedValues: true },
});
const table = process.env['TABLE_NAME'] ?? '';

const all = ['001', '002', '003'];
const common: Record<string, readonly [string, readonly string[]]> = {
  '100': ['RESOLVED', ['001', '003']],
  '101': ['RESOLVED', all],
  '102': ['RESOLVED', ['003']],
  '900': ['DECLINED', ['002']],
  '901': ['DECLINED', ['002']],
  '902': ['DECLINED', ['002']],
  '940': ['DECLINED', all],
  '950': ['DECLINED', ['002']],
  '951': ['RESOLVED', ['001', '003']],
  '952': ['DECLINED', ['001', '002']],
  '953': ['DECLINED', ['001', '002']],
  '954': ['DECLINED', ['001', '002']],
  '999': ['WIP', ['002']],
};
const providerA = { ...common, '103': ['RESOLVED', all], '956': ['DECLINED', all], '998': ['RESOLVED', all] } as const;
const providerB = {
  ...common,
  '100': ['RESOLVED', ['001']],
  '101': ['RESOLVED', ['001']],
  '956': ['DECLINED', ['001', '002']],
  '957': ['DECLINED', ['002']],
} as const;
const decimalsOf: Record<string, number> = {};
for (const [decimals, currencies] of [
  'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF',
  '',
  'AED ARS AUD BGN BRL CAD CHF CNY COP CZK DKK EGP EUR GBP HKD HUF IDR ILS INR MAD MXN MYR NGN NOK NZD PEN PHP PLN QAR RON RSD SAR SEK SGD THB TRY TWD UAH USD ZAR',
  'BHD IQD JOD KWD LYD OMR TND',
].entries()) {
  for (const currency of currencies.split(' ')) decimalsOf[currency] = decimals;
}

class Problem extends Error {
  readonly status: number;
  readonly details: string;
  constructor(status: number, message: string, details = '') {
    super(message);
    this.status = status;
    this.details = details;
  }
}

const invalid = (details: string) => new Problem(400, 'The request is not valid', details);
const wrongRcode = () =>
  new Problem(401, 'The rcode is missing or wrong', 'Send the rcode of the site in the header rcode.');

const maskCards = (text: string) =>
  text.replace(/(?<!\d)([2-6]\d{5})\d{3,9}(\d{4})(?!\d)/g, (_match, first, last) => `${first}******${last}`);

const readText = (body: Item, name: string, longest: number): string | undefined => {
  const value = body[name];
  if (value === undefined || value === null || value === '') return undefined;
  if (typeof value !== 'string') throw invalid(`${name}: must be text`);
  const text = value.trim();
  if (text.length > longest) throw invalid(`${name}: must have at most ${longest} characters`);
  return maskCards(text);
};

type Call = Pick<APIGatewayProxyEvent, 'headers' | 'body' | 'isBase64Encoded'>;

const readBody = (event: Call): Item => {
  const type = Object.entries(event.headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
  if (!/^application\/json(\s*;.*)?$/i.test(type)) {
    throw new Problem(415, 'The content type is not supported', 'Send Content-Type application/json.');
  }
  const text = Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8').toString('utf8');
  if (Buffer.byteLength(text) > 262_144) throw new Problem(413, 'The body is too large', 'Send at most 262144 bytes.');
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw invalid('body: is not valid JSON');
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw invalid('body: must be an object');
  return body as Item;
};

const readDetails = (body: Item): Detail[] =>
  ['tx_details', 'txdetails'].flatMap((name) => {
    const value = typeof body[name] === 'string' ? JSON.parse(body[name] || '[]') : (body[name] ?? []);
    return [value].flat().map((detail: Item) => {
      if (typeof detail !== 'object' || detail === null) throw invalid(`${name}: must be a list of objects`);
      const { duplicate_alertid: id, userid, username } = detail;
      if (id !== undefined && !/^[1-9]\d{0,15}$/.test(String(id))) throw invalid(`${name}.duplicate_alertid: is wrong`);
      return {
        ...(id !== undefined && { duplicate_alertid: String(id) }),
        ...(userid !== undefined && { userid: maskCards(String(userid)) }),
        ...(username !== undefined && { username: maskCards(String(username)) }),
      };
    });
  });

const readAmount = (body: Item, currency: string | undefined): string | undefined => {
  const amount = body['alert_outcome_amount'];
  if (amount === undefined || amount === null || amount === '') return undefined;
  const decimals = currency === undefined ? undefined : decimalsOf[currency];
  if (decimals === undefined) throw invalid('alert_outcome_amount: requires alert_outcome_currency as well');
  if (typeof amount !== 'string' || !/^(0|[1-9]\d{0,14})(\.\d{1,4})?$/.test(amount)) {
    throw invalid('alert_outcome_amount: must be a decimal such as 10.50');
  }
  const [whole = '', fraction = ''] = amount.split('.');
  if (fraction.length > decimals) throw invalid('alert_outcome_amount: has more decimals than its currency');
  return decimals === 0 ? whole : `${whole}.${fraction.padEnd(decimals, '0')}`;
};

const readUpdate = (body: Item): { alertId: number; update: AlertUpdate } => {
  const { alert_id: id, status, reason_code: reason } = body;
  if (!/^[1-9]\d{0,15}$/.test(String(id))) throw invalid('alert_id: must be a whole number above 0');
  if (status !== 'RESOLVED' && status !== 'DECLINED' && status !== 'WIP' && status !== 'OTHER') {
    throw invalid('status: must be RESOLVED, DECLINED, WIP or OTHER');
  }
  if (typeof reason !== 'string' || !/^\d{3}\.\d{3}$/.test(reason))
    throw invalid('reason_code: must be such as 100.001');
  const currency = readText(body, 'alert_outcome_currency', 3);
  if (currency !== undefined && decimalsOf[currency] === undefined) throw invalid('alert_outcome_currency: is unknown');
  const amount = readAmount(body, currency);
  const date = readText(body, 'alert_outcome_action_date', 40);
  if (date !== undefined && Number.isNaN(Date.parse(date))) throw invalid('alert_outcome_action_date: is no time');
  const comments = readText(body, 'comments', 2000);
  const notes = readText(body, 'merchant_notes', 5000);
  const details = readDetails(body);
  const update = {
    status,
    reason_code: reason,
    ...(amount !== undefined && { alert_outcome_amount: amount }),
    ...(currency !== undefined && { alert_outcome_currency: currency }),
    ...(date !== undefined && { alert_outcome_action_date: new Date(date).toISOString() }),
    ...(comments !== undefined && { comments }),
    ...(notes !== undefined && { merchant_notes: notes }),
    ...(details.length > 0 && { tx_details: details }),
  } as const;
  return { alertId: Number(id), update };
};

const sortedJson = (value: object) =>
  JSON.stringify(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));

/** The alert's next state; undefined if the update says nothing new. */
const apply = (alert: Alert, update: AlertUpdate, own: ReadonlySet<string>, at: string): Alert | undefined => {
  const { type, provider } = alert.providerAlert;
  if (type === 'DISPUTE_RDR' || type === 'DISPUTE_NOTICE' || type === 'FRAUD_NOTICE') {
    throw new Problem(
      409,
      'This type of alert takes no outcome',
      `alert_id: an alert of type ${type} is informational and takes no answer.`,
    );
  }
  const [reason = '', result = ''] = update.reason_code.split('.');
  const known: Record<string, readonly [string, readonly string[]]> = provider === 'provider_b' ? providerB : providerA;
  const [outcome, results] = known[reason] ?? ['', []];
  const fits = update.status === 'WIP' || update.status === 'OTHER' || update.status === outcome;
  if (!fits || !results.includes(result)) throw new Problem(400, 'The reason code is not allowed here');
  if (update.reason_code === '900.002' && !update.comments) throw invalid('comments: must say why nothing is refunded');
  const named = (update.tx_details ?? []).flatMap(({ duplicate_alertid: id }) => id ?? []);
  if (reason === '940' && (named.length === 0 || named.some((id) => !own.has(id) || id === String(alert.alertId)))) {
    throw invalid('tx_details.0.duplicate_alertid: must be another alert of the site');
  }
  if (provider === 'provider_b' && reason === '101' && update.alert_outcome_amount === undefined) {
    throw invalid('alert_outcome_amount: must be given with this reason code');
  }
  if (alert.update && sortedJson(alert.update) === sortedJson(update) && alert.status === update.status)
    return undefined;
  if (alert.status !== 'OPEN' && alert.status !== 'WIP' && alert.status !== 'OTHER') {
    throw new Problem(409, 'The alert already has another outcome', `status: the alert is ${alert.status}.`);
  }
  const late = alert.late || (alert.deadlineAt !== null && at > alert.deadlineAt);
  const outcomes = alert.outcomes + 1;
  const said = result === '001' ? { ...update, refunded_by: 'merchant' as const } : update;
  return { ...alert, status: update.status, update: said, updatedAt: at, late, outcomes, version: alert.version + 1 };
};

/** The lists of all items are spread over eight. */
const spread = (scope: string, position: string): string => {
  if (scope !== 'all') return scope;
  const id = position.slice(position.indexOf('#') + 1);
  return `all.${[...id].reduce((sum, character) => sum + character.charCodeAt(0), 0) % 8}`;
};

const listFields = (entity: string, scopes: readonly (string | null)[], leaf: string, position: string): Item => ({
  listSk: position,
  listLeaf: leaf,
  ...Object.fromEntries(
    scopes.flatMap((scope, index) =>
      scope === null
        ? []
        : [
            [`list${index + 1}Pk`, `${entity}#${spread(scope, position)}`],
            ...(/^A\d/.test(scope) ? [] : [[`list${index + 1}fPk`, `${entity}#${spread(scope, position)}#${leaf}`]]),
          ],
    ),
  ),
});

const dueFields = (kind: string, at: string, id: string): Item => ({
  duePk: `DUE#${[...id].reduce((sum, character) => sum + character.charCodeAt(0), 0) % 16}`,
  dueSk: `${at}#${kind}#${id}`,
});

const alertRow = (item: Item, alert: Alert): Item => {
  const { alertId, owner, status, providerAlert, receivedAt, deadlineAt } = alert;
  const open = status === 'OPEN' || status === 'WIP' || status === 'OTHER';
  const { duePk, dueSk, ...kept } = item;
  const scopes = ['all', `M${owner?.mid}`, `R${owner?.rid}`, `S${owner?.sid}`];
  return {
    ...kept,
    ...listFields('ALERT', scopes, `${status}|${providerAlert.type}`, `${receivedAt}#${alertId}`),
    ...(open && deadlineAt !== null && !alert.deadlinePassed && { duePk, dueSk }),
    open,
    version: alert.version,
    summary: {
      ...(item['summary'] as Item),
      status,
      reason_code: alert.update?.reason_code ?? null,
      late: alert.late,
      ...(alert.update?.refunded_by && { refunded_by: alert.update.refunded_by }),
    },
    alert,
  };
};

const followed = ({ status, update, late }: Alert): Item => ({
  status,
  reason_code: update?.reason_code ?? null,
  alert_outcome_amount: update?.alert_outcome_amount ?? null,
  alert_outcome_currency: update?.alert_outcome_currency ?? null,
  alert_outcome_action_date: update?.alert_outcome_action_date ?? null,
  refunded_by: update?.refunded_by ?? null,
  refunded_elsewhere: update?.refunded_elsewhere ?? null,
  comments: update?.comments ?? null,
  merchant_notes: update?.merchant_notes ?? null,
  tx_details: update?.tx_details ?? null,
  late: late || null,
});

const historyRow = (before: Alert, after: Alert, at: string): Item => {
  const [old, fresh] = [followed(before), followed(after)];
  const changed = Object.keys(fresh).filter((name) => JSON.stringify(old[name]) !== JSON.stringify(fresh[name]));
  const only = (fields: Item) => Object.fromEntries(changed.map((name) => [name, fields[name]]));
  return {
    pk: `ALERT#${after.alertId}`,
    sk: `HISTORY#v${String(after.version).padStart(9, '0')}`,
    entity: 'HISTORY',
    schemaVersion: 1,
    at,
    by: `site ${after.owner?.sid}`,
    via: 'update',
    change: { event: 'updated', from: only(old), to: only(fresh) },
  };
};

/** The outcome of an answer for provider_a or provider_b; the status update waits for it. */
const outcomeRow = (alert: Alert, sent: AlertUpdate, notify: boolean, at: string): Item => {
  const { refunded_by, ...update } = alert.update ?? sent;
  const { alertId, outcomes: number, providerAlert, receivedAt, deadlineAt } = alert;
  const { provider, caseId } = providerAlert;
  const { mid, sid } = alert.owner ?? {};
  const id = `out_${provider === 'provider_a' ? 'a' : 'b'}_${alertId}_${number}`;
  const now = Date.parse(at);
  const hour = 3_600_000;
  const time = (one: number, other: number) => new Date(Math.max(one, other)).toISOString();
  const isFinal = update.status === 'RESOLVED' || update.status === 'DECLINED';
  const expiresAt = time(Date.parse(receivedAt) + 72 * hour, now + hour);
  const late = isFinal && deadlineAt !== null;
  const shared = { id, provider, sid, mid, state: 'PENDING' };
  const summary = {
    ...shared,
    alert_id: alertId,
    provider_case_id: caseId,
    final: isFinal,
    status: update.status,
    reason_code: update.reason_code,
    created_at: at,
    sent_at: null,
    accepted_at: null,
    next_attempt_at: at,
    expires_at: expiresAt,
    attempts: 0,
    error: null,
  };
  return {
    pk: `OUTCOME#${id}`,
    sk: 'OUTCOME',
    entity: 'OUTCOME',
    schemaVersion: 1,
    ...(number > 1 && {
      ...listFields('OUTCOME', ['all', `M${mid}`, null, `S${sid}`], `PENDING|${provider}`, `${at}#${id}`),
      summary,
    }),
    ...dueFields('OUTCOME', at, id),
    visitAt: at,
    ...shared,
    alertId,
    number,
    caseId,
    isFinal,
    update,
    sent,
    createdAt: at,
    startedAt: at,
    expiresAt,
    nextAttemptAt: at,
    statusDueAt: notify ? time(now + hour, 0) : null,
    lateAt: late ? time(Date.parse(deadlineAt) - 2 * hour, now + hour / 4) : null,
    attempts: [],
    attemptCount: 0,
    hasUnknownAttempt: false,
    acceptedAt: null,
    error: null,
    mark: null,
    version: 1,
  };
};

const cancelWrite = (delivery: Item, at: string) => {
  const { id, mid, sid, alertId, kind, createdAt } = delivery;
  const scopes = ['all', `M${mid}`, `A${alertId}`, `S${sid}`];
  const lists = Object.entries(listFields('DELIVERY', scopes, `CANCELLED|${kind}`, `${createdAt}#${id}`));
  const moved = lists.filter(([name]) => name !== 'listSk');
  return {
    TableName: table,
    Key: { pk: `DELIVERY#${id}`, sk: 'DELIVERY' },
    UpdateExpression: `SET #state = :cancelled, cancelledAt = :at, summary.#state = :cancelled, summary.next_attempt_at = :none, ${moved.map(([name]) => `${name} = :${name}`).join(', ')} REMOVE nextAttemptAt, manualSlot, duePk, dueSk ADD version :one`,
    ConditionExpression: '#state = :pending',
    ExpressionAttributeNames: { '#state': 'state' },
    ExpressionAttributeValues: {
      ':cancelled': 'CANCELLED',
      ':pending': 'PENDING',
      ':at': at,
      ':none': null,
      ':one': 1,
      ...Object.fromEntries(moved.map(([name, value]) => [`:${name}`, value])),
    },
  };
};

const readRows = async (rcode: string, alertId: number, update: AlertUpdate) => {
  const named = (update.tx_details ?? []).flatMap(({ duplicate_alertid: id }) => id ?? []);
  const keys = [
    { pk: `RCODE#${createHash('sha256').update(rcode).digest('hex')}`, sk: 'RCODE' },
    { pk: `ALERT#${alertId}`, sk: 'ALERT' },
    { pk: `DELIVERY#ntf_${alertId}`, sk: 'DELIVERY' },
    { pk: `ALERT#${alertId}`, sk: 'REFUND' },
    { pk: `ALERT#${alertId}`, sk: 'HOLD' },
    ...named.filter((id) => id !== String(alertId)).map((id) => ({ pk: `ALERT#${id}`, sk: 'ALERT' })),
  ];
  const request = new BatchGetCommand({ RequestItems: { [table]: { Keys: keys, ConsistentRead: true } } });
  const { Responses } = await client.send(request);
  const found = new Map((Responses?.[table] ?? []).map((item) => [`${item['pk']} ${item['sk']}`, item]));
  return keys.map(({ pk, sk }) => found.get(`${pk} ${sk}`));
};

const updateAlert = async (event: Call): Promise<Item> => {
  const rcode = Object.entries(event.headers).find(([name]) => name.toLowerCase() === 'rcode')?.[1];
  if (!rcode) throw wrongRcode();
  const { alertId, update } = readUpdate(readBody(event));
  const at = new Date().toISOString();
  for (let tries = 1; tries <= 6; tries += 1) {
    const [rcodeItem, item, delivery, , , ...others] = await readRows(rcode, alertId, update);
    const holder = rcodeItem?.['holder'] as
      | { sid: number; validUntil: string | null; statusUpdates: boolean }
      | undefined;
    if (!holder || (holder.validUntil !== null && at >= holder.validUntil)) throw wrongRcode();
    const before = item?.['alert'] as Alert | undefined;
    if (!item || before?.owner?.sid !== holder.sid) throw new Problem(404, 'No such alert');
    const alerts = others.flatMap((other) => (other?.['alert'] as Alert | undefined) ?? []);
    const own = alerts.filter(({ owner }) => owner?.sid === holder.sid).map((one) => String(one.alertId));
    const after = apply(before, update, new Set(own), at);
    const reply = { status: 'ok', msg: 'The alert is updated.', alert_id: String(alertId) };
    const said = { ...reply, alert_status: update.status, reason_code: update.reason_code };
    if (!after) return said;
    const notify = holder.statusUpdates && after.status !== before.status;
    const returned = { TableName: table, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } as const;
    const unchanged = {
      ConditionExpression: '#version = :seen',
      ExpressionAttributeNames: { '#version': 'version' },
      ExpressionAttributeValues: { ':seen': before.version },
    };
    const isNew = { ConditionExpression: 'attribute_not_exists(pk)' };
    try {
      await client.send(
        new TransactWriteCommand({
          TransactItems: [
            { Put: { Item: alertRow(item, after), ...unchanged, ...returned } },
            { Put: { Item: historyRow(before, after, at), ...returned } },
            ...(delivery?.['state'] === 'PENDING' ? [{ Update: { ...cancelWrite(delivery, at), ...returned } }] : []),
            { Put: { Item: outcomeRow(after, update, notify, at), ...isNew, ...returned } },
          ],
        }),
      );
      return said;
    } catch (error) {
      if (!(error instanceof Error) || error.name !== 'TransactionCanceledException') throw error;
    }
  }
  throw new Problem(409, 'Another caller changed this at the same time', 'Send it again.');
};

/** Answers as the service does; `requestId`: the gateway's. Frameworks are measured around this (see ../peers). */
export const answer = async (event: Call, requestId: string) => {
  const started = performance.now();
  let statusCode = 200;
  let body: Item;
  try {
    body = await updateAlert(event);
  } catch (error) {
    const known = error instanceof Problem ? error : new Problem(500, 'Something went wrong on our side');
    if (known !== error) console.error(error);
    statusCode = known.status;
    body = { msg: known.message, details: known.details };
  }
  const milliseconds = Math.round(performance.now() - started);
  console.log(JSON.stringify({ level: 'info', event: 'request', requestId, status: statusCode, milliseconds }));
  const headers = { 'content-type': 'application/json', 'x-request-id': requestId, 'cache-control': 'no-store' };
  return { statusCode, headers, body: JSON.stringify(body) };
};

export const handler = (event: APIGatewayProxyEvent): Promise<APIGatewayProxyResult> =>
  answer(event, event.requestContext.requestId);
