import { readFileSync } from 'node:fs';
import { buildSchema, GraphQLError, graphqlSync, isScalarType, parse, validate } from 'graphql';

/** The schema of the stand-in of Braintree, with what its scalars take, and what runs requests against it. */

/** Countries as versions of the API before 2021-02-01 write them: in three letters. */
const forms: Readonly<Record<string, RegExp>> = {
  Amount: /^\d+(?:\.\d{2,3})?$/,
  CountryCode: /^[A-Z]{3}$/,
  Date: /^\d{4}-\d\d-\d\d$/,
  ECommerceIndicator: /^\d\d$/,
  ThreeDSecureStatusCode: /^[A-Z]$/,
  ThreeDSecureVersion: /^\d+(?:\.\d+)*$/,
  Timestamp: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,6})?Z$/,
};

const schema = buildSchema(readFileSync(new URL('fake-braintree.graphql', import.meta.url), 'utf8'));

for (const [name, form] of Object.entries(forms)) {
  const type = schema.getType(name);
  if (!isScalarType(type)) throw new Error(`${name} is no scalar of the schema`);
  type.coerceInputValue = (value) => {
    if (typeof value === 'string' && form.test(value)) return value;
    throw new GraphQLError(`${JSON.stringify(value)} is no ${name}`);
  };
}

/** Returns the problems of a document by itself; empty if there are none. */
export const problemsOfDocument = (document: string): string[] =>
  validate(schema, parse(document)).map(({ message }) => message);

type Asked = { query: string; variables: Readonly<Record<string, unknown>>; root: object };
/** `cause`: what was thrown while it was done; undefined where the schema itself refuses. */
type Answered = { data: unknown; errors: readonly { message: string; cause: unknown }[] };

/** Checks a request against the schema and does it; `root` does what its fields stand for. */
export const runAgainstSchema = ({ query, variables, root }: Asked): Answered => {
  const { data, errors = [] } = graphqlSync({ schema, source: query, variableValues: variables, rootValue: root });
  return {
    data: data ?? null,
    errors: errors.map(({ message, originalError }) => ({
      message,
      cause: originalError instanceof GraphQLError ? undefined : originalError,
    })),
  };
};
