/**
 * What singletx is measured against: a payment at the sandbox in one file, on the AWS SDK and credit-card-type alone, without
 * a framework or a schema library. It makes the same checks, the same calls and the same rows; a test compares what both send.
 * It leaves out what such a call does not come to: other processors, rules of fraud templates, minFraud, e-mails about payments,
 * and the amounts for which the sandbox keeps a row. Of the service it imports types only, which leave no code.
 */
import {
  createDecipheriv,
  createHash,
  createHmac,
  hkdfSync,
  randomBytes,
  randomInt,
  timingSafeEqual,
} from 'node:crypto';
import { BlockList, isIP } from 'node:net';
import { DynamoDBClient, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import {
  BatchGetCommand,
  DynamoDBDocumentClient,
  GetCommand,
  TransactWriteCommand,
  type TransactWriteCommandInput,
} from '@aws-sdk/lib-dynamodb';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import cardTypes from 'credit-card-type';
import type { Site } from '#accounts/merchants/site/site.ts';
import type { FraudList, FraudLists } from '#payments/fraud/lists/lists.ts';
import type { Template } from '#payments/fraud/template/template.ts';
import type { Transaction } from '#payments/transactions/transaction/transaction.ts';

type Row = Record<string, unknown>;
type Write = NonNullable<TransactWriteCommandInput['TransactItems']>[number];
type Ring = { current: string; keys: Record<string, string> };
type Card = { number: string; scheme: string; expMonth: string; expYear: string; holder: string };
type Body = Row & Record<'currency' | 'tx_action' | 'hash' | 'timestamp' | 'email' | 'postback_url', string>;

const client = DynamoDBDocumentClient.from(new DynamoDBClient({}), {
  marshallOptions: { removeUndefinedValues: true },
});
const secrets = new SecretsManagerClient({});
const TableName = process.env['TABLE_NAME'] ?? '';
const [minute, hour, day] = [60_000, 3_600_000, 86_400_000];

class Problem extends Error {
  readonly status: number;
  readonly code: string;
  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}
const invalid = (problem: string) => new Problem(400, 'request_invalid', problem);

const digest = (algorithm: string, text: string) => createHash(algorithm).update(text).digest('hex');
const hmac = (key: string, text: string) => createHmac('sha256', key).update(text).digest('hex');
const equal = (one: string, other: string) =>
  timingSafeEqual(createHash('sha256').update(one).digest(), createHash('sha256').update(other).digest());
const iso = (time: number) => new Date(time).toISOString();
const randomWord = (length: number) =>
  Array.from(randomBytes(length), (byte) => '0123456789abcdefghjkmnpqrstvwxyz'[byte % 32]).join('');
const newId = () => (Date.now() - Date.UTC(2018, 0, 1)) * 4096 + randomInt(2048);

let ringRead: { ring: Ring; until: number } | undefined;
const readRing = async (): Promise<Ring> => {
  if (ringRead && ringRead.until > Date.now()) return ringRead.ring;
  const SecretId = process.env['ENCRYPTION_SECRET_ID'] ?? '';
  const { SecretString } = await secrets.send(new GetSecretValueCommand({ SecretId }));
  const { current, ...keys } = JSON.parse(SecretString ?? '') as Ring & Record<string, string>;
  if (typeof current !== 'string') throw new Error('The secret has no current key');
  ringRead = { ring: { current, keys: keys as Record<string, string> }, until: Date.now() + 5 * minute };
  return ringRead.ring;
};

const open = (ring: Ring, context: string, sealed: string): string => {
  const [name = '', nonce = '', tag = '', text = ''] = sealed.split('.');
  const key = Buffer.from(hkdfSync('sha256', ring.keys[name] ?? '', '', 'forewarn/seal', 32));
  const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(nonce, 'base64url'), { authTagLength: 16 });
  decipher.setAAD(Buffer.from(context)).setAuthTag(Buffer.from(tag, 'base64url'));
  return Buffer.concat([decipher.update(Buffer.from(text, 'base64url')), decipher.final()]).toString('utf8');
};

const decimalsOf: Record<string, number> = {};
for (const [decimals, currencies] of [
  'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF',
  '',
  'AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CNY COP CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD UYU UZS VED VES WST XCD YER ZAR ZMW ZWG',
  'BHD IQD JOD KWD LYD OMR TND',
].entries()) {
  for (const currency of currencies.split(' ')) decimalsOf[currency] = decimals;
}
const countries = new Set(
  'AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS XK YE YT ZA ZM ZW'.split(
    ' ',
  ),
);
const amountPattern = /^(?:0|[1-9]\d{0,14})(?:\.\d{1,4})?$/;

const minorOf = (field: string, sent: unknown, currency: string): bigint => {
  const [text, decimals] = [String(sent), decimalsOf[currency] ?? 0];
  if (!amountPattern.test(text)) throw invalid(`${field}: must be a decimal such as 10.50`);
  const [whole = '', fraction = ''] = text.split('.');
  if (fraction.length > decimals) throw invalid(`${field}: has more decimals than ${currency} has`);
  return BigInt(whole + fraction.padEnd(decimals, '0'));
};
const formatMinor = (minor: bigint, currency: string): string => {
  const decimals = decimalsOf[currency] ?? 0;
  const digits = String(minor).padStart(decimals + 1, '0');
  return decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
};

/** A JSON number that cannot be held exactly stays the text it was. */
const keepText = (_name: string, value: unknown, context?: { source?: string }): unknown =>
  typeof value === 'number' && context?.source !== undefined && !/^-?\d{1,15}(?:\.\d+)?$/.test(context.source)
    ? context.source
    : value;
const isDeep = (value: unknown, depth = 0): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (depth >= 32 || Object.values(value).some((one) => isDeep(one, depth + 1)));

