import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import * as v from 'valibot';

export type Fields = { readonly [name: string]: unknown };
export type Resource = {
  /** The logical id; inside a nested stack, `<logical id of the stack>/<logical id>`. References have the same form. */
  id: string;
  type: string;
  properties: Fields;
  deletionPolicy: string | undefined;
  updatePolicy: unknown;
  dependsOn: readonly string[];
};

/** The size of a template as it is deployed. */
export type Template = { name: string; bytes: number; resources: number; parameters: number; outputs: number };

const record = v.optional(v.record(v.string(), v.unknown()), {});
const TemplateText = v.object({
  Parameters: record,
  Outputs: record,
  Resources: v.record(
    v.string(),
    v.object({
      Type: v.string(),
      Properties: record,
      DeletionPolicy: v.optional(v.string()),
      UpdatePolicy: v.optional(v.unknown()),
      DependsOn: v.optional(v.array(v.string()), []),
    }),
  ),
});

/** The templates of a stack, the main one first. */
export type StackTemplates = {
  /** The templates as they are deployed, one after the other. */
  text: string;
  templates: readonly Template[];
  /** Of all templates. A parameter of a nested stack is replaced by its value. */
  resources: readonly Resource[];
};

/** Reads the template of a stack and those of its nested stacks. Throws an Error for a file that is no template. */
export const readTemplates = (mainFile: string): StackTemplates => {
  const main = readTemplate(mainFile, '', {});
  const nested = main.resources
    .filter(({ type }) => type === 'AWS::CloudFormation::Stack')
    .map(({ id, properties }) =>
      readTemplate(fileOfNested(mainFile, properties), `${id}/`, v.parse(record, properties['Parameters'])),
    );
  const all = [main, ...nested];
  return {
    text: all.map(({ text }) => text).join('\n'),
    templates: all.map(({ size }) => size),
    resources: all.flatMap(({ resources }) => resources),
  };
};

const Assets = v.object({ files: v.record(v.string(), v.object({ source: v.object({ path: v.string() }) })) });

/** A nested template is deployed under its hash; the list of assets says which file that is. */
const fileOfNested = (mainFile: string, properties: Fields): string => {
  const { files } = v.parse(
    Assets,
    JSON.parse(readFileSync(mainFile.replace('.template.json', '.assets.json'), 'utf8')),
  );
  const [, hash = ''] = /([0-9a-f]{64})\.json/.exec(JSON.stringify(properties['TemplateURL'])) ?? [];
  return join(dirname(mainFile), files[hash]?.source.path ?? hash);
};

/** `prefix` goes before every id; `given` are the values of the parameters. */
const readTemplate = (file: string, prefix: string, given: Fields) => {
  const text = readFileSync(file, 'utf8');
  const { Parameters, Outputs, Resources } = v.parse(TemplateText, JSON.parse(text));
  const resolveReferences = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(resolveReferences);
    if (typeof value !== 'object' || value === null) return value;
    const [name, attribute] = [at(value, 'Ref') ?? at(value, 'Fn::GetAtt', 0), at(value, 'Fn::GetAtt', 1)];
    if (typeof name === 'string' && name in given) return given[name];
    if (typeof name === 'string' && name in Resources)
      return attribute === undefined ? { Ref: prefix + name } : { 'Fn::GetAtt': [prefix + name, attribute] };
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, resolveReferences(inner)]));
  };
  const resources = Object.entries(Resources).map(
    ([id, { Type, Properties, DeletionPolicy, UpdatePolicy, DependsOn }]) => ({
      id: prefix + id,
      type: Type,
      properties: v.parse(record, resolveReferences(Properties)),
      deletionPolicy: DeletionPolicy,
      updatePolicy: resolveReferences(UpdatePolicy),
      dependsOn: DependsOn.map((other) => prefix + other),
    }),
  );
  const size: Template = {
    name: basename(file, '.template.json'),
    bytes: Buffer.byteLength(text),
    resources: resources.length,
    parameters: Object.keys(Parameters).length,
    outputs: Object.keys(Outputs).length,
  };
  return { text, resources, size };
};

/** Returns the value at a path of names and positions; undefined where there is no such place. */
export const at = (value: unknown, ...path: readonly (string | number)[]): unknown =>
  path.reduce<unknown>(
    (inner, step) => (typeof inner === 'object' && inner !== null ? Reflect.get(inner, step) : undefined),
    value,
  );

/** The elements of a list; a single value is a list of one, as in policies, and undefined an empty one. */
export const toList = (value: unknown): unknown[] => {
  if (value === undefined) return [];
  return Array.isArray(value) ? value : [value];
};
