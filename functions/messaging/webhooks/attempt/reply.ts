import { isFields } from '#core/kernel/is-object.ts';
import { keepNumberText } from '#core/kernel/money/number-text.ts';
import { isTooDeep } from '#core/platform/http/json.ts';

type Fields = Record<string, unknown>;
/** The tree that bracketed names spell: `a[0][b]=c` is a branch in a branch. */
type Branch = Map<string, Branch | string>;

const deepestBrackets = 32;
/** The two spellings of the field that holds variable information; a form carries it as JSON text, whole or by entry. */
const detailNames = ['tx_details', 'txdetails'] as const;

const parseExactly = (text: string): unknown => {
  try {
    return JSON.parse(text, keepNumberText);
  } catch (error) {
    // RangeError: nested so deep that the parser's stack ran out.
    if (error instanceof SyntaxError || error instanceof RangeError) return undefined;
    throw error;
  }
};

/** `tx_details[0][userid]` → `['tx_details', '0', 'userid']`; a name with unbalanced brackets is taken literally. */
const splitFieldName = (name: string): string[] => {
  const [, first, rest] = /^([^[\]]+)((?:\[[^[\]]*\])+)$/.exec(name) ?? [];
  if (first === undefined || rest === undefined) return [name];
  return [first, ...rest.slice(1, -1).split('][')];
};

const place = (tree: Branch, segments: readonly string[], value: string): void => {
  let branch = tree;
  for (const [depth, segment] of segments.entries()) {
    const key = segment === '' && depth > 0 ? String(branch.size) : segment;
    if (depth === segments.length - 1) {
      branch.set(key, value);
      return;
    }
    const held = branch.get(key);
    const next: Branch = held instanceof Map ? held : new Map();
    branch.set(key, next);
    branch = next;
  }
};

/** Branches whose names are all numbers become lists, without the holes that `x[4000000000]` would ask for. */
const toPlainNode = (node: Branch | string): unknown => {
  if (typeof node === 'string') return node;
  const entries = [...node].map(([key, value]) => [key, toPlainNode(value)] as const);
  if (!entries.every(([key]) => /^\d+$/.test(key))) return Object.fromEntries(entries);
  return entries.sort(([left], [right]) => Number(left) - Number(right)).map(([, value]) => value);
};

const fieldsOfForm = (text: string): Fields | undefined => {
  const tree: Branch = new Map();
  for (const [name, value] of new URLSearchParams(text)) {
    const segments = splitFieldName(name);
    if (segments.length > deepestBrackets) return undefined;
    place(tree, segments, value);
  }
  return Object.fromEntries([...tree].map(([name, node]) => [name, toPlainNode(node)]));
};

/** JSON text that holds an object or a list becomes it; any other value stays what it is. */
const unfold = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(unfold);
  const parsed = typeof value === 'string' ? parseExactly(value) : undefined;
  return typeof parsed === 'object' && parsed !== null ? parsed : value;
};

const unfoldDetails = (fields: Fields): Fields => {
  const details = detailNames.filter((name) => Object.hasOwn(fields, name));
  return { ...fields, ...Object.fromEntries(details.map((name) => [name, unfold(fields[name])])) };
};

const isGiven = (value: unknown): boolean => (typeof value === 'string' && value !== '') || typeof value === 'number';

const isUpdate = (fields: Fields): boolean =>
  Object.hasOwn(fields, 'status') &&
  Object.hasOwn(fields, 'reason_code') &&
  isGiven(fields['status']) &&
  isGiven(fields['reason_code']);

const known = [
  ...['alert_id', 'status', 'reason_code', 'comments', 'merchant_notes', 'tx_details', 'txdetails'],
  ...['alert_outcome_amount', 'alert_outcome_currency', 'alert_outcome_action_date', 'refunded_elsewhere'],
];
const bare = (name: string): string => name.toLowerCase().replace(/[^a-z]/g, '');
const knownByBare = new Map(known.map((name) => [bare(name), name]));

/** Names as .NET, Java and JavaScript spell them (`ReasonCode`, `reasonCode`, `reason-code`), spelled as in the interface. */
const spellAsInterface = (fields: Fields): Fields =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => {
      const meant = known.includes(name) ? name : (knownByBare.get(bare(name)) ?? name);
      return [Object.hasOwn(fields, meant) ? name : meant, value];
    }),
  );

