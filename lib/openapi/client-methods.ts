import { asArray, asObject, type Json, jsonSchema } from './json-parts.ts';

/** An operation as a method of clients: `group` and `name` in kebab case, as in its operationId; `call`: its method and path. */
export type ClientMethod = { group: string; name: string; call: string; operation: Json };

/** Operations that take and return JSON, by their headings. An operation at its other path is the same method. */
export const clientMethods = (document: unknown): ClientMethod[] =>
  Object.entries(asObject(asObject(document)['paths'])).flatMap(([path, methods]) =>
    Object.entries(asObject(methods)).flatMap(([method, one]) => {
      const operation = asObject(one);
      const [tag] = asArray(operation['tags']);
      const group = String(tag);
      const name = String(operation['operationId']).slice(group.length + 1);
      const { requestBody, responses } = operation;
      const isJson =
        jsonSchema(asObject(responses)['200']) !== undefined &&
        (requestBody === undefined || jsonSchema(requestBody) !== undefined);
      const call = `${method.toUpperCase()} ${path}`;
      return isJson && !/-\d+$/.test(name) ? [{ group, name, call, operation }] : [];
    }),
  );

export const camelCase = (name: string): string =>
  name.replace(/[-_](\w)/g, (_, letter: string) => letter.toUpperCase());
