import { listOf, objectOf } from './json-parts.ts';

/** The operations that take a header, as clients name them: `POST /path`. */
const operationsTaking = (document: unknown, header: string): string[] =>
  Object.entries(objectOf(objectOf(document)['paths'])).flatMap(([path, methods]) =>
    Object.entries(objectOf(methods)).flatMap(([method, operation]) => {
      const takesIt = listOf(objectOf(operation)['parameters']).some((one) => objectOf(one)['name'] === header);
      return takesIt ? [`${method.toUpperCase()} ${path}`] : [];
    }),
  );

/** Which operations clients may repeat with the same key, and which they sign. */
export const headerTakersOf = (document: unknown): { idempotent: string[]; signable: string[] } => ({
  idempotent: operationsTaking(document, 'idempotency-key'),
  signable: operationsTaking(document, 'x-signature'),
});