const readSent = (event: APIGatewayProxyEvent): Row => {
  const type = Object.entries(event.headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
  const isForm = /^application\/x-www-form-urlencoded(\s*;.*)?$/i.test(type);
  if (!isForm && !/^application\/json(\s*;.*)?$/i.test(type)) {
    throw new Problem(415, 'content_type_unsupported', 'Send application/x-www-form-urlencoded or application/json.');
  }
  const bytes = Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8');
  if (bytes.length > 262_144) throw new Problem(413, 'body_too_large', 'Send at most 262144 bytes.');
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    const sent: unknown = isForm ? readForm(text) : JSON.parse(text, keepText);
    if (typeof sent === 'object' && sent !== null && !Array.isArray(sent) && !isDeep(sent)) return sent as Row;
  } catch {
    // Said below.
  }
  throw invalid('body: must be an object in UTF-8, of at most 32 levels');
};

const readForm = (text: string): Row => {
  const sent: Row = {};
  for (const [name, value] of new URLSearchParams(text)) {
    const [plain, before] = [name.replace(/\[\]$/, ''), sent[name.replace(/\[\]$/, '')]];
    sent[plain] = before === undefined && plain === name ? value : [before ?? [], value].flat();
  }
  return sent;
};

/** Longest lengths; those of a capital word are required. */
const textFields: Record<string, number> = {
  FIRSTNAME: 100,
  LASTNAME: 100,
  EMAIL: 254,
  HASH: 32,
  TIMESTAMP: 14,
  CURRENCY: 3,
  TX_ACTION: 10,
  CARD_TYPE: 20,
  POSTBACK_URL: 2048,
  tid: 100,
  reference: 100,
  ref1: 100,
  ref2: 100,
  ref3: 100,
  ref4: 100,
  phone: 40,
  address: 300,
  suburb_city: 100,
  state: 100,
  country: 2,
  postcode: 20,
  shipping_address: 300,
  shipping_suburb_city: 100,
  shipping_state: 100,
  shipping_country: 2,
  shipping_postcode: 20,
  card_no: 30,
  card_ccv: 10,
  card_exp_month: 10,
  card_exp_year: 10,
  card_name: 100,
  amount_shipping: 20,
  amount_coupon: 20,
  amount_tax: 20,
  dynamic_descriptor: 22,
};
const upperCase = new Set(['state', 'country', 'shipping_country', 'currency', 'card_type']);
const listFields: Record<string, number> = {
  item_quantity: 20,
  item_name: 200,
  item_no: 100,
  item_description: 1000,
  item_amount_unit: 20,
};

const textOf = (name: string, value: unknown, longest: number): string => {
  if (typeof value !== 'string' && typeof value !== 'number') throw invalid(`${name}: must be text`);
  const text = String(value).trim();
  if (text === '' || text.length > longest) throw invalid(`${name}: must have 1 to ${longest} characters`);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
  if (/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/.test(text) || !text.isWellFormed()) {
    throw invalid(`${name}: must be plain text`);
  }
  return upperCase.has(name) ? text.toUpperCase() : text;
};

const isAbsent = (value: unknown) => value === undefined || value === null || value === '';

