import { Router } from '@aws-lambda-powertools/event-handler/http';
import { answer } from '../baseline/update-alert.ts';

const app = new Router();
// It takes the slash at the path's end off before it looks for a route.
app.post('/secure/alert/update/v2', async ({ req, event }) => {
  const call = { headers: Object.fromEntries(req.headers), body: await req.text(), isBase64Encoded: false };
  return answer(call, event.requestContext.requestId);
});

export const handler = (event, context) => app.resolve(event, context);
