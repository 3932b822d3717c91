/** Apart from contact-email.ts, whose schemas an adapter's bundle does not need. */

/** Stricter than RFC 5322, which allows forms that real mailboxes never have: no quotes, comments or line breaks. */
const address =
  /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*@(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+[a-z][a-z\d-]{0,61}[a-z\d]$/i;

export const isAddress = (text: string): boolean => text.length <= 254 && text.indexOf('@') <= 64 && address.test(text);
