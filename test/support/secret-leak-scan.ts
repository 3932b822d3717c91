import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { passesLuhn } from '#core/kernel/card/luhn.ts';
import type { Invocation } from '#lib/local/functions/function-runner.ts';

/**
 * The hunt over the whole suite for what may stand nowhere outside its field: card numbers, security codes, rcodes and
 * keys of processors. What is secret is learned from the requests that the tests make; whatever looks like a card or a
 * processor's key is hunted without having been learned. `secret-leak-setup.ts` and the tables, stacks and callers of
 * `test/support` show it everything that is written, logged, queued, mailed and answered.
 */
const known = {
  /** Card numbers in digits, and their plain digests, which are as good as the number. */
  cards: new Map<string, RegExp>(),
  digests: new Set<string>(),
  codes: new Set<string>(),
  rcodes: new Set<string>(),
  keys: new Set<string>(),
};
const leaks: string[] = [];

const gap = '[ +./_-]?';
const cardLike = new RegExp(
  `(?<![\\w.+/=#%-])[2-6]\\d{3}${gap}\\d{4,6}${gap}\\d{4,5}(?:${gap}\\d{1,7})?(?![\\w.+/=-])`,
  'g',
);
const processorKey = /\b(?:[sr]k_(?:test|live)_|whsec_)[\w+/]{8,}/g;
const digest = /(?<![0-9a-f])(?:[0-9a-f]{32}|[0-9a-f]{64})(?![0-9a-f])/g;
/** A learned card is hunted in every spelling and wherever it stands. */
const cardPattern = (card: string): RegExp => new RegExp(`(?<!\\d)${[...card].join('[\\s+./_-]?')}(?!\\d)`, 'g');
const rcodeLike = /(?<![\w])[0-9a-z]{20,64}(?![\w])/g;
/** Whole values and words of three or four digits. */
const codeLike = /(?<=["'\s=(]|\[)\d{3,4}(?=["'\s,);&\]]|\.(?!\d)|$)/g;
/** Numbers of the table and of its stream; and fields of rows that are amounts, years, ends of cards and codes of other kinds. */
const otherNumbers =
  /"(?:N|SequenceNumber|content-length)":"$|"(?:minor|original|refundedOriginal|authorized|captured|refunded|voided|held|paidOut|rate|min|max|last4|expYear|mcc|condition_?[cC]ode|reason_code|partnerid|purchaseCurrency|merchantCountryCode)":\{"S":"$|(?:Merchant|Retailer|Site|Once) \($/;
const codeName = /"(?:card_?)?(?:cvv|cvc|ccv)2?"\s*:\s*(?:\{"\w+":)?"?\d/gi;

type Match = { found: string; at: number };

const findMatches = (text: string, pattern: RegExp): Match[] =>
  [...text.matchAll(pattern)].map(({ 0: found, index: at }) => ({ found, at }));

const onlyDigits = (match: string): string => match.replace(/\D/g, '');
const isCard = (digits: string): boolean => digits.length >= 13 && digits.length <= 19 && passesLuhn(digits);
const cardsIn = (text: string): Match[] => findMatches(text, cardLike).filter(({ found }) => isCard(onlyDigits(found)));

/** A card in its own field, whatever stands around it. */
const cardField = /(?:card_?no|accountNumber|cardNumber|number)\W{0,12}([2-6](?:[ +./_-]?\d){11,18})(?!\d)/gi;
const fields =
  /(?<![\w-])(rcode|card_ccv|cvv|secret_key|webhook_secret|api_key|hmac_key)(?:\\*"|\[\d*\])?(?:\\r|\\n|\\*"|[\s:=[])*([^\\"&\s,;}\]]+)/g;

/** The secrets that are learned while a test collects them, as `learn` takes them. */
const noted: { secrets?: Set<string> } = {};

/** Adds to what is known; it is noted even if it was known. */
const note = (among: Set<string>, name: string, value: string): void => {
  among.add(value);
  noted.secrets?.add(JSON.stringify({ [name]: value }));
};

const learnField = (name: string, value: string): void => {
  if (name === 'rcode') learnRcode(value);
  else if (name === 'card_ccv' || name === 'cvv') {
    if (/^\d{3,4}$/.test(value)) note(known.codes, 'cvv', value);
  } else if (value.length >= 12) note(known.keys, 'secret_key', value);
};

/** Signs that are escaped in a form or an address, as a space: they stand between words there too. */
const unescapeSigns = (text: string): string => text.replaceAll(/%[2-5][0-9a-f]/gi, ' ');

/** Takes note of a site's secret. Shorter ones are mistakes made on purpose. */
export const learnRcode = (rcode: string): void => {
  if (/^[0-9a-z]{20,64}$/.test(rcode)) note(known.rcodes, 'rcode', rcode);
};

/** Takes note of the secrets in a request, given as JSON or as it was sent. */
export const learn = (sent: string): void => {
  const request = unescapeSigns(sent);
  for (const [, name = '', value = ''] of request.matchAll(fields)) learnField(name, value);
  const inFields = [...request.matchAll(cardField)].map(([, card = '']) => onlyDigits(card)).filter(isCard);
  for (const card of [...inFields, ...cardsIn(request).map(({ found }) => onlyDigits(found))]) {
    noted.secrets?.add(JSON.stringify({ card_no: card }));
    if (known.cards.has(card)) continue;
    known.cards.set(card, cardPattern(card));
    for (const algorithm of ['md5', 'sha256']) known.digests.add(createHash(algorithm).update(card).digest('hex'));
    known.digests.add(createHash('sha256').update(card).digest('base64').replace(/=+$/, ''));
  }
};

/** Notes what is learned from now on, what was known included; the returned function ends that and tells it, as `learn` takes it. */
export const noteLearned = (): (() => string[]) => {
  const secrets = new Set<string>();
  noted.secrets = secrets;
  return () => {
    delete noted.secrets;
    return [...secrets];
  };
};

const mask = (secret: string): string => `${secret.slice(0, 6)}…`;

/** Returns the text around a leak, by which it is found. */
const around = (text: string, at: number): string => text.slice(Math.max(0, at - 80), at + 60).replace(/\s+/g, ' ');

const places = (text: string, part: string): Match[] => {
  const at = text.indexOf(part);
  return at < 0 ? [] : [{ found: part, at }];
};

/** Returns the secrets that a text contains; `own` names fields whose values belong there. */
export const leaksIn = (text: string, own: readonly string[] = []): string[] => {
  const withoutOwn = own.reduce((rest, name) => rest.replaceAll(new RegExp(`"${name}":"[^"]*"`, 'g'), ''), text);
  const seen = unescapeSigns(withoutOwn);
  const learnedMatches = (pattern: RegExp, secrets: ReadonlySet<string>): Match[] =>
    secrets.size === 0 ? [] : findMatches(seen, pattern).filter(({ found }) => secrets.has(found));
  const cards = [...known.cards].flatMap(([card, spelling]) =>
    seen.includes(card.slice(-4)) ? findMatches(seen, spelling) : [],
  );
  const encoded = [...known.cards.keys()].flatMap((card) =>
    places(seen, Buffer.from(card).toString('base64').slice(0, -4)),
  );
  const kinds: [string, Match[]][] = [
    ['the card', [...cards, ...cardsIn(seen)]],
    ['the card in base 64', encoded],
    ['the plain digest of a card', learnedMatches(digest, known.digests)],
    ['the rcode', learnedMatches(rcodeLike, known.rcodes)],
    ['the processor key', [...known.keys].flatMap((key) => places(seen, key))],
    ['what looks like a key', findMatches(seen, processorKey)],
    [
      'the security code',
      learnedMatches(codeLike, known.codes).filter(
        ({ at }) => !otherNumbers.test(seen.slice(Math.max(0, at - 40), at)),
      ),
    ],
    ['a field for a security code', findMatches(seen, codeName)],
  ];
  const found = kinds.flatMap(([kind, matches]) =>
    matches.map(({ found, at }) => `${kind} ${mask(found)} in …${around(seen, at)}…`),
  );
  return [...new Set(found)];
};

/** Hunts in what a test made the service say or keep; the test fails if there is something. */
export const watch = (place: string, text: string, own: readonly string[] = []): void => {
  leaks.push(...leaksIn(text, own).map((leak) => `${place}: ${leak}`));
};

/** An operation that creates a secret shows it once, to its owner. */
const issuing = /\/rid\/[^/]+\/create$|\/rotate$|\/connections$/;
const shownOnPurpose = ['rcode', 'signing_secret', 'secret'];

/**
 * Hunts in an answer, and takes note of the rcodes that it shows on purpose. The service's description of itself shows examples
 * of everything that can be sent, and the sandbox's shop the numbers of test cards; both are the same whoever asks.
 */
export const watchAnswer = (path: string, body: string, headers: object = {}): void => {
  if (/^\/(?:docs|openapi\.json|sandbox\/shop(?:\.js)?$)/.test(path)) return;
  const isIssuing = issuing.test(path);
  if (isIssuing) for (const [, rcode = ''] of body.matchAll(/"rcode":"([^"]+)"/g)) learnRcode(rcode);
  watch(`the answer of ${path}`, `${body}\n${JSON.stringify(headers)}`, isIssuing ? shownOnPurpose : []);
};

type Event = { httpMethod?: string; path?: string; body?: string | null; isBase64Encoded?: boolean };
type Result = { body?: string; headers?: object } | null | undefined;

/** A request with its body as it was sent: the gateway hands over base 64. */
const readable = ({ body, isBase64Encoded, ...event }: Event): string =>
  JSON.stringify({ ...event, body: body && isBase64Encoded ? Buffer.from(body, 'base64').toString() : body });

/** The stream numbers its records from one: sooner or later a record has the number of a security code. */
const withoutNumbers = (event: unknown): string =>
  (JSON.stringify(event) ?? '').replace(/"(?:eventID|SequenceNumber)":"\d+"/g, '""');

/** Hunts in all that one call of a function on the local stack took part in; its request is what it learns from. */
export const watchInvocation = ({ function: { name }, event, result, error, logs }: Invocation): void => {
  const request = event as Event;
  if (request?.httpMethod) {
    learn(readable(request));
    const { body = '', headers = {} } = (result as Result) ?? {};
    watchAnswer(request.path ?? '', body, headers);
    // The authorizer is asked with the token.
  } else if (!name.endsWith('authorizer')) watch(`what ${name} was given`, withoutNumbers(event));
  if (error) watch(`the error of ${name}`, `${error.stack}`);
  for (const line of logs) watch(`a log line of ${name}`, line);
};

/** Returns the findings since the last call. */
export const takeLeaks = (): string[] => [...new Set(leaks.splice(0))];

/** Throws if anything was found since it was last asked. */
export const expectNoLeaks = (): void => {
  const found = takeLeaks();
  if (found.length > 0) throw new Error(`Secrets where they do not belong:\n${found.join('\n')}`);
};

/** Every file in a folder and those below it. */
export const filesUnder = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((file) => statSync(file).isFile());

/**
 * Scans all that an emulator or a local stack keeps in its folder: every version of every row, and queues, schedules, mails and
 * posts to endpoints. To be called when nothing writes any more.
 */
export const watchFolder = (folder: string): void => {
  for (const file of filesUnder(folder)) {
    if (/[\\/](?:table|state)\.sqlite$/.test(file)) watchDatabase(file);
    if (/functions\.log/.test(file)) watch('the log file', readFileSync(file, 'utf8'));
  }
};

/** The indexes hold copies of what the tables hold; the configured answers of an endpoint belong to the tests. */
const isCopy = (table: string): boolean => table.includes('::') || table === 'sink_answers';

const watchDatabase = (file: string): void => {
  using database = new DatabaseSync(file);
  const tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all();
  for (const table of tables.map(({ name }) => String(name)).filter((name) => !isCopy(name))) {
    for (const text of readTexts(database, table)) {
      // The Secrets Manager and the demo tenant's credentials; no card belongs there either.
      if (table === 'kept') leaks.push(...leaksIn(text).filter((leak) => leak.startsWith('the card')));
      else watch(`the rows of ${table}`, text);
    }
  }
};

const portion = 1_000_000;

/** Sequence numbers are written as text too. */
const isText = (value: unknown): value is string => typeof value === 'string' && !/^\d{1,6}$/.test(value);

/** All texts of all rows, in portions that are neither many nor large. */
function* readTexts(database: DatabaseSync, table: string): Generator<string> {
  let text = '';
  for (const row of database.prepare(`SELECT * FROM "${table}"`).iterate()) {
    text += `${Object.values(row).filter(isText).join('\n')}\n`;
    if (text.length < portion) continue;
    yield text;
    text = '';
  }
  yield text;
}
