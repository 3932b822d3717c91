import { isFields } from '#core/kernel/is-object.ts';

const fieldsOf = (value: unknown): Record<string, unknown> => (isFields(value) ? value : {});

/** The operations that take a header, as clients name them: `POST /path`. */
const operationsTaking = (document: unknown, header: string): string[] =>
  Object.entries(fieldsOf(fieldsOf(document)['paths'])).flatMap(([path, methods]) =>
    Object.entries(fieldsOf(methods)).flatMap(([method, operation]) => {
      const parameters: unknown = fieldsOf(operation)['parameters'];
      const takesIt = Array.isArray(parameters) && parameters.some((one) => fieldsOf(one)['name'] === header);
      return takesIt ? [`${method.toUpperCase()} ${path}`] : [];
    }),
  );

/** Which operations clients may repeat with the same key, and which they sign. */
export const headerTakersOf = (document: unknown): { idempotent: string[]; signable: string[] } => ({
  idempotent: operationsTaking(document, 'idempotency-key'),
  signable: operationsTaking(document, 'x-signature'),
});
