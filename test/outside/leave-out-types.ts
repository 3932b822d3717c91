import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Takes out of a cloud assembly what an AWS emulator does not know, and nothing else: the resources of some types, their places in DependsOn, and the
 * gradual update of aliases by CodeDeploy. The CDK's CLI runs it after the app: `--app "node bin/app.ts && node test/outside/leave-out-types.ts"`.
 */
export const unknownToMiniStack = [
  'AWS::CodeDeploy::Application',
  'AWS::CodeDeploy::DeploymentConfig',
  'AWS::CodeDeploy::DeploymentGroup',
  'AWS::WAFv2::LoggingConfiguration',
  'AWS::WAFv2::WebACLAssociation',
] as const;

/** Alarms on expressions: https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/using-metric-math.html */
const isUnknown = ({ Type, Properties = {} }: TemplateResource, types: readonly string[]): boolean =>
  types.includes(Type) || (Type === 'AWS::CloudWatch::Alarm' && 'Metrics' in Properties);

type Fields = Record<string, unknown>;
type TemplateResource = { Type: string; DependsOn?: string | string[]; UpdatePolicy?: Fields; Properties?: Fields };
export type Template = { Resources?: Record<string, TemplateResource>; Parameters?: Fields } & Fields;

/** Returns the template without resources of these types. Throws an Error if what remains refers to one of them. */
export const leaveOutTypes = (template: Template, types: readonly string[]): Template => {
  const resources = Object.entries(template.Resources ?? {});
  const gone = new Set(resources.flatMap(([id, resource]) => (isUnknown(resource, types) ? [id] : [])));
  const kept = resources.flatMap(([id, resource]) =>
    gone.has(id) ? [] : [[id, withoutTraces(resource, gone)] as const],
  );
  const text = JSON.stringify({ ...template, Resources: Object.fromEntries(kept) });
  const named = [...gone].filter((id) => refersTo(text, id));
  if (named.length > 0) throw new Error(`What remains refers to ${named.join(', ')}`);
  const parameters = Object.entries(template.Parameters ?? {}).filter(([id]) => refersTo(text, id));
  return { ...template, Parameters: Object.fromEntries(parameters), Resources: Object.fromEntries(kept) };
};

const refersTo = (text: string, id: string): boolean =>
  [`{"Ref":"${id}"}`, `{"Fn::GetAtt":["${id}"`, `\${${id}}`].some((one) => text.includes(one));

const withoutTraces = (resource: TemplateResource, gone: ReadonlySet<string>): TemplateResource => {
  const { DependsOn, UpdatePolicy, ...rest } = resource;
  const needs = [DependsOn ?? []].flat().filter((id) => !gone.has(id));
  const { CodeDeployLambdaAliasUpdate: _, ...policy } = UpdatePolicy ?? {};
  return {
    ...rest,
    ...(rest.Type === 'AWS::CloudFormation::Stack' && { Properties: withoutParameters(rest.Properties ?? {}, gone) }),
    ...(needs.length > 0 && { DependsOn: needs }),
    ...(Object.keys(policy).length > 0 && { UpdatePolicy: policy }),
  };
};

/** A nested stack is given no name of a resource that is gone: only resources that are gone as well have used it. */
const withoutParameters = ({ Parameters = {}, ...properties }: Fields, gone: ReadonlySet<string>): Fields => {
  const given = Object.entries(Parameters as Fields);
  const kept = given.filter(([, value]) => ![...gone].some((id) => refersTo(JSON.stringify(value), id)));
  return { ...properties, ...(kept.length > 0 && { Parameters: Object.fromEntries(kept) }) };
};

if (import.meta.main) {
  const folder = process.env['CDK_OUTDIR'];
  if (folder === undefined) throw new Error("CDK_OUTDIR is not set: the CDK's CLI runs this after the app");
  for (const name of readdirSync(folder).filter((one) => one.endsWith('.template.json'))) {
    const file = join(folder, name);
    const template = leaveOutTypes(JSON.parse(readFileSync(file, 'utf8')), unknownToMiniStack);
    writeFileSync(file, JSON.stringify(template));
  }
}
