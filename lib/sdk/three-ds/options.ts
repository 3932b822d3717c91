import { badOption } from './error.ts';
import { widthOf } from './look.ts';
import type { AuthenticateOptions, Card, PrepareOptions, WindowSize } from './v1.d.ts';

/** A call whose options are right. `fields`: the card as the service takes it, in a closure and in no property. */
export type Call = {
  id: string;
  token: string;
  base: string;
  fields: () => Record<string, string>;
  same: (other: Call) => boolean;
};

const passesLuhn = (digits: string): boolean =>
  [...digits].reverse().reduce((sum, digit, index) => {
    const value = Number(digit) * (index % 2 ? 2 : 1);
    return sum + (value > 9 ? value - 9 : value);
  }, 0) %
    10 ===
  0;

const cardOf = (card: Card | undefined): (() => Record<string, string>) => {
  const number = String(card?.number ?? '').replace(/[ -]/g, '');
  if (!/^\d{12,19}$/.test(number) || !passesLuhn(number)) throw badOption('card.number: is no card number');
  const month = String(card?.expMonth ?? '').padStart(2, '0');
  if (!/^(?:0[1-9]|1[0-2])$/.test(month)) throw badOption('card.expMonth: must be 01 to 12');
  const given = String(card?.expYear ?? '');
  const year = given.length === 2 ? `20${given}` : given;
  if (!/^20\d\d$/.test(year)) throw badOption('card.expYear: must be four digits');
  const holder = card?.holder;
  return () => ({
    card_no: number,
    card_exp_month: month,
    card_exp_year: year,
    ...(holder ? { card_name: holder } : {}),
  });
};

/** `scriptUrl`: of this script; the service is two folders above it, unless a bundler has put it elsewhere. */
const baseOf = (given: string | undefined, scriptUrl: string | undefined): string => {
  const found = given ?? /^(.*)\/sdk\/3ds\/[^/]+$/.exec((scriptUrl ?? '').replace(/[?#].*$/, ''))?.[1];
  if (!found || !/^https?:\/\//.test(found))
    throw badOption('baseUrl: is required where the script is served from elsewhere');
  return found.replace(/\/+$/, '');
};

export const callOf = ({ clientToken, card, baseUrl }: PrepareOptions, scriptUrl: string | undefined): Call => {
  const [, id] = /^([1-9]\d*)\.\d+\.[\da-f]+$/.exec(String(clientToken)) ?? [];
  if (id === undefined) throw badOption('clientToken: must be as create3ds answered it');
  const fields = cardOf(card);
  const call = { id, token: clientToken, base: baseOf(baseUrl, scriptUrl), fields };
  return {
    ...call,
    same: (other) => other.token === clientToken && JSON.stringify(other.fields()) === JSON.stringify(fields()),
  };
};

/** Of a dialog, in pixels. */
const borders = 2;

const sizes = ['01', '02', '03', '04', '05'];

/** Throws what is wrong with the options that only `authenticate` has. */
export const checkOptions = ({ windowSize, challengeSeconds, container }: AuthenticateOptions): void => {
  if (windowSize !== undefined && !sizes.includes(windowSize)) throw badOption('windowSize: must be 01 to 05');
  if (challengeSeconds !== undefined && !(challengeSeconds >= 300 && challengeSeconds <= 1800)) {
    throw badOption('challengeSeconds: must be 300 to 1800');
  }
  if (container !== undefined && !(container instanceof HTMLElement)) throw badOption('container: must be an element');
};

const narrower = ['04', '03', '02', '01'] as const;

/**
 * Returns the size that the issuer receives and the frame has. One that the window has no room for becomes the widest for which it has: an
 * issuer's page of 600 pixels would fill a phone, and be seen in parts.
 */
export const windowSizeOf = ({ windowSize }: AuthenticateOptions): WindowSize => {
  const wanted = windowSize ?? (innerWidth >= 640 ? '03' : '05');
  if (wanted === '05') return wanted;
  const fitting = narrower.find((size) => size <= wanted && widthOf(size) + borders <= innerWidth);
  return fitting ?? '01';
};
