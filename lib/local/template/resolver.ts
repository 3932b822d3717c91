import { isFields } from '#core/kernel/is-object.ts';
import { UserError } from '../user-error.ts';
import type { Attributes, Resource, Template } from './template.ts';

export const region = 'eu-west-1';
export const account = '000000000000';

type AttributesOf = (resource: Found) => Attributes | undefined;
type Context = {
  /** The prefix of the ids of the resources. */
  prefix: string;
  template: Template;
  attributesOf: AttributesOf;
  pseudo: Readonly<Record<string, string>>;
  /** Returns the value of a parameter; undefined if it has none. */
  parameterOf: (name: string) => unknown;
  nested: Map<string, Context>;
};
type Evaluate = (argument: unknown, context: Context) => unknown;

export type Resolver = {
  /** A value of the main template with every intrinsic function worked out. Throws UserError naming what it does not know. */
  resolve(value: unknown): unknown;
  /** The resources of a type whose condition holds, those of nested stacks too. */
  ofType(type: string): Found[];
};

/** A resource, and how to work out its properties: the same as the resolver's in the template that the resource is in. */
export type Found = Resource & Pick<Resolver, 'resolve'>;

const noValue = Symbol('AWS::NoValue');

/**
 * Works out CloudFormation's intrinsic functions. `attributesOf` says what a resource is called locally.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/intrinsic-function-reference.html
 */
export const createResolver = (template: Template, attributesOf: AttributesOf): Resolver => {
  const context = evaluation('', template, attributesOf, () => undefined);
  return { resolve: (value) => evaluate(value, context), ofType: (type) => resourcesOfType(type, context) };
};

const evaluation = (
  prefix: string,
  template: Template,
  attributesOf: AttributesOf,
  parameterOf: Context['parameterOf'],
): Context => {
  const pseudo = pseudoParameters(template.stackName);
  const context: Context = { prefix, template, attributesOf, pseudo, parameterOf, nested: new Map() };
  for (const [id, inner] of Object.entries(template.nested)) {
    const parameters = template.Resources[id]?.Properties['Parameters'];
    const giving = (name: string) => (isFields(parameters) ? evaluate(parameters[name], context) : undefined);
    context.nested.set(id, evaluation(`${prefix}${id}/`, inner, attributesOf, giving));
  }
  return context;
};

const resourcesOfType = (type: string, context: Context): Found[] =>
  Object.entries(context.template.Resources).flatMap(([id, resource]) => {
    const { Type, Condition } = resource;
    if (Condition !== undefined && !holds({ Condition }, context)) return [];
    const nested = context.nested.get(id);
    return [...(Type === type ? [findResource(id, context)] : []), ...(nested ? resourcesOfType(type, nested) : [])];
  });

/** A resource by its id inside its own template. Throws UserError if there is none. */
const findResource = (id: string, context: Context): Found => {
  const resource = context.template.Resources[id];
  if (!resource) throw new UserError(`The template refers to ${id}, which it does not hold.`);
  const { Type, Properties } = resource;
  return {
    id: context.prefix + id,
    type: Type,
    properties: Properties,
    resolve: (value) => evaluate(value, context),
  };
};

const pseudoParameters = (stackName: string): Context['pseudo'] => ({
  'AWS::AccountId': account,
  'AWS::Region': region,
  'AWS::Partition': 'aws',
  'AWS::URLSuffix': 'amazonaws.com',
  'AWS::StackName': stackName,
  'AWS::StackId': `arn:aws:cloudformation:${region}:${account}:stack/${stackName}/local`,
});

const evaluate: Evaluate = (value, context) => {
  if (Array.isArray(value)) return value.map((item) => evaluate(item, context)).filter((item) => item !== noValue);
  if (!isFields(value)) return value;
  const [only, ...others] = Object.entries(value);
  if (only && others.length === 0) {
    const [name, argument] = only;
    const intrinsic = intrinsics[name];
    if (intrinsic) return intrinsic(argument, context);
    if (name.startsWith('Fn::')) throw new UserError(`The local stack does not know ${name} in a template.`);
  }
  const entries = Object.entries(value).map(([key, item]) => [key, evaluate(item, context)] as const);
  return Object.fromEntries(entries.filter(([, item]) => item !== noValue));
};

