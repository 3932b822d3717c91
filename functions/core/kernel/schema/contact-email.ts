import * as v from 'valibot';
import { CardFree } from './text.ts';

/** Stricter than RFC 5322, which allows forms that real mailboxes never have: no quotes, comments or line breaks. */
const address =
  /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*@(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+[a-z][a-z\d-]{0,61}[a-z\d]$/i;

export const isAddress = (text: string): boolean => text.length <= 254 && text.indexOf('@') <= 64 && address.test(text);

/** One address, or the empty text for none. */
export const ContactEmail = v.pipe(
  v.string('must be text'),
  CardFree,
  v.check((text) => text === '' || isAddress(text), 'must be an e-mail address'),
  v.description('Where people of the merchant are reached.'),
);
