import express from 'express';
import serverless from 'serverless-http';
import { answer } from '../baseline/update-alert.ts';

const app = express();
app.use(express.text({ type: 'application/json' }));
app.post('/secure/alert/update/v2/', async (request, response) => {
  const call = { headers: request.headers, body: request.body, isBase64Encoded: false };
  const { statusCode, headers, body } = await answer(call, request.requestContext.requestId);
  response.status(statusCode).set(headers).send(body);
});

export const handler = serverless(app, {
  request: (request, event) => {
    request.requestContext = event.requestContext;
  },
});
