import { type Json, listOf, objectOf } from './json-parts.ts';

/** An operation as a method of clients: `group` and `name` in kebab case, as in its operationId; `call`: its method and path. */
export type ClientMethod = { group: string; name: string; call: string; operation: Json };

const jsonOf = (part: unknown): unknown => objectOf(objectOf(objectOf(part)['content'])['application/json'])['schema'];

/** Operations that take and return JSON, by their headings. An operation at its other path is the same method. */
export const clientMethods = (document: unknown): ClientMethod[] =>
  Object.entries(objectOf(objectOf(document)['paths'])).flatMap(([path, methods]) =>
    Object.entries(objectOf(methods)).flatMap(([method, one]) => {
      const operation = objectOf(one);
      const [tag] = listOf(operation['tags']);
      const group = String(tag);
      const name = String(operation['operationId']).slice(group.length + 1);
      const { requestBody, responses } = operation;
      const isJson =
        jsonOf(objectOf(responses)['200']) !== undefined &&
        (requestBody === undefined || jsonOf(requestBody) !== undefined);
      const call = `${method.toUpperCase()} ${path}`;
      return isJson && !/-\d+$/.test(name) ? [{ group, name, call, operation }] : [];
    }),
  );

export const camelCase = (name: string): string =>
  name.replace(/[-_](\w)/g, (_, letter: string) => letter.toUpperCase());
