import { signal } from '@preact/signals';
import type { BaseLocationHook } from 'wouter-preact';

/**
 * The address of a screen: everything behind `#`. Filters are there too, because they contain card digits and
 * names: browsers do not send this part, so it reaches no server and no log.
 */
export type Address = { path: string; query: URLSearchParams };

type Fields = Readonly<Record<string, string | undefined>>;

const parseAddress = (hash: string): Address => {
  const [path = '', query = ''] = splitOnce(hash.replace(/^#/, ''), '?');
  return { path: path.startsWith('/') ? path : `/${path}`, query: new URLSearchParams(query) };
};

const splitOnce = (text: string, mark: string): string[] => {
  const at = text.indexOf(mark);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + mark.length)];
};

/** The address of a place in the dashboard, for `href`. Fields without a value are left out. */
export const link = (path: string, fields: Fields = {}): string => {
  const given = Object.entries(fields).flatMap(([name, value]) => (value ? [[name, value]] : []));
  return given.length === 0 ? `#${path}` : `#${path}?${new URLSearchParams(given)}`;
};

const current = (): Address => parseAddress(globalThis.location?.hash ?? '');

export const address = signal<Address>(current());

/** By path, how each list was last looked at. In memory alone: filters hold card digits and names. */
const lastQueries = signal<Readonly<Record<string, string>>>({});

/** The parts of an address that are a position in a list. */
const placeFields = ['cursor', 'after'];

/** Redirects old links to the queue, which was at the root. Home has no query. */
const followOldLink = ({ path, query }: Address): Address => {
  if (path !== '/' || query.size === 0) return { path, query };
  history.replaceState(null, '', link('/queue', Object.fromEntries(query)));
  return { path: '/queue', query };
};

/** The hash of the screen before this one, for the way back to it; empty on the first. */
export const previousHash = signal('');
let presentHash = '';

const arrive = (): void => {
  previousHash.value = presentHash;
  presentHash = location.hash;
  const present = followOldLink(current());
  const query = new URLSearchParams(present.query);
  for (const name of placeFields) query.delete(name);
  const before = lastQueries.peek();
  if ((before[present.path] ?? '') !== query.toString()) {
    lastQueries.value = { ...before, [present.path]: query.toString() };
  }
  address.value = present;
};

/** Returns the address of a list in its last state, with its filters. */
export const lastLink = (path: string): string => {
  const query = lastQueries.value[path];
  return query ? `#${path}?${query}` : `#${path}`;
};

/** The next user must not find them. */
export const forgetQueries = (): void => {
  previousHash.value = '';
  lastQueries.value = {};
};

/** Follows the browser's own address: links, back and forward. To be called once. */
export const followAddress = (): void => {
  addEventListener('hashchange', arrive);
  arrive();
};

/** Goes to a place in the dashboard. `replace`: without a new entry in the history, as filters that are being typed. */
export const go = (to: string, { replace = false }: { replace?: boolean } = {}): void => {
  if (to === location.hash) return;
  if (replace) history.replaceState(null, '', to);
  else history.pushState(null, '', to);
  arrive();
};

/** Changes some fields of the present address and keeps the others. */
export const setQuery = (fields: Fields, options: { replace?: boolean } = {}): void => {
  const { path, query } = address.peek();
  go(link(path, { ...Object.fromEntries(query), ...fields }), options);
};

/** The current path, for `wouter-preact`. */
export const useHashPath: BaseLocationHook = () => [address.value.path, (to: string) => go(`#${to}`)];
