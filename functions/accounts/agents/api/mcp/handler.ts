import { endpoint, WithStatus } from '#core/platform/http/http.ts';
import { answerMessage } from '../../mcp-flow.ts';
import { mcpOperation } from './operation.ts';

export const handler = endpoint(mcpOperation, async (request) => {
  const response = await answerMessage(request);
  return response === undefined ? new WithStatus(202, {}) : response;
});
