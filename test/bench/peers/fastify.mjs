import lambda from '@fastify/aws-lambda';
import Fastify from 'fastify';
import { answer } from '../baseline/update-alert.ts';

const app = Fastify();
app.removeContentTypeParser('application/json');
app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => done(null, body));
app.post('/secure/alert/update/v2/', async (request, reply) => {
  const call = { headers: request.headers, body: request.body, isBase64Encoded: false };
  const { statusCode, headers, body } = await answer(call, request.awsLambda.event.requestContext.requestId);
  return reply.code(statusCode).headers(headers).send(body);
});

export const handler = lambda(app, { decorateRequest: true });
