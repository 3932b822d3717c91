import { commonErrors, type ErrorCode, refusals } from '../../functions/core/errors.ts';
import type { ErrorShape, Operation } from '../../functions/core/operation.ts';

type Json = Record<string, unknown>;

const text = { type: 'string' };
const objectOf = (properties: Readonly<Record<string, Json>>): Json => ({
  type: 'object',
  required: Object.keys(properties),
  properties,
});

/** What refusals look like, by the names that `refusalsOf` refers to. */
export const refusalSchemas = {
  Error: objectOf({
    msg: text,
    details: text,
    code: { type: 'string', description: 'What programs go by: it never changes, the words may.' },
  }),
  TransactionError: objectOf({
    status: { type: 'string', const: 'EXC' },
    error_code: { type: 'string', description: 'One of those that the description of the answer names.' },
    error_msg: text,
  }),
  RetailerNameTaken: objectOf({
    status: { type: 'string', const: 'EXC' },
    code: { type: 'integer', const: refusals.retailer_name_taken.status },
    error_msg: objectOf({ msg: text }),
  }),
};
type SchemaName = keyof typeof refusalSchemas;

/** What the gateway answers before it asks anybody, whatever the operation's own shape is. */
const byGateway: readonly ErrorCode[] = ['route_not_found', 'unauthenticated'];
const ofTokens: readonly ErrorCode[] = ['unauthenticated', 'scope_missing'];

const schemaNameOf = (code: ErrorCode, shape: ErrorShape): SchemaName | 'page' => {
  if (byGateway.includes(code)) return 'Error';
  if (code === 'retailer_name_taken') return 'RetailerNameTaken';
  if (shape === 'page') return shape;
  return shape === 'transaction' ? 'TransactionError' : 'Error';
};

const contentOf = (codes: readonly ErrorCode[], shape: ErrorShape): Json => {
  const names = [...new Set(codes.map((code) => schemaNameOf(code, shape)))];
  const schemas = names.filter((name) => name !== 'page').map((name) => ({ $ref: `#/components/schemas/${name}` }));
  const schema = schemas.length > 1 ? { oneOf: schemas } : schemas[0];
  return {
    ...(names.includes('page') && { 'text/html': { schema: text } }),
    ...(schema && { 'application/json': { schema } }),
  };
};

const wordsOf = (code: ErrorCode, shape: ErrorShape): string =>
  schemaNameOf(code, shape) === 'TransactionError' ? `\`${code}\`: ${refusals[code].msg}` : refusals[code].msg;

/** The refusals of one status stand together, as the document has one entry per status. */
export const refusalsOf = ({ errors, auth, roles, fresh, errorShape = 'plain' }: Operation): Json => {
  const takesToken = auth === 'bearer' || auth === 'admin';
  const isPossible = (code: ErrorCode) => {
    if (code === 'role_missing') return roles !== undefined;
    if (code === 'fresh_sign_in_needed') return fresh === true;
    return takesToken || !ofTokens.includes(code);
  };
  const codes = [...commonErrors.filter(isPossible), ...errors];
  const byStatus = Map.groupBy(new Set<ErrorCode>(codes), (code) => refusals[code].status);
  const entries = [...byStatus].sort(([left], [right]) => left - right);
  return Object.fromEntries(
    entries.map(([status, own]) => [
      status,
      { description: own.map((code) => wordsOf(code, errorShape)).join('; '), content: contentOf(own, errorShape) },
    ]),
  );
};
