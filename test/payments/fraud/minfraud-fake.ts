import { createServer, type IncomingMessage } from 'node:http';
import * as v from 'valibot';

const text = v.optional(v.pipe(v.string(), v.minLength(1)));
const country = v.optional(v.pipe(v.string(), v.regex(/^[A-Z]{2}$/)));
const place = {
  first_name: text,
  last_name: text,
  address: text,
  city: text,
  region: v.optional(v.pipe(v.string(), v.regex(/^[0-9A-Z]{1,4}$/))),
  country,
  postal: text,
  phone_number: text,
};

/** The fields of minFraud that the service sends: any other key, or another form of one, is refused as minFraud refuses it. */
const IntakeResult = v.strictObject({
  device: v.optional(
    v.strictObject({
      ip_address: v.optional(v.pipe(v.string(), v.ip())),
      user_agent: text,
      accept_language: text,
      session_id: v.optional(v.pipe(v.string(), v.minLength(1), v.maxLength(255))),
    }),
  ),
  event: v.strictObject({
    type: v.literal('purchase'),
    time: v.pipe(v.string(), v.isoTimestamp()),
    shop_id: text,
    transaction_id: text,
  }),
  email: v.optional(
    v.strictObject({ address: v.pipe(v.string(), v.regex(/^[0-9a-f]{32}$/)), domain: v.optional(v.string()) }),
  ),
  billing: v.optional(v.strictObject(place)),
  shipping: v.optional(v.strictObject(place)),
  credit_card: v.optional(
    v.strictObject({
      issuer_id_number: v.pipe(v.string(), v.regex(/^(?:\d{6}|\d{8})$/)),
      last_digits: v.pipe(v.string(), v.regex(/^(?:\d{2}|\d{4})$/)),
    }),
  ),
  order: v.strictObject({
    amount: v.optional(v.pipe(v.number(), v.gtValue(0))),
    currency: v.pipe(v.string(), v.regex(/^[A-Z]{3}$/)),
  }),
});

type MinfraudRequest = v.InferOutput<typeof IntakeResult>;
export type MinfraudAnswer = { status: number; body: string } | 'silence' | 'hang up';

const readBody = async (request: IncomingMessage): Promise<string> => {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString('utf8');
};

const scored = (risk_score: number) => ({
  status: 200,
  body: JSON.stringify({ id: '27d26476-e2bc-11e4-92b8-962e705b4af5', risk_score, ip_address: { risk: 0.01 } }),
});

/** MaxMind's service on this machine: as strict as the real one, and answering as told. */
export const startMinfraud = async (account: string) => {
  const state: { next: MinfraudAnswer; got: MinfraudRequest[]; raw: string[] } = { next: scored(1), got: [], raw: [] };
  const server = createServer(async (request, response) => {
    const raw = await readBody(request);
    state.raw.push(raw);
    const refuse = (status: number, code: string) =>
      void response
        .writeHead(status, { 'content-type': 'application/json' })
        .end(JSON.stringify({ code, error: `You sent ${raw}` }));
    if (request.method !== 'POST' || request.url !== '/minfraud/v2.0/score') return refuse(404, 'NOT_FOUND');
    if (request.headers.authorization !== `Basic ${Buffer.from(account).toString('base64')}`) {
      return refuse(401, 'AUTHORIZATION_INVALID');
    }
    if (request.headers['content-type'] !== 'application/json') return refuse(415, 'CONTENT_TYPE');
    const read = v.safeParse(v.pipe(v.string(), v.parseJson(), IntakeResult), raw);
    if (!read.success) return refuse(400, 'JSON_INVALID');
    state.got.push(read.output);
    if (state.next === 'hang up') return void request.socket.destroy();
    if (state.next === 'silence') return;
    response.writeHead(state.next.status, { 'content-type': 'application/json' }).end(state.next.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('The fake has no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    state,
    scores: (risk: number) => void Object.assign(state, { next: scored(risk) }),
    answers: (next: MinfraudAnswer) => void Object.assign(state, { next }),
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
};
