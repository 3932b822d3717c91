import { tokenWanted } from '#core/platform/http/access.ts';
import {
  bodyOfRefusal,
  commonErrors,
  type ErrorCode,
  idempotencyErrors,
  Refusal,
  refusals,
  signatureErrors,
} from '#core/platform/operation/errors.ts';
import type { ErrorShape, Operation } from '#core/platform/operation/operation.ts';

type Json = Record<string, unknown>;

const text = { type: 'string' };
const msg = { ...text, description: 'What happened, in a few words that do not change.' };
const refused = { ...text, const: 'EXC', description: 'Always EXC: the call was refused.' };
const anObject = (properties: Readonly<Record<string, Json>>): Json => ({
  type: 'object',
  required: Object.keys(properties),
  properties,
});

const docLink = {
  type: 'string',
  format: 'uri-reference',
  description: 'The page that explains the code, under the address of this API.',
};
const plain = anObject({
  msg,
  details: { ...text, description: 'What to change: each field that is wrong, and why.' },
  code: {
    type: 'string',
    description: 'For programs: it never changes, while the words may. [All codes](docs/error-codes.md).',
  },
  doc: docLink,
});

/** The shapes of refusals, by the names that `refusalsOf` refers to. */
export const refusalSchemas = {
  Error: plain,
  SecondFactorNeeded: {
    ...plain,
    properties: {
      ...Object(plain['properties']),
      challenge: { ...text, description: 'Goes back with the code; of sessions alone.' },
      expires_at: { ...text, description: 'Until when it does.' },
      passkey: {
        type: 'boolean',
        description: 'Whether a passkey may be used in place of a code: see session/passkey.',
      },
      setup: {
        ...anObject({
          secret: { ...text, description: 'Shown once.' },
          uri: { ...text, description: 'The same as an address, for a QR code.' },
        }),
        description: 'For an app that makes codes; there only if the user has no second factor yet.',
      },
    },
  },
  TransactionError: anObject({
    status: refused,
    error_code: { type: 'string', description: 'One of those that the description of the answer names.' },
    error_msg: { ...text, description: 'What happened, in words.' },
    doc: docLink,
  }),
  RetailerNameTaken: anObject({
    status: refused,
    code: {
      type: 'integer',
      const: refusals.retailer_name_taken.status,
      description: 'The HTTP status again.',
    },
    error_msg: { ...anObject({ msg }), description: 'What was wrong, in words.' },
  }),
};
type SchemaName = keyof typeof refusalSchemas;

/** The gateway's answers before any function is called, whatever the operation's own shape is. */
const ofGateway: readonly ErrorCode[] = ['unauthenticated', 'token_expired', 'token_revoked'];
const byGateway: readonly ErrorCode[] = ['route_not_found', ...ofGateway];
const ofTokens: readonly ErrorCode[] = [...ofGateway, 'scope_missing'];

const schemaNameOf = (code: ErrorCode, shape: ErrorShape): SchemaName | 'page' => {
  if (byGateway.includes(code)) return 'Error';
  if (code === 'retailer_name_taken') return 'RetailerNameTaken';
  if (code === 'second_factor_needed') return 'SecondFactorNeeded';
  if (shape === 'page') return shape;
  return shape === 'transaction' ? 'TransactionError' : 'Error';
};

/** The details of sample refusals, where the words of a code alone would not show what `details` are like. */
const sampleDetails: Partial<Record<ErrorCode, string>> = {
  request_invalid: 'amount: must be a decimal such as 12.50; currency: is required',
  unauthenticated: tokenWanted,
  token_expired: 'It expired at 2026-05-02T11:00:00.000Z; the time here is 2026-05-02T11:00:07.120Z.',
  token_revoked: 'It was revoked at 2026-05-02T10:30:00.000Z.',
  scope_missing: "This needs an administrator's token.",
  role_missing: 'It needs the role developer or manager.',
  permission_missing: 'It needs the permission refunds.',
  site_not_allowed: 'sid: must be one of the key’s sites, 3, 4.',
  ip_not_allowed: 'The call came from 198.51.100.7, which is in no range of the key.',
  body_too_large: 'A body has at most 256 KiB.',
};

const exampleName = (code: ErrorCode, shape: ErrorShape): string | null => {
  const schema = schemaNameOf(code, shape);
  if (schema === 'page') return null;
  return schema === 'TransactionError' ? `${code}_of_transactions` : code;
};

/** An example of each refusal, as it is answered, by the names that `refusalsOf` refers to. */
export const refusalExamples = (operations: readonly Operation[]): Json =>
  Object.fromEntries(
    operations.flatMap((operation) =>
      findCodes(operation).flatMap((code) => {
        const name = exampleName(code, operation.errorShape ?? 'plain');
        if (name === null) return [];
        const refusal = new Refusal(code, sampleDetails[code]);
        const value = bodyOfRefusal(refusal, name === code ? 'plain' : 'transaction');
        return [[name, { summary: code, value }] as const];
      }),
    ),
  );

const examples = (codes: readonly ErrorCode[], shape: ErrorShape): Json =>
  Object.fromEntries(
    codes.flatMap((code) => {
      const name = exampleName(code, shape);
      return name === null ? [] : [[code, { $ref: `#/components/examples/${name}` }] as const];
    }),
  );

const makeContent = (codes: readonly ErrorCode[], shape: ErrorShape): Json => {
  const all = new Set(codes.map((code) => schemaNameOf(code, shape)));
  // It says all that an Error says.
  if (all.has('SecondFactorNeeded')) all.delete('Error');
  const names = [...all];
  const schemas = names.filter((name) => name !== 'page').map((name) => ({ $ref: `#/components/schemas/${name}` }));
  const schema = schemas.length > 1 ? { anyOf: schemas } : schemas[0];
  return {
    ...(names.includes('page') && { 'text/html': { schema: text } }),
    ...(schema && { 'application/json': { schema, examples: examples(codes, shape) } }),
  };
};

const sayCode = (code: ErrorCode, shape: ErrorShape): string =>
  schemaNameOf(code, shape) === 'TransactionError' ? `\`${code}\`: ${refusals[code].msg}` : refusals[code].msg;

/** Every code that an operation can answer. */
const findCodes = ({
  errors,
  auth,
  permission,
  roles,
  fresh,
  divertsIf,
  idempotent,
  signable,
}: Operation): ErrorCode[] => {
  const takesToken = auth === 'bearer' || auth === 'admin';
  const isPossible = (code: ErrorCode) => {
    if (code === 'role_missing') return roles !== undefined;
    if (code === 'permission_missing' || code === 'ip_not_allowed') return auth === 'bearer';
    if (code === 'site_not_allowed') return auth === 'bearer' && permission !== 'person';
    if (code === 'fresh_sign_in_needed') return fresh === true || divertsIf !== undefined;
    if (idempotencyErrors.includes(code)) return idempotent === true;
    if (signatureErrors.includes(code)) return signable === true;
    return takesToken || !ofTokens.includes(code);
  };
  return [...new Set<ErrorCode>([...commonErrors.filter(isPossible), ...errors])];
};

/** The refusals of one status stand together, as the document has one entry per status. */
export const toRefusals = (operation: Operation): Json => {
  const { errorShape = 'plain' } = operation;
  const byStatus = Map.groupBy(findCodes(operation), (code) => refusals[code].status);
  const entries = [...byStatus].sort(([left], [right]) => left - right);
  return Object.fromEntries(
    entries.map(([status, own]) => [
      status,
      { description: own.map((code) => sayCode(code, errorShape)).join('; '), content: makeContent(own, errorShape) },
    ]),
  );
};
