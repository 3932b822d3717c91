import * as v from 'valibot';
import { isFields } from '#core/kernel/is-object.ts';
import { type Caller, permissions, roles } from '#core/platform/operation/operation.ts';

/** An operation as agents see it. The list is written from the declarations: see lib/openapi/agent-tools.ts. */
export const AgentTool = v.object({
  name: v.string(),
  kind: v.picklist(['read', 'act']),
  summary: v.string(),
  description: v.string(),
  permission: v.picklist(permissions),
  /** Which roles of people may use it; null: all. */
  roles: v.nullable(v.array(v.picklist(roles))),
  /** True if API keys that are limited to sites may use it. */
  siteKeys: v.boolean(),
  path: v.string(),
  /** The names of the fields that belong to the path. */
  pathFields: v.array(v.string()),
  /** The JSON schema of its fields, those of the path included. */
  inputSchema: v.looseObject({ type: v.literal('object') }),
  /** The words of its replies that are the interface's own: names of fields, and values that are listed. */
  words: v.array(v.string()),
  /** Of an action: its consequences, and the path and words of the operation that shows the state before it. */
  consequences: v.optional(v.string()),
  aboutPath: v.optional(v.string()),
  aboutWords: v.optional(v.array(v.string())),
});
export type AgentTool = v.InferOutput<typeof AgentTool>;
export type ToolInput = Readonly<Record<string, unknown>>;

/** Checks whether a caller may use a tool, as far as the token says; the gateway and the operation check again. */
export const mayUse = ({ permission, roles: allowed, siteKeys }: AgentTool, { scope, key, role }: Caller): boolean => {
  if (key) return key.permissions.includes(permission) && (key.sites === null || siteKeys);
  return scope === 'admin' || allowed === null || allowed.includes(role ?? 'manager');
};

const toPathSegment = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

const pathSegment = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,99}$/;

/**
 * Returns a path with its `{names}` replaced by fields of the input; undefined if one is missing, or could lead to another path.
 */
export const fillPath = (path: string, input: ToolInput): string | undefined => {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const values = new Map(names.map((name) => [name, toPathSegment(input[name])]));
  if ([...values.values()].some((value) => !pathSegment.test(value))) return undefined;
  return path.replace(/\{(\w+)\}/g, (_, name: string) => values.get(name) ?? '');
};

/** Returns the fields that belong to the body. */
export const toolBody = ({ pathFields }: Pick<AgentTool, 'pathFields'>, input: ToolInput): ToolInput =>
  Object.fromEntries(Object.entries(input).filter(([name]) => !pathFields.includes(name)));

/** The fields of the entries of a list that are shown unless others are asked for; an agent reads an alert whole before it acts. */
const usualFields: Readonly<Record<string, readonly string[]>> = {
  list_alerts: [
    ...['alert_id', 'alert_type', 'status', 'amount', 'currency', 'card', 'descriptor', 'alert_date', 'deadline'],
    ...['condition_code', 'is_duplicate', 'reason_code', 'assignee', 'sid', 'site', 'test'],
  ],
};

/** Tools that list, to which `fields` may name the fields of the entries. */
export const isListing = ({ name, kind }: AgentTool): boolean => kind === 'read' && name.startsWith('list_');

/** A list with these fields of its entries, or with the usual ones. */
export const pickFields = (tool: AgentTool, reply: unknown, asked: unknown): unknown => {
  const fields = Array.isArray(asked) ? asked : usualFields[tool.name];
  const list = isFields(reply) ? reply['list'] : undefined;
  if (!isFields(reply) || !Array.isArray(list) || fields === undefined) return reply;
  const pick = (entry: unknown) =>
    isFields(entry) ? Object.fromEntries(Object.entries(entry).filter(([name]) => fields.includes(name))) : entry;
  return { ...reply, list: list.map(pick) };
};

/** Returns the arguments of a call as fields; an empty object if there are none. */
export const toolInput = (sent: unknown): ToolInput => (isFields(sent) ? sent : {});
