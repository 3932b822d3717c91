import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { UserError } from '../user-error.ts';

const Resource = v.object({
  Type: v.string(),
  Condition: v.optional(v.string()),
  Properties: v.optional(v.record(v.string(), v.unknown()), {}),
});

const TemplateFile = v.object({
  Parameters: v.optional(v.record(v.string(), v.object({ Default: v.optional(v.unknown()) })), {}),
  Conditions: v.optional(v.record(v.string(), v.unknown()), {}),
  Mappings: v.optional(v.record(v.string(), v.record(v.string(), v.record(v.string(), v.unknown()))), {}),
  Resources: v.record(v.string(), Resource),
  Outputs: v.optional(v.record(v.string(), v.object({ Value: v.unknown() })), {}),
});

/** The files that CDK would upload, by the hash under which it would. */
const Assets = v.object({ files: v.record(v.string(), v.object({ source: v.object({ path: v.string() }) })) });

/** A synthesized CloudFormation template and where its assets lie. */
export type Template = v.InferOutput<typeof TemplateFile> & {
  stackName: string;
  folder: string;
  /** The templates of its nested stacks, by the logical ids of these. */
  nested: Readonly<Record<string, Template>>;
};

export type Resource = {
  /** The logical id; `<id of the stack>/<id>` inside a nested stack. */
  id: string;
  type: string;
  /** Not yet worked out. */
  properties: Readonly<Record<string, unknown>>;
};

/** The results of `Ref` (under the empty name) and `Fn::GetAtt` for a resource, as far as the local stack knows. */
export type Attributes = Readonly<Record<string, string | undefined>>;

const suffix = '.template.json';
const nestedSuffix = '.nested.template.json';

/** Reads the one template in a `cdk.out` folder that has a gateway, with the stacks nested in it. */
export const readTemplate = (folder: string): Template => {
  const found = readdirSync(folder)
    .filter((name) => name.endsWith(suffix) && !name.endsWith(nestedSuffix))
    .map((name) => parseTemplate(folder, name))
    .filter(({ Resources }) => Object.values(Resources).some(({ Type }) => Type === 'AWS::ApiGateway::RestApi'));
  const [template, ...others] = found;
  if (!template || others.length > 0) {
    throw new UserError(`${folder} should hold one stack with a gateway but holds ${found.length}.`);
  }
  return template;
};

const parseTemplate = (folder: string, name: string): Template => {
  const template = v.parse(TemplateFile, JSON.parse(readFileSync(join(folder, name), 'utf8')));
  const stackName = name.slice(0, -suffix.length);
  const stacks = Object.entries(template.Resources).filter(([, { Type }]) => Type === 'AWS::CloudFormation::Stack');
  const nested = stacks.map(
    ([id, { Properties }]) => [id, parseTemplate(folder, fileOfNested(folder, stackName, id, Properties))] as const,
  );
  return { ...template, stackName, folder, nested: Object.fromEntries(nested) };
};

/** A nested template is uploaded as an asset: its address ends with its hash, and the list of assets names the file. */
const fileOfNested = (folder: string, stackName: string, id: string, properties: Resource['properties']): string => {
  const [, hash = ''] = /\/([0-9a-f]{64})\.json/.exec(JSON.stringify(properties['TemplateURL'] ?? '')) ?? [];
  const { files } = v.parse(Assets, JSON.parse(readFileSync(join(folder, `${stackName}.assets.json`), 'utf8')));
  const path = files[hash]?.source.path;
  if (path === undefined) throw new UserError(`${folder} holds no template for the nested stack ${id}.`);
  return path;
};
