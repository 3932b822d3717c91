import { maskNumber, schemeOf } from '#core/kernel/card/card.ts';
import { passesLuhn } from '#core/kernel/card/luhn.ts';
import { isCountry } from '#core/kernel/countries.ts';
import { Refusal } from '#core/platform/operation/errors.ts';
import { canonicalEmail, canonicalIp } from '../check/subject.ts';
import { anyMailbox } from './entry-match.ts';
import { countEntries, type FraudList, type FraudLists, type ListedCard, maxEntries } from './lists.ts';

type SentList = { [N in keyof FraudList]?: readonly string[] | undefined };
type ListName = 'block' | 'allow' | 'watch';
export type SentLists = { [N in ListName]?: SentList | undefined };

type Problem = { problem: string };
type Reader<T> = (text: string) => T | Problem;
const isProblem = (value: unknown): value is Problem =>
  typeof value === 'object' && value !== null && 'problem' in value;

const domain = /^(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+[a-z][a-z\d-]{0,61}[a-z\d]$/;
/** An address, or `*@` and a domain, also written as `@` and the domain; an asterisk elsewhere would never match. */
const email: Reader<string> = (text) => {
  const [local = '', rest = '', ...others] = canonicalEmail(text).split('@');
  const host = URL.parse(`http://${rest}`)?.hostname ?? '';
  const isRight = others.length === 0 && domain.test(host) && /^[^\s*]{0,64}$/.test(local === '*' ? '' : local);
  if (!isRight) return { problem: 'must be an e-mail address, or *@ and a domain' };
  return local === '' || local === '*' ? `${anyMailbox}${host}` : `${local}@${host}`;
};
/** Shorter ones would hold whole countries. */
const shortestPrefix = { 4: 8, 6: 16 } as const;
const ip: Reader<string> = (text) => {
  const [address = '', length, ...others] = text.trim().split('/');
  const known = canonicalIp(address);
  const [least, most] = known?.includes(':') ? [shortestPrefix[6], 128] : [shortestPrefix[4], 32];
  const size = Number(length);
  const isNetwork = length !== undefined && /^\d{1,3}$/.test(length) && size >= least && size <= most;
  if (known === null || others.length > 0 || (length !== undefined && !isNetwork)) {
    return { problem: 'must be an IP address, or a network such as 203.0.113.0/24' };
  }
  return length === undefined ? known : `${known}/${size}`;
};
const country: Reader<string> = (text) =>
  isCountry(text.toUpperCase()) ? text.toUpperCase() : { problem: 'must be a country code of ISO 3166, two letters' };
const bin: Reader<string> = (text) =>
  /^\d{6}(?:\d\d)?$/.test(text) && schemeOf(text) !== undefined
    ? text
    : { problem: 'must be the first six or eight digits of a card that is taken' };

/** A card by its number, or by the token under which these lists have it already. */
const cardReader =
  (lists: FraudLists, tokenOf: (digits: string) => string): Reader<ListedCard> =>
  (text) => {
    const listed = [lists.block, lists.allow, lists.watch]
      .flatMap(({ cards }) => cards)
      .find(({ token }) => token === text);
    if (listed) return listed;
    const digits = text.replace(/[ -]/g, '');
    return /^\d{12,19}$/.test(digits) && passesLuhn(digits)
      ? { token: tokenOf(digits), card: maskNumber(digits) }
      : { problem: 'must be a card number, or a token from these lists' };
  };

/**
 * The lists with those that were sent replaced, each entry once and in canonical form. Throws request_invalid, naming each wrong
 * entry by its position, never by its value.
 */
export const changedLists = (lists: FraudLists, sent: SentLists, tokenOf: (digits: string) => string): FraudLists => {
  const problems: string[] = [];
  const read = <T>(values: readonly string[] | undefined, present: readonly T[], place: string, reader: Reader<T>) => {
    if (values === undefined) return present;
    const found = new Map<string, T>();
    for (const [index, text] of values.entries()) {
      const value = reader(text);
      if (isProblem(value)) problems.push(`${place}.${index}: ${value.problem}`);
      else found.set(JSON.stringify(value), value);
    }
    return [...found.values()];
  };
  const card = cardReader(lists, tokenOf);
  const listOf = (name: ListName): FraudList => {
    const [present, { cards, emails, ips, countries, bins }] = [lists[name], sent[name] ?? {}];
    return {
      cards: read(cards, present.cards, `${name}.cards`, card),
      emails: read(emails, present.emails, `${name}.emails`, email),
      ips: read(ips, present.ips, `${name}.ips`, ip),
      countries: read(countries, present.countries, `${name}.countries`, country),
      bins: read(bins, present.bins, `${name}.bins`, bin),
    };
  };
  const changed = {
    block: listOf('block'),
    allow: listOf('allow'),
    watch: listOf('watch'),
    version: lists.version,
  };
  if (countEntries(changed) > maxEntries)
    problems.push(`block: all lists together may have at most ${maxEntries} entries`);
  if (problems.length > 0) throw new Refusal('request_invalid', problems.slice(0, 20).join('; '));
  return changed;
};

/** Lists on the wire. */
export const toListsDto = (sid: number, { block, allow, watch, version }: FraudLists) => {
  const toListDto = (list: FraudList) => ({
    cards: [...list.cards],
    emails: [...list.emails],
    ips: [...list.ips],
    countries: [...list.countries],
    bins: [...list.bins],
  });
  return { sid, block: toListDto(block), allow: toListDto(allow), watch: toListDto(watch), version };
};
