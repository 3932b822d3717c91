import type { AlertSettings } from '#accounts/merchants/site/site.ts';
import type { Delivery } from '../delivery/delivery.ts';

const formType = 'application/x-www-form-urlencoded';

/** Fields that are numbers in the contract; all others are text, identifiers of alerts included. */
const numbers: ReadonlySet<string> = new Set(['mid', 'rid', 'sid']);
/** Fields whose text in a form is JSON already. */
const nested: ReadonlySet<string> = new Set(['txdetails', 'tx_details']);

const fieldValue = (name: string, text: string): unknown => {
  if (nested.has(name)) return JSON.parse(text);
  return numbers.has(name) ? (text === '' ? null : Number(text)) : text;
};

/** The JSON text of one of our own form bodies: the same names; a name that ends in `[]` becomes a list without it. */
export const jsonOfForm = (form: string): string => {
  const fields: Record<string, unknown> = {};
  const sent = new URLSearchParams(form);
  for (const name of new Set(sent.keys())) {
    if (name.endsWith('[]')) {
      const bare = name.slice(0, -2);
      fields[bare] = sent.getAll(name).map((text) => fieldValue(bare, text));
    } else {
      fields[name] = fieldValue(name, sent.get(name) ?? '');
    }
  }
  return JSON.stringify(fields);
};

/**
 * Returns the body that a site with these settings receives. The row keeps the contract's form, so that a changed setting applies from the
 * next attempt on, as a changed URL does. Bodies that are JSON by contract, and postbacks, stay as they are.
 */
export const bodyFor = (
  { kind, body, contentType }: Pick<Delivery, 'kind' | 'body' | 'contentType'>,
  settings: AlertSettings | null,
): { body: string; contentType: string } =>
  settings?.body_format === 'json' && kind !== 'postback' && contentType === formType
    ? { body: jsonOfForm(body), contentType: 'application/json' }
    : { body, contentType };
