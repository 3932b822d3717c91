import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { PlainError } from '../plain-error.ts';

const Resource = v.object({
  Type: v.string(),
  Condition: v.optional(v.string()),
  Properties: v.optional(v.record(v.string(), v.unknown()), {}),
});

const Template = v.object({
  Parameters: v.optional(v.record(v.string(), v.object({ Default: v.optional(v.unknown()) })), {}),
  Conditions: v.optional(v.record(v.string(), v.unknown()), {}),
  Mappings: v.optional(v.record(v.string(), v.record(v.string(), v.record(v.string(), v.unknown()))), {}),
  Resources: v.record(v.string(), Resource),
});

/** A synthesized CloudFormation template and where its assets lie. */
export type Template = v.InferOutput<typeof Template> & { stackName: string; folder: string };

export type Resource = { id: string; type: string; properties: Readonly<Record<string, unknown>> };

/** What `Ref` (under the empty name) and `Fn::GetAtt` of a resource give, as far as the local stack knows. */
export type Attributes = Readonly<Record<string, string | undefined>>;

const suffix = '.template.json';

/** Reads the one template in a `cdk.out` folder that has a gateway. */
export const readTemplate = (folder: string): Template => {
  const found = readdirSync(folder)
    .filter((name) => name.endsWith(suffix))
    .map((name) => parseTemplate(folder, name))
    .filter(({ Resources }) => Object.values(Resources).some(({ Type }) => Type === 'AWS::ApiGateway::RestApi'));
  const [template, ...others] = found;
  if (!template || others.length > 0) {
    throw new PlainError(`${folder} should hold one stack with a gateway but holds ${found.length}.`);
  }
  return template;
};

const parseTemplate = (folder: string, name: string): Template => ({
  ...v.parse(Template, JSON.parse(readFileSync(join(folder, name), 'utf8'))),
  stackName: name.slice(0, -suffix.length),
  folder,
});
