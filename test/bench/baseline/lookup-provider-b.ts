/**
 * What lookup-provider-b is measured against: the same operation in one file, on the AWS SDK alone, without a framework or a
 * schema library. It makes the same checks, the same two reads and the same message; a test compares what both send. Evidence is
 * left out, so there is less of it to load. Of the service it imports types only, which leave no code.
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import { BatchGetCommand, DynamoDBDocumentClient, QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import type { ShopProfile } from '#accounts/merchants/settings/order-profile.ts';
import type { OrderContent, OrderRefund } from '#payments/orders/order.ts';

type Item = Record<string, unknown>;
type Question = Readonly<{
  insightId: string;
  transactionRequestId: string;
  source: 'OIM' | 'OIP';
  clientId: string;
  descriptor: string;
  date: string;
  amount: string;
  currency: string;
  bin: string | undefined;
  last4: string | undefined;
  arn: string | undefined;
  authCode: string | undefined;
  networkTransactionId: string | undefined;
}>;
type Order = {
  id: number;
  sid: number;
  state: string;
  keptUntil: string;
  content: OrderContent;
  profile: ShopProfile;
  payment: { voided: boolean } | null;
  ownRefunds: Record<string, OrderRefund>;
};

const TableName = process.env['TABLE_NAME'] ?? '';
const client = DynamoDBDocumentClient.from(new DynamoDBClient({}), {
  marshallOptions: { removeUndefinedValues: true },
});
const queues = new SQSClient({});
const secrets = new SecretsManagerClient({});
const dayMilliseconds = 86_400_000;

class Problem extends Error {
  readonly status: number;
  readonly details: string;
  constructor(status: number, message: string, details = '') {
    super(message);
    this.status = status;
    this.details = details;
  }
}

let keysOfProvider: Promise<string[]> | undefined;
const providerKeys = (): Promise<string[]> => {
  keysOfProvider ??= secrets
    .send(new GetSecretValueCommand({ SecretId: process.env['PROVIDER_B_SECRET_ID'] }))
    .then(({ SecretString }) => {
      const { current, ...keys } = JSON.parse(SecretString ?? '{}') as Record<string, string>;
      return [keys[current ?? ''] ?? '', ...Object.values(keys)];
    });
  return keysOfProvider;
};

const digest = (text: string): string => createHash('sha256').update(text).digest('hex');
const equal = (one: string, other: string): boolean =>
  timingSafeEqual(createHash('sha256').update(one).digest(), createHash('sha256').update(other).digest());

const checkSignature = async (header: string | undefined, body: string): Promise<void> => {
  const fields = (header ?? '').split(',').map((field) => field.trim());
  const time = fields.find((field) => field.startsWith('t='))?.slice(2) ?? '';
  const isNow = /^\d{1,12}$/.test(time) && Math.abs(Date.now() / 1000 - Number(time)) <= 300;
  const given = fields.filter((field) => field.startsWith('v1=')).map((field) => field.slice(3).toLowerCase());
  for (const key of isNow ? await providerKeys() : []) {
    const right = createHmac('sha256', key).update(`${time}.${body}`).digest('hex');
    if (given.some((one) => equal(one, right))) return;
  }
  throw new Problem(
    401,
    'The signature is wrong',
    'Send x-signature: t=<unix seconds>,v1=<hex HMAC-SHA256 of "t.body">',
  );
};

const readQuestion = (text: string): Question => {
  let body: Item;
  try {
    body = JSON.parse(text) as Item;
  } catch {
    throw new Problem(400, 'The request is not valid', 'body: is no JSON');
  }
  const problems: string[] = [];
  const textOf = (from: Item | undefined, name: string, longest: number, path = name): string => {
    const value = from?.[name];
    const given = typeof value === 'number' ? String(value) : typeof value === 'string' ? value.trim() : '';
    if (given === '') problems.push(`${path}: is required`);
    else if (given.length > longest) problems.push(`${path}: must have at most ${longest} characters`);
    return given;
  };
  const optional = (name: string, pattern: RegExp): string | undefined => {
    const value = body[name];
    if (value === undefined || value === null || value === '') return undefined;
    if (pattern.test(String(value))) return String(value);
    problems.push(`${name}: is not as it should be`);
    return undefined;
  };
  const [entity, money] = [body['entityInfo'] as Item, body['transactionAmount'] as Item];
  textOf(entity, 'partnerId', 100, 'entityInfo.partnerId');
  textOf(body, 'paymentType', 20);
  const sent = textOf(body, 'transactionDate', 40);
  const date = /^\d{4}-\d\d-\d\d$/.test(sent) ? `${sent}T00:00:00.000Z` : sent;
  if (Number.isNaN(Date.parse(date))) problems.push('transactionDate: must be a date');
  const source = body['source'];
  if (source === 'OID') throw new Error('Evidence is left out here');
  if (source !== 'OIM' && source !== 'OIP') problems.push('source: must be one of OIM, OIP, OID');
  const question = {
    ...{ insightId: textOf(body, 'insightId', 36), transactionRequestId: textOf(body, 'transactionRequestId', 36) },
    ...{ source: source as 'OIM' | 'OIP', clientId: textOf(entity, 'clientId', 100, 'entityInfo.clientId') },
    ...{ descriptor: textOf(body, 'paymentDescriptor', 50), date: new Date(Date.parse(date) || 0).toISOString() },
    ...{ amount: textOf(money, 'amount', 32, 'transactionAmount.amount') },
    currency: textOf(money, 'currency', 3, 'transactionAmount.currency').toUpperCase(),
    ...{ bin: optional('cardBin', /^\d{6,8}$/)?.slice(0, 6), last4: optional('cardLast4', /^\d{4}$/) },
    ...{ arn: optional('arn', /^\d{23}$/), authCode: optional('authCode', /^.{1,6}$/) },
    networkTransactionId: optional('networkTransactionId', /^.{1,30}$/),
  };
  if (problems.length > 0) throw new Problem(400, 'The request is not valid', problems.join('; '));
  return question;
};

const nameAt = (question: Question, at: string): string => {
  const { insightId, transactionRequestId, source, clientId, bin, last4, arn, networkTransactionId } = question;
  const card = bin !== undefined && last4 !== undefined ? { bin, last4 } : undefined;
  const { authCode, amount, currency, date } = question;
  const said = [
    'provider_b',
    `${transactionRequestId}#${insightId}`,
    source,
    clientId,
    null,
    card?.bin,
    card?.last4,
    arn,
  ];
  return `${digest(JSON.stringify([...said, networkTransactionId, authCode, amount, currency, date]))}-${at.slice(0, 10)}`;
};

const exponents: Readonly<Record<string, number>> = {
  JPY: 0,
  KRW: 0,
  CLP: 0,
  VND: 0,
  BHD: 3,
  JOD: 3,
  KWD: 3,
  OMR: 3,
  TND: 3,
};
const minorOf = (amount: string, currency: string): bigint | undefined => {
  const decimals = exponents[currency] ?? 2;
  const [, whole, part = ''] = /^(0|[1-9]\d{0,14})(?:\.(\d+))?$/.exec(amount) ?? [];
  if (whole === undefined || part.length > decimals) return undefined;
  return BigInt(whole + part.padEnd(decimals, '0'));
};
const formatted = (minor: bigint, currency: string): string => {
  const decimals = exponents[currency] ?? 2;
  const digits = String(minor).padStart(decimals + 1, '0');
  return decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
};

const same = (one: string | undefined, other: string | undefined): boolean =>
  one !== undefined && other !== undefined && one.toUpperCase() === other.toUpperCase();
const differ = (one: string | undefined, other: string | undefined): boolean =>
  one !== undefined && other !== undefined && !same(one, other);
const dayOf = (date: string): number => Math.floor(Date.parse(`${date.slice(0, 10)}T00:00:00Z`) / dayMilliseconds);
const spelled = (text: string): string => text.trim().replace(/\s+/g, ' ').toUpperCase();

const pointsOf = (asked: Question, { content }: Order): number => {
  const isSameAmount = minorOf(asked.amount, asked.currency) === minorOf(content.amount, content.currency);
  if (!isSameAmount) return 0;
  const days = Math.abs(dayOf(asked.date) - dayOf(content.transaction_date));
  const [one, other] = [spelled(asked.descriptor), spelled(content.descriptor ?? '')];
  const isLong = one.length >= 6 && other.length >= 6;
  const text = other === '' ? 0 : one === other ? 20 : isLong && one.slice(0, 6) === other.slice(0, 6) ? 10 : 0;
  return 40 + ([30, 20, 5, 5, 5][days] ?? 0) + text;
};

const match = (asked: Question, orders: readonly Order[], isWhole: boolean): Order | 'many' | undefined => {
  const isAmount = ({ content }: Order) =>
    minorOf(asked.amount, asked.currency) === minorOf(content.amount, content.currency);
  const isArn = ({ content }: Order) => same(asked.arn, content.arn);
  const isReference = ({ content }: Order) => same(asked.networkTransactionId, content.network_transaction_id);
  const possible = orders.filter((order) => {
    const { state, content } = order;
    if (state !== 'paid' || Math.abs(dayOf(asked.date) - dayOf(content.transaction_date)) > 4) return false;
    if (differ(asked.arn, content.arn) || differ(asked.authCode, content.auth_code)) return false;
    if (differ(asked.networkTransactionId, content.network_transaction_id)) return false;
    if (differ(asked.currency, content.currency)) return false;
    return isAmount(order) || isArn(order) || isReference(order);
  });
  const isCode = (order: Order) => same(asked.authCode, order.content.auth_code) && isAmount(order);
  for (const [isMarked, needsAll] of [
    [isArn, false],
    [isReference, false],
    [isCode, true],
  ] as const) {
    const [order, ...more] = possible.filter(isMarked);
    if (order) return more.length === 0 && (isWhole || !needsAll) ? order : 'many';
  }
  const [best, second] = possible
    .map((order) => ({ order, points: pointsOf(asked, order) }))
    .sort((one, other) => other.points - one.points);
  if (!best || best.points < 70) return undefined;
  return (second?.points ?? 0) <= best.points - 30 && isWhole ? best.order : 'many';
};

const said = (fields: Item): Item =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== null));
const saidOr = (fields: Item): Item | undefined => (Object.keys(said(fields)).length === 0 ? undefined : said(fields));

const masked = (email: string | undefined): string | undefined =>
  email === undefined ? undefined : `${email.slice(0, 1)}***${email.slice(email.lastIndexOf('@'))}`;

const answerOf = (question: Question, { content, profile, payment, ownRefunds }: Order): Item => {
  const { customer, shipping, links = {}, currency, deliveries = [], items } = content;
  const isAgent = question.source === 'OIP';
  const refunds = [...(content.refunds ?? []), ...Object.values(ownRefunds)].sort((a, b) => (a.at < b.at ? -1 : 1));
  const part = (amount: string | undefined): bigint => minorOf(amount ?? '0', currency) ?? 0n;
  const { amount, amount_shipping: sent, amount_tax: tax, amount_coupon: coupon } = content;
  const rest = part(amount) - part(sent) - part(tax) + part(coupon);
  const subTotal = content.amount_subtotal ?? formatted(rest > 0n ? rest : part(amount), currency);
  const address = shipping && saidOr({ city: shipping.suburb_city, country: shipping.country });
  const parcels = deliveries.map((one) =>
    said({
      ...{ type: one.type, status: one.status, carrier: one.provider, address, trackingNumber: one.tracking_number },
      ...{ trackingUrl: one.tracking_url, shippedDate: one.shipped_at, deliveredDate: one.delivered_at },
      ...{ downloadedDate: one.downloaded_at, signedBy: isAgent ? one.signed_by : undefined },
    }),
  );
  return said({
    ...{ insightId: question.insightId, transactionRequestId: question.transactionRequestId, status: 'FOUND' },
    receipt: said({
      ...{ orderNumber: content.reference, purchaseDate: content.order_date, subTotal, shippingTotal: sent },
      ...{ taxTotal: tax, discountTotal: coupon, total: amount, currency },
      voided: payment?.voided ? true : undefined,
      refunds: refunds.map((one) =>
        said({ amount: one.amount, currency: one.currency, date: one.at, reference: one.reference }),
      ),
      receiptUrl: links.receipt ?? links.order,
    }),
    paymentInformation: said({
      ...{ paymentType: content.card_type, cardBin: content.card_firstsix, cardLast4: content.card_lastfour },
      ...{ arn: content.arn, authCode: content.auth_code, descriptor: content.descriptor },
      transactionDate: content.transaction_date,
    }),
    purchasedProducts: items.map((one) =>
      said({
        ...{ name: one.name, quantity: one.quantity, price: one.amount_unit, sku: one.sku, imageUrl: one.image_url },
        ...{ url: one.url, description: one.description, type: one.type },
      }),
    ),
    customerInformation: saidOr({
      firstName: customer?.firstname,
      ...(isAgent && { lastName: customer?.lastname, email: masked(customer?.email) }),
    }),
    shippingInformation: parcels.length > 0 ? parcels : address && [{ address }],
    merchantInformation: said({
      ...{ name: profile.display_name, logoUrl: profile.logo_url, phone: profile.support_phone },
      ...{ email: profile.support_email, url: links.contact ?? profile.support_url },
      ...{ latitude: profile.geo?.latitude, longitude: profile.geo?.longitude },
      ...{ refundPolicy: profile.refund_policy, refundPolicyUrl: links.refund_policy ?? profile.refund_policy_url },
      termsUrl: links.terms ?? profile.terms_url,
    }),
  });
};

const lookUp = async (question: Question, started: number): Promise<{ status: number; body: Item }> => {
  const now = Date.now();
  const at = new Date(now).toISOString();
  const names = [at, new Date(now - dayMilliseconds).toISOString()].map((day) => nameAt(question, day));
  const Keys = [
    ...names.map((name) => ({ pk: `LOOKUP#provider_b#${name}`, sk: 'LOOKUP' })),
    { pk: `ORDERCLIENT#provider_b#${question.clientId}`, sk: 'MERCHANT' },
  ];
  const { Responses } = await client.send(
    new BatchGetCommand({ RequestItems: { [TableName]: { Keys, ConsistentRead: true } } }),
  );
  const rows = new Map((Responses?.[TableName] ?? []).map((row) => [String(row['pk']), row]));
  const merchant = rows.get(`ORDERCLIENT#provider_b#${question.clientId}`) as
    | { mid: number; enabled: boolean }
    | undefined;
  if (names.some((name) => rows.has(`LOOKUP#provider_b#${name}`))) throw new Error('Repetitions are left out here');
  const { bin, last4 } = question;
  let found: Order | 'many' | undefined;
  if (merchant?.enabled && bin !== undefined && last4 !== undefined) {
    const from = Math.min(now - 400 * dayMilliseconds, Date.parse(question.date) - 5 * dayMilliseconds);
    const { Items = [], LastEvaluatedKey } = await client.send(
      new QueryCommand({
        TableName,
        KeyConditionExpression: 'pk = :pk AND sk >= :from',
        ExpressionAttributeValues: {
          ':pk': `ORDERS#${merchant.mid}#${bin}-${last4}`,
          ':from': new Date(from).toISOString(),
        },
        ScanIndexForward: false,
      }),
    );
    const orders = (Items as Order[]).filter(({ keptUntil }) => keptUntil > at);
    found = match(question, orders, LastEvaluatedKey === undefined);
  }
  const order = typeof found === 'object' ? found : undefined;
  const result = order
    ? 'found'
    : merchant?.enabled === false
      ? 'refused'
      : found === 'many'
        ? 'multiple'
        : 'not_found';
  const isAgent = question.source === 'OIP';
  const lookup = {
    ...{ name: names[0], provider: 'provider_b', at, channel: question.source, result },
    milliseconds: Math.round(performance.now() - started),
    card: bin !== undefined && last4 !== undefined ? { first6: bin, last4 } : null,
    ...{ amount: question.amount, currency: question.currency, date: question.date, mid: merchant?.mid ?? null },
    ...{ orderId: order?.id ?? null, sid: order?.sid ?? null, reference: order?.content.reference ?? null },
    shown: order ? ['purchase', 'name', ...(isAgent ? ['contact'] : []), 'shipping'] : [],
    ...{ ce3: null, outcome: order ? 'open' : null },
  };
  await queues.send(
    new SendMessageBatchCommand({
      QueueUrl: process.env['LOOKUPS_QUEUE_URL'],
      Entries: [{ Id: '0', MessageBody: JSON.stringify({ lookup }) }],
    }),
  );
  if (order) return { status: 200, body: answerOf(question, order) };
  const { insightId, transactionRequestId } = question;
  return {
    status: 404,
    body: { insightId, transactionRequestId, status: found === 'many' ? 'MULTIPLE_FOUND' : 'NOT_FOUND' },
  };
};

/** Answers as the service does. */
export const handler = async (event: APIGatewayProxyEvent): Promise<APIGatewayProxyResult> => {
  const started = performance.now();
  let reply: { status: number; body: Item };
  try {
    const text = event.isBase64Encoded ? Buffer.from(event.body ?? '', 'base64').toString() : (event.body ?? '');
    const header = Object.entries(event.headers).find(([name]) => name.toLowerCase() === 'x-signature')?.[1];
    await checkSignature(header, text);
    reply = await lookUp(readQuestion(text), started);
  } catch (error) {
    const known = error instanceof Problem ? error : new Problem(500, 'Something went wrong on our side');
    if (known !== error) console.error(error);
    reply = { status: known.status, body: { msg: known.message, details: known.details } };
  }
  const { requestId } = event.requestContext;
  const milliseconds = Math.round(performance.now() - started);
  console.log(JSON.stringify({ level: 'info', event: 'request', requestId, status: reply.status, milliseconds }));
  const headers = { 'content-type': 'application/json', 'x-request-id': requestId, 'cache-control': 'no-store' };
  return { statusCode: reply.status, headers, body: JSON.stringify(reply.body) };
};