/** The levels of wrappers that are opened: a proxy's around a framework's around a list of one. */
const maxWrappers = 5;

/** The body of an answer that a proxy such as API Gateway describes in base64. */
const unwrapBase64 = (fields: Fields): Fields => {
  const { body, isBase64Encoded } = fields;
  return isBase64Encoded === true && typeof body === 'string'
    ? { ...fields, body: Buffer.from(body, 'base64').toString() }
    : fields;
};

/** JSON in base64, which begins with a bracket, perhaps a blank or a line end, and a quotation mark or another bracket. */
const base64Json = /^[We][\w+/-]{23,}={0,2}$/;
const undoBase64 = (text: string): string => {
  const decoded = base64Json.test(text) ? Buffer.from(text, 'base64').toString() : '';
  return /^[[{]\s*["[{]/.test(decoded) ? decoded : text;
};

/** Every object with a reason code in a value: itself, in JSON within text, in lists, and in objects around it. */
const findAnswers = (value: unknown, depth = 0): Fields[] => {
  if (depth > maxWrappers) return [];
  if (typeof value === 'string') {
    const text = undoBase64(value.trim());
    const inner = /^[[{"]/.test(text) ? parseExactly(text) : undefined;
    if (inner !== undefined) return findAnswers(inner, depth + 1);
    const form = depth > 0 && nameInForm.test(value) ? fieldsOfForm(value) : undefined;
    return form ? findAnswers(form, depth + 1) : [];
  }
  if (Array.isArray(value)) return value.slice(0, maxListed).flatMap((one) => findAnswers(one, depth + 1));
  if (!isFields(value)) return [];
  const fields = spellAsInterface(value);
  if (isGiven(fields['reason_code'])) return [fields];
  return Object.entries(unwrapBase64(value))
    .slice(0, maxListed)
    .flatMap(([name, one]) => (name === '__proto__' ? [] : findAnswers(one, depth + 1)));
};
const maxListed = 100;
const nameInForm = /^\s*\??(?:[^=&\s]*=[^&]*&)*(?:amp;)?reason_code=/;

const answersIn = (text: string): Fields[] => {
  const parsed = parseExactly(undoBase64(text));
  if (parsed !== undefined) return findAnswers(parsed);
  const form = fieldsOfForm(text.replace(/^\?/, '').replaceAll('&amp;', '&'));
  return form ? findAnswers(form, maxWrappers) : [];
};

/**
 * The alert update in a merchant's reply to a notification: a JSON object or a form that has both `status` and `reason_code`,
 * whatever content type it has, since PHP calls everything text/html, and whatever is around it; of several, none. Otherwise null. Most replies are some other kind of
 * acknowledgement, so nothing here is an error; whether the update is valid is decided by the rules for updates. A reply nested
 * deeper than 32 levels is not an update. Give it whole replies only: a truncated form still parses.
 */
export const updateInReply = (text: string): Fields | null => {
  const [fields, other] = answersIn(text.trim());
  if (!fields || other || !isUpdate(fields) || isTooDeep(fields)) return null;
  const update = unfoldDetails(fields);
  return isTooDeep(update) ? null : update;
};

/** A reason code's name in any spelling; `rdr_reason_code` is a field of the notification, which some endpoints send back. */
const reasonName = /(?<![a-z]_?)reason[_ -]?code/i;

/**
 * Checks whether a reply in which no update was found was meant as one: it gives a reason code, or names one and is no JSON, or has a status of
 * the interface next to a code under another name.
 */
export const isUnreadable = (text: string): boolean => {
  const reply = text.trim();
  if (answersIn(reply).length > 0) return true;
  const hasCode = reasonCode.test(reply);
  return reasonName.test(reply) ? hasCode || parseExactly(reply) === undefined : hasCode && answerStatus.test(reply);
};
/** Of result 001, 002 or 003: amounts have other decimals. */
const reasonCode = /\b\d{3}\.00[123]\b/;
const answerStatus = /\b(?:RESOLVED|DECLINED|WIP)\b/;
