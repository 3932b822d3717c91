import type { Operation } from '#core/platform/operation/operation.ts';

/** Calls for another tenant's things, made of an operation's right call: each with the same call for what does not exist. */

type Fields = Record<string, unknown>;
type Params = Record<string, string | number>;
export type Call = { params: Params; body: Fields };
/** `theirs` must be answered like `nobodys`. */
export type Pair = { name: string; theirs: Call; nobodys: Call };

const idName = /^(?:[mrs]id|(?:.*_)?ids?|.*txid|sids|(?:first|second|parent)_.*id)$/;

/** An identifier of the same shape that nothing has. */
const absentId = (value: unknown): unknown => {
  if (typeof value === 'number') return value > 1e12 ? 1_999_999_999_999_999 : 999_999;
  if (typeof value !== 'string') return value;
  const [, prefix = '', rest = ''] = /^([a-z]+_)?(.*)$/.exec(value) ?? [];
  if (/^\d+$/.test(rest)) return `${prefix}${rest.length > 12 ? '1999999999999999' : '999999'}`;
  return `${prefix}${rest.replace(/\d{13,}/g, '1999999999999999').replace(/^[\da-f]{8,}$/, (hex) => 'f'.repeat(hex.length))}`;
};

const absent = (value: unknown): unknown => (Array.isArray(value) ? value.map(absentId) : absentId(value));

/** The same with every identifier in it replaced; undefined where there is none. */
const withAbsent = (fields: Fields): Fields | undefined => {
  let isChanged = false;
  const visit = (value: unknown, name: string): unknown => {
    if (idName.test(name) && value !== null && (typeof value !== 'object' || Array.isArray(value))) {
      const changed = absent(value);
      isChanged ||= JSON.stringify(changed) !== JSON.stringify(value);
      return changed;
    }
    if (Array.isArray(value)) return value.map((one) => visit(one, ''));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, visit(one, key)]));
  };
  const made = Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, visit(value, name)]));
  return isChanged ? made : undefined;
};

const merchantIds = ['mid', 'rid', 'sid'] as const;
export type OwnIds = Record<(typeof merchantIds)[number], number>;

/** A body, a path, and of a path of merchant, retailer and site one part each: what another tenant could try. */
export const foreignPairs = ({ path }: Pick<Operation, 'path'>, { params, body }: Call, own: OwnIds): Pair[] => {
  const variables = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const ofPath = Object.fromEntries(variables.map((name) => [name, String(absentId(params[name]))]));
  const pairs: Pair[] = [];
  if (variables.length > 0) {
    pairs.push({ name: 'path', theirs: { params, body }, nobodys: { params: { ...params, ...ofPath }, body } });
  }
  const ownParams = {
    ...params,
    ...Object.fromEntries(merchantIds.filter((id) => id in params).map((id) => [id, own[id]])),
  };
  const nobodysBody = withAbsent(body);
  if (nobodysBody) {
    pairs.push({
      name: 'body',
      theirs: { params: ownParams, body },
      nobodys: { params: ownParams, body: nobodysBody },
    });
  }
  const parts = merchantIds.filter((id) => variables.includes(id));
  for (const id of parts.length > 1 ? parts : []) {
    pairs.push({
      name: `triple, ${id}`,
      theirs: { params: { ...ownParams, [id]: params[id] ?? '' }, body },
      nobodys: { params: { ...ownParams, [id]: 999_999 }, body },
    });
  }
  return pairs;
};
