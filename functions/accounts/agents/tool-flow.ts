import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv';
import { isFields } from '#core/kernel/is-object.ts';
import { WithHeaders } from '#core/platform/http/http.ts';
import { idempotent } from '#core/platform/idempotency/idempotency-store.ts';
import { Refusal } from '#core/platform/operation/errors.ts';
import type { Request } from '#core/platform/operation/operation.ts';
import { mcpOperation } from './api/mcp/operation.ts';
import { callOperation, type OperationReply } from './operation-client.ts';
import { markedJson, markedSummary } from './outside-text.ts';
import { describeConsequences } from './proposals/proposal.ts';
import { openProposal, sealProposal } from './proposals/proposal-store.ts';
import { inputSchemaOf } from './tools/listed-tools.ts';
import { type AgentTool, fillPath, isListing, pickFields, type ToolInput, toolBody, toolInput } from './tools/tool.ts';

type McpRequest = Request<typeof mcpOperation>;
type Tools = readonly AgentTool[];

const resultWith = (...texts: string[]): CallToolResult => ({ content: texts.map((text) => ({ type: 'text', text })) });
const refusalWith = (...texts: string[]): CallToolResult => ({ ...resultWith(...texts), isError: true });

/** Runs a tool. `tools`: those that the caller may use; any other one is refused as though it did not exist. */
export const callTool = async (
  { name, arguments: sent }: { name: string; arguments?: Record<string, unknown> | undefined },
  tools: Tools,
  request: McpRequest,
): Promise<CallToolResult> => {
  const input = toolInput(sent);
  if (name === 'propose') return propose(input, tools, request);
  if (name === 'confirm') {
    const { token } = input;
    return typeof token === 'string'
      ? confirm(token, tools, request)
      : refusalWith('The input does not fit the schema of the tool: token must be text.');
  }
  const tool = tools.find((one) => one.kind === 'read' && one.name === name);
  if (!tool) return notAllowed(name);
  const wrong = problemWith(tool, input);
  if (wrong) return wrong;
  const { fields, ...asked } = input;
  const { status, body } = await run(tool, isListing(tool) ? asked : input, request);
  return toToolResult({ status, body: pickFields(tool, body, fields) }, tool.words);
};

const notAllowed = (name: string): CallToolResult =>
  refusalWith(`There is no tool ${JSON.stringify(name.slice(0, 60))} that this token or API key may use.`);

/** Returns a result that says what is wrong with an input; undefined if it fits the schema. */
const problemWith = (tool: AgentTool, input: ToolInput): CallToolResult | undefined => {
  const { valid, errorMessage } = new AjvJsonSchemaValidator().getValidator(inputSchemaOf(tool))(input);
  return valid ? undefined : refusalWith(`The input does not fit the schema of the tool: ${errorMessage}`);
};

const toAccess = ({ baseUrl, headers }: McpRequest) => ({ baseUrl, authorization: headers['authorization'] ?? '' });

const badPath: OperationReply = {
  status: 400,
  body: { code: 'request_invalid', details: 'An identifier is missing or not valid.' },
};

/** Calls a tool's operation with the caller's credential. */
const run = async (tool: AgentTool, input: ToolInput, request: McpRequest, key?: string): Promise<OperationReply> => {
  const path = fillPath(tool.path, input);
  return path === undefined ? badPath : callOperation(toAccess(request), path, toolBody(tool, input), key);
};

/** Returns a reply as a result, with text from outside marked. */
const toToolResult = ({ status, body }: OperationReply, words: readonly string[]): CallToolResult => {
  if (status === 200) {
    const text = markedJson(body, words);
    return { ...resultWith(text), structuredContent: JSON.parse(text) };
  }
  if (status === 0)
    return refusalWith(
      'The operation did not answer in time. Whether it was carried out is not known yet. Confirm again with the same token: it is carried out once.',
    );
  const { code, details } = isFields(body) ? body : {};
  const known = typeof code === 'string' && /^[a-z_]{1,60}$/.test(code) ? code : 'refused';
  return refusalWith(`Refused: ${known} (HTTP ${status}). ${markedJson({ details: details ?? '' }, ['details'])}`);
};

/** Describes what an action would do to what the caller may see, and returns the token with which it is confirmed. */
const propose = async (sent: ToolInput, tools: Tools, request: McpRequest): Promise<CallToolResult> => {
  const { action } = sent;
  if (!isFields(sent['input']))
    return refusalWith(
      'The input does not fit the schema of the tool: input is required, with the fields of the action.',
    );
  const input = toolInput(sent['input']);
  const tool = tools.find((one) => one.kind === 'act' && one.name === action);
  if (!tool) return notAllowed(String(action));
  const wrong = problemWith(tool, input);
  if (wrong) return wrong;
  const { aboutPath = '', aboutWords = [] } = tool;
  const path = fillPath(aboutPath, input);
  const about = path === undefined ? badPath : await callOperation(toAccess(request), path, {});
  if (about.status !== 200) return toToolResult(about, aboutWords);
  const token = await sealProposal({ action: tool.name, input }, request.caller);
  const words = describeConsequences(tool, input, markedSummary(about.body, aboutWords));
  const made = { token, valid_minutes: 10 };
  return { ...resultWith(words, JSON.stringify(made)), structuredContent: { consequences: words, ...made } };
};

/** A refusal of an operation, which must not be kept as the answer of its proposal. */
class RefusedActionError extends Error {
  override readonly name = 'RefusedActionError';
  readonly result: CallToolResult;
  constructor(result: CallToolResult) {
    super('The operation refused the action');
    this.result = result;
  }
}

/** Carries out a proposal once. A repetition, also of a call whose answer was lost, returns the first answer. */
const confirm = async (token: string, tools: Tools, request: McpRequest): Promise<CallToolResult> => {
  const proposal = await openProposal(token, request.caller);
  if (proposal === 'wrong') return refusalWith('The token is not valid for this caller. Call propose first.');
  if (proposal === 'expired') return refusalWith('The token has expired. Call propose again.');
  const { action, input, number } = proposal;
  const tool = tools.find((one) => one.kind === 'act' && one.name === action);
  if (!tool) return notAllowed(action);
  const once = idempotent(mcpOperation, async () => {
    const result = toToolResult(await run(tool, input, request, `agent-${number}`), tool.words);
    if (result.isError) throw new RefusedActionError(result);
    return { jsonrpc: '2.0' as const, result };
  });
  try {
    const reply = await once({ ...request, headers: { 'idempotency-key': number }, sent: { action, input } });
    const { result } = reply instanceof WithHeaders ? reply.reply : reply;
    return result as CallToolResult;
  } catch (error) {
    if (error instanceof RefusedActionError) return error.result;
    if (error instanceof Refusal) return refusalWith(`Refused: ${error.code}. ${error.details}`);
    throw error;
  }
};
