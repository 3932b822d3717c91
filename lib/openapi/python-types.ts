import { isFields } from '#core/kernel/is-object.ts';
import { type ClientMethod, camelCase, clientMethods } from './client-methods.ts';
import { asArray, asObject, type Json, jsonSchema } from './json-parts.ts';

/** The types of the Python client, made from the API document: what is sent and answered, and which calls there are. */

/** A text as Python writes it; JSON's escapes are Python's too. */
const quote = (text: unknown): string => JSON.stringify(String(text));
const literal = (value: unknown): string => {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'Literal[True]' : 'Literal[False]';
  // A type checker knows no literal of a number with decimals.
  return typeof value === 'number' && !Number.isInteger(value) ? 'float' : `Literal[${JSON.stringify(value)}]`;
};
const union = (types: readonly string[]): string => {
  const distinct = [...new Set(types)];
  return distinct.length === 1 ? (distinct[0] ?? 'Any') : `Union[${distinct.join(', ')}]`;
};

const plain: Readonly<Record<string, string>> = {
  string: 'str',
  number: 'float',
  integer: 'int',
  boolean: 'bool',
  null: 'None',
};

/** A JSON Schema in the words of Python's types. An object without a name of its own is a dictionary. */
export const pythonType = (schema: unknown): string => {
  if (!isFields(schema)) return 'Any';
  const { $ref, const: constant, enum: values, anyOf, oneOf, type } = schema;
  if (typeof $ref === 'string') return $ref.split('/').at(-1) ?? 'Any';
  if (constant !== undefined) return literal(constant);
  if (Array.isArray(values)) return union(values.map(literal));
  const choices = anyOf ?? oneOf;
  if (Array.isArray(choices)) return union(choices.map(pythonType));
  if (Array.isArray(type)) return union(type.map((one) => pythonType({ ...schema, type: one })));
  if (type === 'array') return `list[${pythonType(schema['items'])}]`;
  const others = schema['additionalProperties'];
  if (type === 'object') return `dict[str, ${isFields(others) ? pythonType(others) : 'Any'}]`;
  return plain[String(type)] ?? 'Any';
};

/** Written as a call, as names of fields may be anything; each type as a text, as types name others that come later. */
const typedDict = (name: string, properties: Json, required: readonly unknown[]): string => {
  const fields = Object.entries(properties).map(([field, property]) => {
    const type = pythonType(property);
    return `    ${quote(field)}: ${quote(required.includes(field) ? type : `NotRequired[${type}]`)},`;
  });
  return `${name} = TypedDict(${quote(name)}, {\n${fields.join('\n')}\n})\n`;
};

const head = '"""Made from the API document."""\n';

/**
 * Built-in lists and dictionaries, as a schema may be called List. Before Python 3.11 only type checkers know `NotRequired`, which they bring
 * themselves: https://typing.python.org/en/latest/spec/typeddict.html#required-and-notrequired
 */
const schemaImports = `import sys
from typing import TYPE_CHECKING, Any, Literal, TypedDict, Union

if sys.version_info >= (3, 11):
    from typing import NotRequired
elif TYPE_CHECKING:
    from typing_extensions import NotRequired
`;

/** The module `schema.py`. */
export const pythonSchema = (document: unknown): string => {
  const schemas = asObject(asObject(asObject(document)['components'])['schemas']);
  const types = Object.entries(schemas).map(([name, schema]) => {
    const { properties, required, type } = asObject(schema);
    if (type === 'object' && isFields(properties)) return typedDict(name, properties, asArray(required));
    // What it refers to may come later.
    return `${name} = ${JSON.stringify(schema).includes('$ref') ? 'Any' : pythonType(schema)}\n`;
  });
  return `${head}${schemaImports}\n${types.join('\n')}`;
};

const listParams = (operation: Json, place: 'path' | 'query'): string[] => {
  const own = asArray(operation['parameters']).filter((one) => asObject(one)['in'] === place);
  if (own.length === 0) return [];
  const isNeeded = own.some((one) => asObject(one)['required'] === true);
  return [`${place}: dict[str, Any]${isNeeded ? '' : ' = ...'}`];
};

export const snakeCase = (name: string): string => name.replaceAll('-', '_');

/** What a call takes, and what it answers. */
const makeDef = (operation: Json): string => {
  const { requestBody, responses } = operation;
  const body = requestBody === undefined ? [] : [`body: ${pythonType(jsonSchema(requestBody))}`];
  const own = [...listParams(operation, 'path'), ...body, ...listParams(operation, 'query')];
  const parts = [...own, 'idempotency_key: Optional[str] = ...', 'headers: Optional[dict[str, str]] = ...'];
  return `*, ${parts.join(', ')}) -> ${pythonType(jsonSchema(asObject(responses)['200']))}:\n        ${quote(operation['summary'])}`;
};

/** A class for each heading of the API reference, with its operations as methods. */
const groupClasses = (methods: readonly ClientMethod[]): string =>
  [...Map.groupBy(methods, ({ group }) => group)]
    .map(([group, own]) => {
      const lines = own.map(({ name, operation }) => `    def ${snakeCase(name)}(self, ${makeDef(operation)}`);
      return `class ${className(group)}:\n${lines.join('\n')}\n`;
    })
    .join('\n');
const className = (group: string): string => `_${group[0]?.toUpperCase()}${camelCase(group).slice(1)}`;

const created = `    def __init__(
        self, url: str, *, token: Optional[str] = ..., user: Optional[Tuple[str, str]] = ..., rcode: Optional[str] = ...,
        attempts: int = ..., pause: float = ..., timeout: float = ..., now: Callable[[], float] = ...,
        api_key: Optional[str] = ...
    ) -> None: ...`;

const each = `    def each(
        self, name: str, *, path: Optional[dict[str, Any]] = ..., body: Optional[dict[str, Any]] = ...
    ) -> Iterator[Any]: ...`;

const helper = 'def three_d_secure_of(result: str) -> dict[str, str]: ...';

const refusal = `class ForewarnConnectionError(Exception): ...

class ForewarnError(Exception):
    status: int
    code: Optional[str]
    details: Optional[str]
    doc: Optional[str]
    request_id: Optional[str]
    def __init__(self, status: int, body: dict[str, Any], request_id: Optional[str]) -> None: ...`;

/** The stub `client.pyi`: every operation with what it takes and answers. */
export const pythonStub = (document: unknown): string => {
  const methods = clientMethods(document);
  const calls = methods.map(
    ({ call, operation }) => `    @overload\n    def call(self, name: Literal[${quote(call)}], ${makeDef(operation)}`,
  );
  const groups = [...new Set(methods.map(({ group }) => group))].map(
    (group) => `    ${snakeCase(group)}: ${className(group)}`,
  );
  const imports =
    'from typing import Any, Callable, Iterator, Literal, Optional, Tuple, Union, overload\n\nfrom .schema import *\n';
  return `${head}${imports}\n${refusal}\n\n${helper}\n\n${groupClasses(methods)}\nclass Client:\n${groups.join('\n')}\n${created}\n${each}\n${calls.join('\n')}\n`;
};
