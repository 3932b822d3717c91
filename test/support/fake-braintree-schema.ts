import { readFileSync } from 'node:fs';
import { buildSchema, GraphQLError, isScalarType } from 'graphql';

/** The schema of the stand-in of Braintree, with what its scalars take. */

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

export const braintreeSchema = buildSchema(readFileSync(new URL('fake-braintree.graphql', import.meta.url), 'utf8'));

for (const [name, form] of Object.entries(forms)) {
  const type = braintreeSchema.getType(name);
  if (!isScalarType(type)) throw new Error(`${name} is no scalar of the schema`);
  type.coerceInputValue = (value) => {
    if (typeof value === 'string' && form.test(value)) return value;
    throw new GraphQLError(`${JSON.stringify(value)} is no ${name}`);
  };
}
