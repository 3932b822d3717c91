import * as v from 'valibot';
import { isAddress } from './email-pattern.ts';
import { CardFree, rewritesText } from './text.ts';

/** Dots may stand anywhere: Japanese providers gave out addresses such as `taro..x@docomo.ne.jp`. */
const payerAddress =
  /^[\w!#$%&'*+/=?^`{|}~.-]{1,64}@(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+[a-z][a-z\d-]{0,61}[a-z\d]$/i;

/** An address as it is typed, without invisible characters, in half-width letters, and with its domain in ASCII (IDNA). */
const typedAddress = (text: string): string => {
  const plain = text.normalize('NFKC').replace(/[\s\p{Cf}\p{Cc}]/gu, '');
  const at = plain.lastIndexOf('@');
  const domain = plain.slice(at + 1);
  const isAscii = /^\p{ASCII}*$/u.test(domain);
  return isAscii ? plain : `${plain.slice(0, at + 1)}${URL.parse(`http://${domain}`)?.hostname ?? domain}`;
};

/** The address of a payer, whose sale is not refused for its spelling. Processors get it only in the form that they take. */
export const PayerEmail = v.pipe(
  v.string('must be text'),
  CardFree,
  v.transform(typedAddress),
  v.check((text) => text.length <= 254 && payerAddress.test(text), 'must be an e-mail address'),
  rewritesText(),
);

/** One address, or the empty text for none. */
export const ContactEmail = v.pipe(
  v.string('must be text'),
  CardFree,
  v.check((text) => text === '' || isAddress(text), 'must be an e-mail address'),
  v.description('Where people of the merchant are reached.'),
);