const objectOf = (name: string, sent: unknown): Row => {
  let value = sent;
  if (JSON.stringify(sent).length > 16_384) throw invalid(`${name}: must have at most 16384 characters`);
  try {
    if (typeof sent === 'string') value = JSON.parse(sent);
  } catch {
    // It stays text, which is no object.
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw invalid(`${name}: must be an object`);
  return value as Row;
};

const readBody = (sent: Row): Body => {
  const body: Row = {};
  for (const [field, longest] of Object.entries(textFields)) {
    const name = field.toLowerCase();
    if (!isAbsent(sent[name])) body[name] = textOf(name, sent[name], longest);
    else if (field !== name) throw invalid(`${name}: is required`);
  }
  for (const [name, longest] of Object.entries(listFields)) {
    if (isAbsent(sent[name])) continue;
    const list = [sent[name]].flat();
    if (list.length > 200) throw invalid(`${name}: must have at most 200 items`);
    body[name] = list.map((one) => textOf(name, one, longest));
  }
  for (const name of ['threeDSecure', 'device_info']) {
    if (!isAbsent(sent[name])) body[name] = objectOf(name, sent[name]);
  }
  checkBody(body as Body);
  return body as Body;
};

const schemes: Record<string, string> = {
  visa: 'VISA',
  mastercard: 'MASTERCARD',
  'american-express': 'AMEX',
  discover: 'DISCOVER',
  'diners-club': 'DINERS',
  jcb: 'JCB',
  unionpay: 'UNIONPAY',
};

const checkBody = (body: Body): void => {
  if (!/^[\da-fA-F]{32}$/.test(body.hash)) throw invalid('hash: must be 32 hexadecimal digits (md5)');
  if (decimalsOf[body.currency] === undefined) throw invalid('currency: must be a currency code of ISO 4217');
  if (body.tx_action !== 'PAYMENT' && body.tx_action !== 'PREAUTH') throw invalid('tx_action: must be one we know');
  if (!Object.values(schemes).includes(String(body['card_type']))) throw invalid('card_type: must be one we know');
  if (!/^[^\s@<>()[\]\\,;:"]{1,64}@(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+[a-z]{2,63}$/i.test(body.email)) {
    throw invalid('email: must be an e-mail address');
  }
  for (const name of ['country', 'shipping_country']) {
    const country = body[name];
    if (country !== undefined && !countries.has(String(country))) throw invalid(`${name}: must be a country code`);
  }
  const descriptor = String(body['dynamic_descriptor'] ?? 'x');
  if (!/^[\x20-\x7e]+$/.test(descriptor)) throw invalid('dynamic_descriptor: must be plain ASCII');
};

const totalOf = (body: Body): bigint => {
  const list = (name: string) => body[name] as string[] | undefined;
  const units = list('item_amount_unit') ?? [];
  if (units.length === 0) throw invalid('item_amount_unit: must price at least one item');
  for (const name of ['item_name', 'item_quantity', 'item_no', 'item_description']) {
    if (name === 'item_name' && !list(name)) throw invalid('item_name: must name at least one item');
    if (list(name) && list(name)?.length !== units.length) {
      throw invalid(`${name}: must have as many entries as item_amount_unit (${units.length})`);
    }
  }
  let sum = 0n;
  for (const [index, unit] of units.entries()) {
    const quantity = list('item_quantity')?.[index] ?? '1';
    if (!/^[1-9]\d{0,4}$/.test(quantity) || Number(quantity) > 10_000)
      throw invalid(`item_quantity.${index}: is wrong`);
    sum += BigInt(quantity) * minorOf(`item_amount_unit.${index}`, unit, body.currency);
  }
  const amount = (name: string) => minorOf(name, body[name] ?? 0, body.currency);
  const total = sum + amount('amount_shipping') + amount('amount_tax') - amount('amount_coupon');
  if (total <= 0n || total > 999_999_999_999_999n) throw invalid('amount: must be above 0 and of at most 15 digits');
  return total;
};

const checkTimestamp = (timestamp: string): void => {
  const parts = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)$/.exec(timestamp);
  const written = parts && `${parts[1]}-${parts[2]}-${parts[3]}T${parts[4]}:${parts[5]}:${parts[6]}.000Z`;
  const time = /^\d{10}$/.test(timestamp) ? Number(timestamp) * 1000 : Date.parse(written ?? '');
  if (Number.isNaN(time) || (written && iso(time) !== written)) throw invalid('timestamp: is none');
  if (Math.abs(Date.now() - time) > 15 * minute) throw invalid('timestamp: is more than 15 minutes away');
};

const inner = new BlockList();
for (const range of '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/3'.split(
  ' ',
)) {
  const [net = '', bits] = range.split('/');
  inner.addSubnet(net, Number(bits));
}
const outer = new BlockList();
outer.addSubnet('2000::', 3, 'ipv6');

const checkPostback = (text: string): void => {
  const url = /[\s\p{Cc}\p{Cf}\\]/u.test(text) ? null : URL.parse(text);
  if (url?.protocol !== 'https:' || url.username !== '' || url.password !== '') {
    throw invalid('postback_url: must begin with https://');
  }
  if (!['', '443', '8443'].includes(url.port)) throw invalid('postback_url: must use port 443 or 8443');
  const host = url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  const family = isIP(host);
  const isName = host.includes('.') && !/(?:^|\.)(?:localhost|local|internal|home\.arpa)$/.test(host);
  const isPublic = family === 0 ? isName : family === 4 ? !inner.check(host) : outer.check(host, 'ipv6');
  if (!isPublic) throw invalid('postback_url: must name a host on the public Internet');
};

const passesLuhn = (digits: string): boolean => {
  const sum = [...digits].reverse().reduce((total, digit, position) => {
    const value = Number(digit) * (position % 2 === 1 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
};

const readCard = (body: Body, cvvIsOptional: boolean): Card => {
  const number = String(body['card_no'] ?? '').replace(/[ -]/g, '');
  if (!/^\d{12,19}$/.test(number)) throw invalid('card_no: must be a card number of 12 to 19 digits');
  const [type] = cardTypes(number).toSorted((one, other) => (other.matchStrength ?? 0) - (one.matchStrength ?? 0));
  const scheme = type && schemes[type.type];
  if (!type || !scheme || !type.lengths.includes(number.length) || !passesLuhn(number)) {
    throw invalid('card_no: is not the number of a card we know');
  }
  const { card_exp_month: month, card_exp_year: year, card_ccv: cvv } = body;
  if (!/^(?:0[1-9]|1[0-2])$/.test(String(month)) || !/^20\d\d$/.test(String(year))) {
    throw invalid('card_exp_month, card_exp_year: must be two and four digits');
  }
  if (`${year}-${month}` < iso(Date.now()).slice(0, 7)) throw invalid('card_exp_year: the card has expired');
  const isRight =
    cvv === undefined ? cvvIsOptional : /^\d+$/.test(String(cvv)) && String(cvv).length === type.code.size;
  if (!isRight) throw invalid(`card_ccv: must have ${type.code.size} digits`);
  if (body['card_type'] !== scheme) throw invalid(`card_type: the number is of ${scheme}`);
  return { number, scheme, expMonth: String(month), expYear: String(year), holder: String(body['card_name'] ?? '') };
};

/** What is known of who pays, and from where. */
type Subject = {
  kept: NonNullable<Transaction['card']> | null;
  bin: string | null;
  tokens: string[];
  names: [scope: string, name: string][];
  email: string;
  ip: string | null;
  binCountry: string | null;
  country: string | null;
  shippingCountry: string | null;
};

const infoOf = (info: Row, name: string): string | null => {
  const value = info[name];
  return typeof value === 'string' && value.trim() !== '' ? value.trim().slice(0, 512) : null;
};
const ipOf = (text: string | null): string | null => {
  if (text === null || isIP(text) === 0) return null;
  if (isIP(text) === 4) return text;
  const host = URL.parse(`http://[${text}]/`)?.hostname.slice(1, -1) ?? null;
  const [, high = '', low = ''] = /^::ffff:([\da-f]{1,4}):([\da-f]{1,4})$/.exec(host ?? '') ?? [];
  if (high === '') return host;
  return [high, low].flatMap((part) => [Number.parseInt(part, 16) >> 8, Number.parseInt(part, 16) & 255]).join('.');
};
const networkOf = (ip: string): string => {
  if (!ip.includes(':')) return ip;
  const [before = [], after = []] = ip.split('::').map((side) => side.split(':').filter((part) => part !== ''));
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0');
  return `${[...before, ...zeros, ...after].slice(0, 4).join(':')}::/64`;
};

const subjectOf = (body: Body, ring: Ring): Subject => {
  let card: Card | undefined;
  try {
    card = readCard(body, true);
  } catch {
    // What is wrong with it is said once it is known who calls.
  }
  const tokenBy = (key: string) => hmac(`card:${ring.keys[key]}`, card?.number ?? '').slice(0, 40);
  const others = Object.keys(ring.keys).filter((key) => key !== ring.current);
  const info = (body['device_info'] ?? {}) as Row;
  const [ip, device] = [ipOf(infoOf(info, 'ip')), infoOf(info, 'device_id')];
  const email = body.email.trim().toLowerCase();
  const short = (text: string) => digest('sha256', text).slice(0, 40);
  const binCountry = infoOf(info, 'bin_country')?.toUpperCase() ?? '';
  const kept = card ? keptOf(card, tokenBy(ring.current)) : null;
  return {
    kept,
    bin: card?.number.slice(0, 8) ?? null,
    tokens: card ? [ring.current, ...others].map(tokenBy) : [],
    names: [
      ...(kept ? [['card', `CARD#${kept.token}`] as [string, string]] : []),
      ['email', `EMAIL#${short(email)}`],
      ...(ip ? [['ip', `IP#${short(networkOf(ip))}`] as [string, string]] : []),
      ...(device ? [['device', `DEVICE#${short(device)}`] as [string, string]] : []),
    ],
    email,
    ip,
    binCountry: /^[A-Z]{2}$/.test(binCountry) ? binCountry : null,
    country: (body['country'] as string | undefined) ?? null,
    shippingCountry: (body['shipping_country'] as string | undefined) ?? null,
  };
};

const keptOf = ({ number, scheme }: Card, token: string) =>
  ({ scheme, first6: number.slice(0, 6), last4: number.slice(-4), token }) as NonNullable<Transaction['card']>;

type Assessment = {
  fraudId: number;
  score: number;
  decision: 'ACCEPT' | 'REVIEW' | '3DS' | 'REJECT';
  reasons: string[];
  template: number | null;
  version: number | null;
  failed: boolean;
  mid: number;
  facts: Row;
};

const windows = { '1h': 1, '24h': 24, '7d': 168 } as const;
const hourName = (time: number) => iso(time).slice(0, 'YYYY-MM-DDTHH'.length);
const most = (minor: bigint) => Number(minor > 1_000_000_000_000n ? 1_000_000_000_000n : minor);
const differ = (one: string | null, other: string | null) => (one === null || other === null ? null : one !== other);

type Asked = { subject: Subject; rows: (Row | undefined)[]; minor: bigint; currency: string; at: string };

const factsOf = ({ subject, rows, minor, currency, at }: Asked): Row => {
  const facts: Row = {
    amount: Number(formatMinor(minor, currency)),
    currency,
    card_scheme: subject.kept?.scheme ?? null,
    card_bin: subject.kept?.first6 ?? null,
    bin_country: subject.binCountry,
    country: subject.country,
    shipping_country: subject.shippingCountry,
    bin_country_differs: differ(subject.binCountry, subject.country),
    shipping_country_differs: differ(subject.shippingCountry, subject.country),
    email_domain: subject.email.split('@').at(-1),
    hour: new Date(at).getUTCHours(),
    three_ds_source: 'none',
  };
  for (const [index, [scope]] of subject.names.entries()) {
    const row = rows[index] ?? {};
    for (const [window, hours] of Object.entries(windows)) {
      let [count, sum] = [1, most(minor)];
      for (let back = 0; back <= hours; back += 1) {
        const name = `${hourName(Date.parse(at) - back * hour)}|p`;
        count += Number(row[name] ?? 0);
        sum += Number(row[`${name}|${currency}`] ?? 0);
      }
      facts[`velocity_count(${scope}, ${window})`] = count;
      facts[`velocity_sum(${scope}, ${window})`] = Number(formatMinor(BigInt(sum), currency));
    }
  }
  const payers = subject.names.flatMap(([scope], index) => (scope === 'card' || scope === 'email' ? [index] : []));
  facts['is_first_transaction'] = payers.every((index) => rows[index]?.['first|p'] === undefined);
  return facts;
};

const onList = (list: FraudList, { kept, tokens, email, ip, country }: Subject): string[] => [
  ...(list.cards.some(({ token }) => tokens.includes(token)) ? ['card'] : []),
  ...(list.emails.includes(email) ? ['email'] : []),
  ...(ip !== null && list.ips.includes(ip) ? ['ip'] : []),
  ...(country !== null && list.countries.includes(country) ? ['country'] : []),
  ...(kept && list.bins.includes(kept.first6) ? ['bin'] : []),
];

const signals = [
  ['card', '1h', 3, 30],
  ['card', '24h', 10, 20],
  ['card', '7d', 30, 10],
  ['email', '1h', 5, 20],
  ['email', '24h', 15, 15],
  ['ip', '1h', 10, 25],
  ['ip', '24h', 40, 15],
  ['device', '1h', 5, 25],
  ['device', '24h', 15, 15],
] as const;

const scoreOf = (facts: Row): { score: number; reasons: string[] } => {
  let score = 0;
  const reasons: string[] = [];
  const add = (name: string, points: number) => {
    score += points;
    reasons.push(`${name} (+${points})`);
  };
  for (const [scope, window, often, points] of signals) {
    if (Number(facts[`velocity_count(${scope}, ${window})`] ?? 0) > often) add(`${scope}_velocity_${window}`, points);
  }
  if (facts['bin_country_differs'] === true) add('bin_country_differs', 20);
  if (facts['shipping_country_differs'] === true) add('shipping_country_differs', 10);
  return { score: Math.min(100, score), reasons };
};

const templates: Record<number, [scorer: Template['scorer'], Template['thresholds']]> = {
  2: ['local', { review: 15, three_ds: 25, reject: 50 }],
  3: ['local', { review: 50, three_ds: null, reject: 95 }],
  4: ['local', { review: 30, three_ds: null, reject: null }],
  5: ['none', { review: null, three_ds: null, reject: null }],
};

type KnownTemplate = Pick<Template, 'scorer' | 'thresholds' | 'version'> & { issuedIn: string | null };

const issuedIn = (row: Row | undefined, bin: string | null): string | null => {
  let found: [from: string, to: string, country: string] | undefined;
  for (const range of (row?.['ranges'] ?? []) as [string, string, string][]) {
    if (bin === null || bin < range[0] || bin > range[1]) continue;
    if (!found || Number(range[1]) - Number(range[0]) < Number(found[1]) - Number(found[0])) found = range;
  }
  return found?.[2] ?? null;
};

const readTemplate = async (ftid: number, { bin }: Subject): Promise<KnownTemplate> => {
  const [item, ranges] = await read([
    { pk: `FRAUD_TEMPLATE#${ftid}`, sk: 'CURRENT' },
    ...(bin === null ? [] : [{ pk: `BINS#${bin.slice(0, 6)}`, sk: 'BINS' }]),
  ]);
  const template = item?.['template'] as Template | undefined;
  if (template && (template.rules.length > 0 || template.scorer === 'minfraud')) {
    throw new Error('Rules and minFraud are left out here');
  }
  const [scorer, thresholds] = templates[ftid] ?? ['local', { review: 30, three_ds: 50, reject: 80 }];
  return { ...(template ?? { scorer, thresholds, version: 1 }), issuedIn: issuedIn(ranges, bin) };
};

const assess = async (
  asked: Asked & { lists: FraudLists | undefined },
  site: Site,
  txid: number,
): Promise<Assessment> => {
  const about = { fraudId: txid, mid: site.mid, failed: false, facts: factsOf(asked) };
  const none = { template: null, version: null };
  const blocked = asked.lists ? onList(asked.lists.block, asked.subject) : [];
  if (blocked.length > 0) {
    return { ...about, ...none, score: 100, decision: 'REJECT', reasons: blocked.map((word) => `blocked_${word}`) };
  }
  const allowed = asked.lists ? onList(asked.lists.allow, asked.subject) : [];
  const ftid = Number(site.payment?.['ftid'] ?? 0);
  if (allowed.length > 0 || ftid === 0) {
    return { ...about, ...none, score: 0, decision: 'ACCEPT', reasons: allowed.map((word) => `allowed_${word}`) };
  }
  const { scorer, thresholds, version, issuedIn } = await readTemplate(ftid, asked.subject);
  const binCountry = issuedIn ?? asked.subject.binCountry;
  const facts = factsOf({ ...asked, subject: { ...asked.subject, binCountry } });
  const { score, reasons } = scorer === 'local' ? scoreOf(facts) : { score: 0, reasons: [] };
  const { review, three_ds, reject } = thresholds;
  const reaches = (threshold: number | null) => threshold !== null && score >= threshold;
  const decision = reaches(reject) ? 'REJECT' : reaches(three_ds) ? '3DS' : reaches(review) ? 'REVIEW' : 'ACCEPT';
  const known = { ...facts, scorer_score: scorer === 'none' ? null : score };
  return { ...about, template: ftid, version, score, decision, reasons, facts: known };
};

const isNew = { ConditionExpression: 'attribute_not_exists(pk)' };
const old = { TableName, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } as const;

const fraudWrites = (sid: number, assessment: Assessment, { subject, rows, minor, currency, at }: Asked): Write[] => {
  if (assessment.template === null && assessment.reasons.length === 0) return [];
  const { kept } = subject;
  const check = {
    ...assessment,
    sid,
    kind: 'payment',
    txid: assessment.fraudId,
    amount: formatMinor(minor, currency),
    currency,
    card: kept && { scheme: kept.scheme, first6: kept.first6, last4: kept.last4 },
    facts: Object.fromEntries(Object.entries(assessment.facts).filter(([, value]) => value !== null)),
    at,
  };
  const count = `${hourName(Date.parse(at))}|p`;
  const oldest = hourName(Date.parse(at) - 168 * hour);
  const counters = subject.names.map(([, name], index): Write => {
    const gone = Object.keys(rows[index] ?? {})
      .filter((attribute) => /^\d{4}-\d\d-\d\dT\d\d\|/.test(attribute) && attribute < oldest)
      .sort()
      .slice(0, 50);
    const removal = gone.length === 0 ? '' : ` REMOVE ${gone.map((_, place) => `#o${place}`).join(', ')}`;
    return {
      Update: {
        Key: { pk: `VELOCITY#${sid}#${name}`, sk: 'VELOCITY' },
        UpdateExpression: `SET entity = :entity, #ttl = :ttl, #first = if_not_exists(#first, :at) ADD #count :one, #sum :minor${removal}`,
        ExpressionAttributeNames: {
          '#ttl': 'ttl',
          '#first': 'first|p',
          '#count': count,
          '#sum': `${count}|${currency}`,
          ...Object.fromEntries(gone.map((attribute, place) => [`#o${place}`, attribute])),
        },
        ExpressionAttributeValues: {
          ':entity': 'VELOCITY',
          ':ttl': Math.ceil((Date.parse(at) + 400 * day) / 1000),
          ':at': at,
          ':one': 1,
          ':minor': most(minor),
        },
        ...old,
      },
    };
  });
  const Item = { pk: `FRAUD#${assessment.fraudId}`, sk: 'FRAUD', entity: 'FRAUD_CHECK', schemaVersion: 1, check };
  return [{ Put: { Item, ...isNew, ...old } }, ...counters];
};

const messages: Record<string, string> = {
  card_declined: 'The card was declined',
  insufficient_funds: 'The card has insufficient funds',
  lost_card: 'The card was reported lost',
  stolen_card: 'The card was reported stolen',
  expired_card: 'The card has expired',
  incorrect_cvc: 'The security code is wrong',
  no_processor: 'The site has no processor for this payment',
  fraud_rejected: 'The fraud check rejected the payment',
  three_ds_required: 'The fraud check asks for a 3DS authentication',
};
const declinedNumbers: Record<string, string> = {
  '4000000000000002': 'card_declined',
  '4000000000009995': 'insufficient_funds',
  '4000000000009987': 'lost_card',
  '4000000000009979': 'stolen_card',
  '4000000000000069': 'expired_card',
  '4000000000000127': 'incorrect_cvc',
};

const failed = (transaction: Transaction, code: string): Transaction => ({
  ...transaction,
  status: 'EXC',
  error: { code, message: messages[code] ?? '' } as Transaction['error'],
  nextAction: null,
  nextCheckAt: null,
});

const afterSandbox = (ring: Ring, transaction: Transaction, card: Card): Transaction => {
  const { sid, txid, idempotencyKey, money, action } = transaction;
  const at = iso(Date.now());
  const code = declinedNumbers[card.number];
  if (code) return failed({ ...transaction, updatedAt: at }, code);
  const ending = Number(BigInt(money.minor) % 100n);
  if (ending >= 62 && ending <= 69) throw new Error('What the sandbox keeps a row of is left out here');
  const id = digest('sha256', `sandbox:${sid}:${idempotencyKey}`).slice(0, 32);
  const begun = Math.floor(txid / 4096) + Date.UTC(2018, 0, 1);
  const flag = action === 'PAYMENT' ? 'c' : 'a';
  const text = `sbx_${id}.pay.${money.minor}.${money.currency}.${flag}.${begun.toString(36)}`;
  const mac = hmac(`sandbox:${ring.keys[ring.current]}`, `${sid}:${text}`).slice(0, 32);
  const known = { ...transaction, updatedAt: at, processorReference: `${text}.${mac}`, nextAction: null };
  if (ending === 61) return { ...known, checks: 1, nextCheckAt: iso(Date.now() + minute) };
  const digits = (count: number) => String(BigInt(`0x${id}`) % 10n ** BigInt(count)).padStart(count, '0');
  return { ...known, status: 'OK', arn: `7${digits(22)}`, authCode: digits(6), nextCheckAt: null };
};

const dueOf = (kind: string, at: string, id: string): Row => ({
  duePk: `DUE#${[...id].reduce((sum, character) => sum + character.charCodeAt(0), 0) % 16}`,
  dueSk: `${at}#${kind}#${id}`,
});
/** Everybody's items are spread over eight lists. */
const spread = (scope: string, position: string): string => {
  if (scope !== 'all') return scope;
  const id = position.slice(position.indexOf('#') + 1);
  return `all.${[...id].reduce((sum, character) => sum + character.charCodeAt(0), 0) % 8}`;
};

const listsOf = (entity: string, scopes: readonly (string | null)[], leaf: string, position: string): Row => ({
  listSk: position,
  listLeaf: leaf,
  ...Object.fromEntries(
    scopes.flatMap((scope, index) =>
      scope === null
        ? []
        : [
            [`list${index + 1}Pk`, `${entity}#${spread(scope, position)}`],
            [`list${index + 1}fPk`, `${entity}#${spread(scope, position)}#${leaf}`],
          ],
    ),
  ),
});

const resultOf = ({
  sid,
  tid,
  txid,
  parentTxid,
  status,
  action,
  money,
  reference,
  refs,
  error,
  fraud,
}: Transaction) => ({
  sid,
  tid: tid ?? '',
  txid,
  parent_txid: parentTxid,
  status,
  tx_action: action,
  amount: Number(formatMinor(BigInt(money.minor), money.currency)),
  amount_text: formatMinor(BigInt(money.minor), money.currency),
  currency: money.currency,
  reference: reference ?? '',
  ref1: refs[0] ?? '',
  ref2: refs[1] ?? '',
  ref3: refs[2] ?? '',
  ref4: refs[3] ?? '',
  ...(error && { error_code: error.code, error_msg: error.message }),
  ...(fraud && { fraud: { fraud_id: fraud.fraudId, score: fraud.score, decision: fraud.decision } }),
});

const verified = (transaction: Transaction, rcode: string) => {
  const result = resultOf(transaction);
  const { sid, txid, status, amount_text: amount, currency, tx_action: action } = result;
  const vrfy = digest('sha256', [sid, rcode, txid, status, amount, currency, action].join(';'));
  return { ...result, vrfy };
};

const transactionRow = (transaction: Transaction): Row => {
  const { txid, mid, card, createdAt, nextCheckAt } = transaction;
  const scopes = [
    `M${mid}`,
    card && `M${mid}H${card.token}`,
    card && `M${mid}F${card.first6}`,
    card && `M${mid}L${card.last4}`,
  ];
  return {
    pk: `TX#${txid}`,
    sk: 'TX',
    entity: 'TRANSACTION',
    schemaVersion: 1,
    id: txid,
    ...listsOf('TRANSACTION', scopes, `${card?.last4 ?? '-'}|-`, `${createdAt}#${txid}`),
    ...(nextCheckAt !== null && { ...dueOf('TRANSACTION', nextCheckAt, String(txid)), nextCheckAt }),
    summary: {
      ...resultOf(transaction),
      minor: transaction.money.minor,
      arn: transaction.arn,
      auth_code: transaction.authCode,
      created_at: createdAt,
      card: card && `${card.first6}******${card.last4}`,
      card_type: card?.scheme ?? null,
    },
    transaction,
  };
};

const changed = (version: number, names: Record<string, string>) => ({
  ConditionExpression: `${Object.keys(names).join('.')} = :version`,
  ExpressionAttributeNames: names,
  ExpressionAttributeValues: { ':version': version },
});

/** What of a payment's money is where: reserved, or authorised and perhaps captured, or nowhere. */
const ledgerRow = ({ txid, sid, money, status, action }: Transaction, version: number): Row => ({
  pk: `TX#${txid}`,
  sk: 'LEDGER',
  entity: 'LEDGER',
  schemaVersion: 1,
  parentTxid: txid,
  sid,
  currency: money.currency,
  authorized: status === 'OK' ? money.minor : '0',
  captured: status === 'OK' && action === 'PAYMENT' ? money.minor : '0',
  refunded: '0',
  voided: '0',
  paidOut: '0',
  inFlight: status === 'PEND' ? { [txid]: { kind: 'AUTH', minor: money.minor, alertId: null } } : {},
  disputes: {},
  version,
});

const postbackWrites = (transaction: Transaction, rcode: string): Write[] => {
  const { postbackUrl: url, parentTxid, sid, mid, rid, status, updatedAt: at } = transaction;
  if (url === null || status === 'PEND') return [];
  const id = `ntf_${newId()}`;
  const shown = { id, kind: 'postback', state: 'PENDING', sid };
  const expiresAt = iso(Date.parse(at) + 3 * day);
  const Item = {
    pk: `DELIVERY#${id}`,
    sk: 'DELIVERY',
    entity: 'DELIVERY',
    schemaVersion: 1,
    ...listsOf('DELIVERY', ['all', `M${mid}`, `~T${parentTxid}`, `S${sid}`], 'PENDING|postback', `${at}#${id}`),
    ...dueOf('DELIVERY', at, id),
    summary: {
      ...shown,
      alert_id: null,
      url,
      created_at: at,
      expires_at: expiresAt,
      next_attempt_at: at,
      attempts: [],
    },
    ...shown,
    mid,
    rid,
    alertId: null,
    contentType: 'application/json',
    body: JSON.stringify(verified(transaction, rcode)),
    postbackUrl: url,
    createdAt: at,
    expiresAt,
    nextAttemptAt: at,
    attempts: [],
    parentTxid,
    version: 1,
  };
  return [{ Put: { Item, ...isNew, ...old } }];
};

const outcomeWrites = (before: Transaction, after: Transaction, rcode: string): Write[] => {
  const { txid, sid, status, action, money, processorReference: reference } = after;
  const names = { '#transaction': 'transaction', '#version': 'version' };
  const next = { ...after, version: before.version + 1 };
  const balance = {
    Key: { pk: `BALANCE#${sid}#${txid % 8}`, sk: 'BALANCE' },
    UpdateExpression: 'SET #entity = :entity ADD #available :more, #reserved :kept',
    ExpressionAttributeNames: {
      '#entity': 'entity',
      '#available': `available#${money.currency}`,
      '#reserved': `reserved#${money.currency}`,
    },
    ExpressionAttributeValues: { ':entity': 'BALANCE', ':more': BigInt(money.minor), ':kept': 0n },
  };
  const pointer = {
    Key: { pk: `PROCESSED#sandbox#${reference}`, sk: 'TX' },
    UpdateExpression: 'SET #entity = :entity, #txid = if_not_exists(#txid, :txid), #sid = if_not_exists(#sid, :sid)',
    ExpressionAttributeNames: { '#entity': 'entity', '#txid': 'txid', '#sid': 'sid' },
    ExpressionAttributeValues: { ':entity': 'PROCESSED', ':txid': txid, ':sid': sid },
  };
  return [
    { Put: { Item: transactionRow(next), ...changed(before.version, names), ...old } },
    ...(status === 'PEND'
      ? []
      : [{ Put: { Item: ledgerRow(after, 2), ...changed(1, { '#version': 'version' }), ...old } }]),
    ...(status === 'OK' && action === 'PAYMENT' ? [{ Update: { ...balance, ...old } }] : []),
    ...(reference === null ? [] : [{ Update: { ...pointer, ...old } }]),
    ...postbackWrites(after, rcode),
  ];
};

const wrongHash = () =>
  new Problem(401, 'hash_wrong', 'hash: must be md5 of sid, timestamp, total amount, currency and rcode, joined.');

const read = async (keys: Record<string, string>[]): Promise<(Row | undefined)[]> => {
  const found = new Map<string, Row>();
  for (let pending = keys; pending.length > 0; ) {
    const request = new BatchGetCommand({ RequestItems: { [TableName]: { Keys: pending, ConsistentRead: true } } });
    const { Responses, UnprocessedKeys } = await client.send(request);
    for (const item of Responses?.[TableName] ?? []) found.set(`${item['pk']}\n${item['sk']}`, item);
    pending = UnprocessedKeys?.[TableName]?.Keys ?? [];
  }
  return keys.map(({ pk, sk }) => found.get(`${pk}\n${sk}`));
};

const readTransaction = async (txid: number): Promise<Transaction> => {
  const Key = { pk: `TX#${txid}`, sk: 'TX' };
  const { Item } = await client.send(new GetCommand({ TableName, Key, ConsistentRead: true }));
  return Item?.['transaction'] as Transaction;
};

const sealOf = (ring: Ring, key: string, body: Body): string => {
  const fields = Object.entries(body).filter(([name]) => !['hash', 'timestamp', 'card_ccv'].includes(name));
  const content = JSON.stringify(['singletx', ...fields.sort(([one], [other]) => (one < other ? -1 : 1))]);
  return `${key}.${hmac(`order:${ring.keys[key]}`, content)}`;
};

const earlierOf = (ring: Ring, row: Row, body: Body): Promise<Transaction> => {
  const kept = String(row['digest']);
  if (kept !== sealOf(ring, kept.split('.')[0] ?? '', body)) {
    throw new Problem(409, 'tid_reused', 'tid: was used for another transaction; send the same body, or another tid.');
  }
  return readTransaction(Number(row['txid']));
};

const newTransaction = (txid: number, site: Site, body: Body, minor: bigint, assessment: Assessment): Transaction => {
  const at = iso(Date.now());
  const text = (name: string) => (body[name] as string | undefined) ?? null;
  const { fraudId, score, decision } = assessment;
  const isAssessed = assessment.template !== null || assessment.reasons.length > 0;
  return {
    txid,
    parentTxid: txid,
    sid: site.sid,
    mid: site.mid,
    rid: site.rid,
    action: body.tx_action as 'PAYMENT' | 'PREAUTH',
    status: 'PEND',
    money: { minor: String(minor), currency: body.currency },
    tid: text('tid'),
    reference: text('reference'),
    refs: [text('ref1'), text('ref2'), text('ref3'), text('ref4')],
    descriptor: text('dynamic_descriptor'),
    processor: 'sandbox',
    routeId: 'sandbox',
    processorReference: null,
    idempotencyKey: `fw-${txid}-${randomWord(8)}`,
    arn: null,
    authCode: null,
    error: null,
    nextAction: null,
    card: null,
    email: body.email,
    postbackUrl: body.postback_url,
    conversion: null,
    fraud: isAssessed ? { fraudId, score, decision } : null,
    alertId: null,
    nextCheckAt: iso(Date.now() + minute),
    checks: 0,
    createdAt: at,
    updatedAt: at,
    version: 1,
  };
};

type Order = { sid: number; body: Body; minor: bigint; ring: Ring };

const readAround = async ({ sid, body, minor, ring }: Order, subject: Subject) => {
  const tid = body['tid'] as string | undefined;
  const tidKey = { pk: `TID#${sid}#${digest('sha256', tid ?? '')}`, sk: 'TID' };
  const hashKey = { pk: `HASH#${sid}#${digest('sha256', body.hash.toLowerCase())}`, sk: 'HASH' };
  const [siteRow, routes, claimed, shop, firstMail, ...rest] = await read([
    { pk: `SITE#${sid}`, sk: 'SITE' },
    { pk: `SITE#${sid}`, sk: 'PROCESSORS' },
    hashKey,
    { pk: `SITE#${sid}`, sk: 'ORDER_PROFILE' },
    { pk: `MAIL#eml_first_${sid}`, sk: 'MAIL' },
    ...(tid === undefined ? [] : [tidKey]),
    { pk: `SITE#${sid}`, sk: 'FRAUD_LISTS' },
    ...subject.names.map(([, name]) => ({ pk: `VELOCITY#${sid}#${name}`, sk: 'VELOCITY' })),
  ]);
  const sameTid = tid === undefined ? undefined : rest.shift();
  const earlier = sameTid ?? claimed;
  const [lists, ...rows] = rest;
  const site = siteRow?.['site'] as Site | undefined;
  if (!site) throw wrongHash();
  const now = iso(Date.now());
  const signed = `${sid}${body.timestamp}${formatMinor(minor, body.currency)}${body.currency}`;
  const rcode = site.rcodes
    .filter(({ validUntil }) => validUntil === null || now < validUntil)
    .map(({ sealed }) => open(ring, `site:${sid}:rcode`, sealed))
    .filter((one) => equal(body.hash.toLowerCase(), digest('md5', `${signed}${one}`)))[0];
  if (rcode === undefined) throw wrongHash();
  if (site.type !== 'payment') {
    throw new Problem(409, 'site_not_for_payments', 'sid: payments need a payment site.');
  }
  const processors = routes?.['processors'] as { routes: unknown[] } | undefined;
  if (processors && processors.routes.length > 0) throw new Error('Other processors are left out here');
  if (shop) throw new Error('Orders are left out here');
  if (firstMail || site.payment?.['notify_email']) throw new Error('E-mails about payments are left out here');
  return { site, rcode, tidKey, hashKey, lists: lists?.['lists'] as FraudLists | undefined, rows, earlier };
};

const startAs = async (txid: number, order: Order): Promise<Row> => {
  const { sid, body, minor, ring } = order;
  const [subject, at] = [subjectOf(body, ring), iso(Date.now())];
  const { site, rcode, tidKey, hashKey, lists, rows, earlier } = await readAround(order, subject);
  if (earlier) return verified(await earlierOf(ring, earlier, body), rcode);
  const card = readCard(body, Number(site.payment?.['skip_ccv'] ?? 0) === 1);
  const asked = { subject, rows, minor, currency: body.currency, at };
  const assessment = await assess({ ...asked, lists }, site, txid);
  const made = { ...newTransaction(txid, site, body, minor, assessment), card: subject.kept };
  const refusal =
    assessment.decision === 'REJECT'
      ? 'fraud_rejected'
      : assessment.decision === '3DS' && body['threeDSecure'] === undefined
        ? 'three_ds_required'
        : process.env['ALLOW_SANDBOX'] === 'true'
          ? null
          : 'no_processor';
  const begun = refusal === null ? made : failed(made, refusal);
  const seal = sealOf(ring, ring.current, body);
  const mark = { ...tidKey, entity: 'TID', txid, digest: seal };
  const ttl = Math.ceil((Date.parse(at) + 31 * 60_000) / 1000);
  const claim = { ...hashKey, entity: 'ORDER_CLAIM', txid, digest: seal, ttl };
  const writes: Write[] = [
    { Put: { Item: transactionRow(begun), ...isNew, ...old } },
    { Put: { Item: ledgerRow(begun, 1), ...isNew, ...old } },
    { Put: { Item: claim, ...isNew, ...old } },
    ...(body['tid'] === undefined ? [] : [{ Put: { Item: mark, ...isNew, ...old } }]),
    ...postbackWrites(begun, rcode),
    ...fraudWrites(sid, assessment, asked),
  ];
  await client.send(new TransactWriteCommand({ TransactItems: writes }));
  if (refusal !== null) return verified(begun, rcode);
  const after = afterSandbox(ring, begun, card);
  await client.send(new TransactWriteCommand({ TransactItems: outcomeWrites(begun, after, rcode) }));
  return verified(after, rcode);
};

const singleTx = async (event: APIGatewayProxyEvent): Promise<Row> => {
  const sid = event.pathParameters?.['id'] ?? '';
  if (!/^[1-9]\d{0,15}$/.test(sid)) throw invalid('id: must be a whole number above 0');
  const body = readBody(readSent(event));
  const minor = totalOf(body);
  checkTimestamp(body.timestamp);
  checkPostback(body.postback_url);
  const order = { sid: Number(sid), body, minor, ring: await readRing() };
  for (let tries = 1; ; tries += 1) {
    try {
      return await startAs(newId(), order);
    } catch (error) {
      // Somebody drew the same number, or sent the same tid: what is there now decides.
      if (!(error instanceof TransactionCanceledException) || tries === 6) throw error;
    }
  }
};

/** Answers as the service does. */
export const handler = async (event: APIGatewayProxyEvent): Promise<APIGatewayProxyResult> => {
  const started = performance.now();
  let statusCode = 200;
  let body: Row;
  try {
    body = await singleTx(event);
  } catch (error) {
    const known = error instanceof Problem ? error : new Problem(500, 'internal', 'Something went wrong on our side');
    if (known !== error) console.error(error);
    statusCode = known.status;
    body = { status: 'EXC', error_code: known.code, error_msg: known.message };
  }
  const { requestId } = event.requestContext;
  const milliseconds = Math.round(performance.now() - started);
  console.log(JSON.stringify({ level: 'info', event: 'request', requestId, status: statusCode, milliseconds }));
  const headers = { 'content-type': 'application/json', 'x-request-id': requestId, 'cache-control': 'no-store' };
  return { statusCode, headers, body: JSON.stringify(body) };
};
