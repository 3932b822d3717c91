import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import {
  InitializeResultSchema,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
} from '@modelcontextprotocol/sdk/types.js';
import { errorText, UserError } from '../user-error.ts';
import { openMerchant } from './merchant.ts';

/** Where the MCP server is, and how to call it. */
type Target = { url: string; authorization: () => Promise<string> };

/** Returns the named stack, or else the running local one. Throws UserError if a key is needed, or no stack runs. */
const findTarget = async (url: string | undefined, apiKey: string | undefined): Promise<Target> => {
  if (url !== undefined && !URL.canParse(url))
    throw new UserError(`${url} is not a URL, such as https://api.example.com.`);
  if (apiKey !== undefined) {
    const base = url ?? (await openMerchant()).url;
    return { url: base, authorization: async () => `Bearer ${apiKey}` };
  }
  if (url !== undefined) throw new UserError('Set FOREWARN_API_KEY to an API key of that service.');
  const merchant = await openMerchant();
  return { url: merchant.url, authorization: async () => `Bearer ${await merchant.signIn()}` };
};

/** Returns a fetch that authenticates, and gets a new token once where the old one has expired. */
const fetchAs = (authorization: Target['authorization']): typeof fetch => {
  let current = authorization();
  const attempt = async (url: Parameters<typeof fetch>[0], init: RequestInit = {}) => {
    const headers = new Headers(init.headers);
    headers.set('authorization', await current);
    return fetch(url, { ...init, headers });
  };
  return async (url, init) => {
    const response = await attempt(url, init);
    if (response.status !== 401) return response;
    current = authorization();
    return attempt(url, init);
  };
};

/**
 * Forwards each message from stdin to the MCP server and each response to stdout. A message that the server refuses is answered with an error of
 * JSON-RPC. Throws UserError if no server is named and no stack runs.
 */
export const serveOverStdio = async ({ url, apiKey }: { url: string | undefined; apiKey: string | undefined }) => {
  const target = await findTarget(url, apiKey);
  const server = new StreamableHTTPClientTransport(new URL(`${target.url.replace(/\/$/, '')}/mcp`), {
    fetch: fetchAs(target.authorization),
  });
  const agent = new StdioServerTransport();
  const forward = async (message: JSONRPCMessage): Promise<void> => {
    try {
      await server.send(message);
    } catch (error) {
      if (!isJSONRPCRequest(message)) return;
      await agent.send({ jsonrpc: '2.0', id: message.id, error: { code: -32000, message: errorText(error) } });
    }
  };
  agent.onmessage = (message) => void forward(message);
  server.onmessage = (message) => {
    const made = isJSONRPCResultResponse(message) ? InitializeResultSchema.safeParse(message.result) : undefined;
    // Later messages name the version that was agreed on.
    if (made?.success) server.setProtocolVersion(made.data.protocolVersion);
    void agent.send(message);
  };
  await server.start();
  await agent.start();
};
