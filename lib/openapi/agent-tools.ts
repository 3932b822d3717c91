import type { AgentTool } from '#accounts/agents/tools/tool.ts';
import { isObject } from '#core/kernel/is-object.ts';
import type { Operation } from '#core/platform/operation/operation.ts';
import { fieldsIn, toSchema } from './json-schema.ts';

/** The tools of agents, made from the operations that are declared as such. */

type Json = Record<string, unknown>;

const requiredIn = (schema: Json): unknown[] => (Array.isArray(schema['required']) ? schema['required'] : []);

/** Returns one schema of the fields of path and body. Throws an Error if both have a field of one name. */
const inputSchemaOf = ({ area, name, params, body }: Operation): AgentTool['inputSchema'] => {
  const parts = [params, body].flatMap((schema) => (schema ? [toSchema(schema, 'input')] : []));
  const fields = parts.flatMap((part) => Object.entries(fieldsIn(part, 'properties')));
  if (new Set(fields.map(([field]) => field)).size < fields.length)
    throw new Error(`${area}/${name} has fields of the same name in path and body, so it cannot be a tool`);
  return {
    type: 'object',
    properties: Object.fromEntries(fields),
    required: parts.flatMap(requiredIn),
    additionalProperties: false,
  };
};

/** Returns the names of fields and the listed values of a JSON schema. */
const wordsIn = (schema: unknown): string[] => {
  if (Array.isArray(schema)) return schema.flatMap(wordsIn);
  if (!isObject(schema)) return [];
  const listed = [schema['enum'], schema['const']].flat().filter((value) => typeof value === 'string');
  const names = Object.keys(fieldsIn(schema, 'properties'));
  return [...listed, ...names, ...Object.values(schema).flatMap(wordsIn)];
};

const replyWordsOf = ({ reply }: Operation): string[] => [...new Set(wordsIn(toSchema(reply, 'output')))].sort();

const toTools = (operation: Operation, operations: readonly Operation[]): AgentTool[] => {
  const { tool, auth, permission, roles, siteKeys, path, method } = operation;
  if (!tool) return [];
  const full = `${operation.area}/${operation.name}`;
  if (auth !== 'bearer' || permission === undefined || permission === 'person' || method !== 'POST')
    throw new Error(`${full} cannot be a tool: only a POST that API keys may call can`);
  const hint = tool.kind === 'read' && tool.hint !== undefined ? ` ${tool.hint}` : '';
  return [
    {
      name: tool.name ?? operation.name.replaceAll('-', '_'),
      kind: tool.kind,
      summary: operation.summary,
      description: `${operation.summary}. ${operation.description ?? ''}${hint}`,
      permission,
      roles: roles ? [...roles] : null,
      siteKeys: siteKeys !== undefined,
      path,
      pathFields: [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name),
      inputSchema: inputSchemaOf(operation),
      words: replyWordsOf(operation),
      ...(tool.kind === 'act' && { consequences: tool.consequences, ...findAbout(tool.about, operations) }),
    },
  ];
};

const findAbout = (about: string, operations: readonly Operation[]) => {
  const found = operations.find(({ area, name }) => `${area}/${name}` === about);
  if (!found) throw new Error(`A tool is about ${about}, which is no operation`);
  return { aboutPath: found.path, aboutWords: replyWordsOf(found) };
};

/** Returns every tool, in the order of the operations. Throws an Error if two have one name, or a declaration makes no tool. */
export const agentTools = (operations: readonly Operation[]): AgentTool[] => {
  const tools = operations.flatMap((one) => toTools(one, operations));
  const names = tools.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new Error(`Two tools have the name ${twice}`);
  return tools;
};

/** Returns the file of the tools that is deployed with the MCP server. */
export const agentToolsText = (operations: readonly Operation[]): string =>
  `${JSON.stringify(agentTools(operations), null, 2)}\n`;
