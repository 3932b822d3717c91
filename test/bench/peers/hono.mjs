import { Hono } from 'hono';
import { handle } from 'hono/aws-lambda';
import { answer } from '../baseline/update-alert.ts';

const app = new Hono();
app.post('/secure/alert/update/v2/', async (context) => {
  const call = { headers: context.req.header(), body: await context.req.text(), isBase64Encoded: false };
  const { statusCode, headers, body } = await answer(call, context.env.requestContext.requestId);
  return context.body(body, statusCode, headers);
});

export const handler = handle(app);
