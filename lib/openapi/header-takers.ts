import { asArray, asObject } from './json-parts.ts';

/** The operations that take a header, as clients name them: `POST /path`. */
const operationsTaking = (document: unknown, header: string): string[] =>
  Object.entries(asObject(asObject(document)['paths'])).flatMap(([path, methods]) =>
    Object.entries(asObject(methods)).flatMap(([method, operation]) => {
      const takesIt = asArray(asObject(operation)['parameters']).some((one) => asObject(one)['name'] === header);
      return takesIt ? [`${method.toUpperCase()} ${path}`] : [];
    }),
  );

/** Which operations clients may repeat with the same key, and which they sign. */
export const headerTakersOf = (document: unknown): { idempotent: string[]; signable: string[] } => ({
  idempotent: operationsTaking(document, 'idempotency-key'),
  signable: operationsTaking(document, 'x-signature'),
});