const reference: Evaluate = (argument, context) => {
  const name = String(argument);
  if (name === 'AWS::NoValue') return noValue;
  const parameter = context.template.Parameters[name];
  if (parameter) return context.parameterOf(name) ?? parameter.Default ?? '';
  return context.pseudo[name] ?? attribute(name, '', context);
};

const attribute = (id: string, name: string, context: Context): unknown => {
  const [, outputName = ''] = /^Outputs\.(.+)$/.exec(name) ?? [];
  const nested = context.nested.get(id);
  const output = nested?.template.Outputs[outputName];
  if (nested && output) return evaluate(output.Value, nested);
  const resource = findResource(id, context);
  const value = context.attributesOf(resource)?.[name];
  if (value !== undefined) return value;
  const what = name === '' ? 'Ref' : `Fn::GetAtt ${name}`;
  throw new UserError(`The local stack cannot work out ${what} of ${id} (${resource.type}).`);
};

const getAttribute: Evaluate = (argument, context) => {
  const [id = '', ...path] = Array.isArray(argument) ? argument.map(String) : String(argument).split('.');
  return attribute(id, path.join('.'), context);
};

const substitute: Evaluate = (argument, context) => {
  const [text, own] = Array.isArray(argument) ? argument : [argument, {}];
  return String(text).replace(/\$\{([^}]+)\}/g, (_, name: string) => {
    if (name.startsWith('!')) return `\${${name.slice(1)}}`;
    if (isFields(own) && name in own) return String(evaluate(own[name], context));
    return String(name.includes('.') ? getAttribute(name, context) : reference(name, context));
  });
};

const evaluateList = (argument: unknown, context: Context): unknown[] => {
  const value = evaluate(argument, context);
  return Array.isArray(value) ? value : [value];
};

const holds = (condition: unknown, context: Context): boolean => Boolean(evaluate(condition, context));

const intrinsics: Readonly<Record<string, Evaluate | undefined>> = {
  Ref: reference,
  'Fn::GetAtt': getAttribute,
  'Fn::Sub': substitute,
  'Fn::Join': (argument, context) => {
    const [separator, parts] = pair(argument);
    return evaluateList(parts, context).join(String(separator));
  },
  'Fn::Select': (argument, context) => {
    const [index, list] = pair(argument);
    return evaluateList(list, context)[Number(index)];
  },
  'Fn::Split': (argument, context) => {
    const [separator, text] = pair(argument);
    return String(evaluate(text, context)).split(String(separator));
  },
  'Fn::If': (argument, context) => {
    const [name, yes, no] = Array.isArray(argument) ? argument : [];
    return evaluate(holds({ Condition: name }, context) ? yes : no, context);
  },
  'Fn::FindInMap': (argument, context) => {
    const [map, first, second] = evaluateList(argument, context).map(String);
    return context.template.Mappings[map ?? '']?.[first ?? '']?.[second ?? ''];
  },
  'Fn::Equals': (argument, context) => {
    const [left, right] = evaluateList(argument, context);
    return left === right;
  },
  'Fn::And': (argument, context) => evaluateList(argument, context).every(Boolean),
  'Fn::Or': (argument, context) => evaluateList(argument, context).some(Boolean),
  'Fn::Not': (argument, context) => !evaluateList(argument, context)[0],
  // `Condition` is also an ordinary key (of a policy statement), whose value is no name of a condition.
  Condition: (argument, context) =>
    typeof argument === 'string' && argument in context.template.Conditions
      ? holds(context.template.Conditions[argument], context)
      : { Condition: evaluate(argument, context) },
};

const pair = (argument: unknown): [unknown, unknown] =>
  Array.isArray(argument) ? [argument[0], argument[1]] : ['', ''];
