import { isFields } from '#core/kernel/is-object.ts';

const fieldsOf = (value: unknown): Record<string, unknown> => (isFields(value) ? value : {});

/** The operations that take an idempotency key, as clients name them: `POST /path`. */
export const operationsTakingKeys = (document: unknown): string[] =>
  Object.entries(fieldsOf(fieldsOf(document)['paths'])).flatMap(([path, methods]) =>
    Object.entries(fieldsOf(methods)).flatMap(([method, operation]) => {
      const parameters: unknown = fieldsOf(operation)['parameters'];
      const takesKey =
        Array.isArray(parameters) && parameters.some((one) => fieldsOf(one)['name'] === 'idempotency-key');
      return takesKey ? [`${method.toUpperCase()} ${path}`] : [];
    }),
  );
