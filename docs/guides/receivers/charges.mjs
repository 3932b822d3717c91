// A service that lets Forewarn find and refund charges, in Node, without dependencies. Replace `charges` with your processor.
//   SIGNING_SECRET=whsec_… PORT=8080 node charges.mjs
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

const key = Buffer.from((process.env.SIGNING_SECRET ?? '').replace(/^whsec_/, ''), 'base64');
if (key.length === 0) throw new Error('SIGNING_SECRET must be the secret of the connection, whsec_…');

// Your processor's charges, and your refunds by idempotency key. Keep the refunds in your database.
const charges = [
  {
    ...{ reference: 'ch_1', type: 'sale', date: new Date().toISOString(), amount: '45.20', currency: 'USD' },
    ...{ card: { first6: '411111', last4: '1111', brand: 'visa' }, auth_code: '123ABC', captured: '45.20', refunded: '0.00' },
    ...{ charged_back: false, settled: true, subscription: null },
  },
];
const refunds = new Map();

/** Checks that a call comes from Forewarn: that it is signed with your secret, over these exact bytes, within five minutes. */
const isGenuine = (headers, body) => {
  const seconds = headers['webhook-timestamp'];
  if (!/^\d+$/.test(seconds ?? '') || Math.abs(Date.now() / 1000 - seconds) > 300) return false;
  const expected = createHmac('sha256', key).update(`${headers['webhook-id']}.${seconds}.`).update(body).digest();
  return String(headers['webhook-signature'])
    .split(' ')
    .map((one) => Buffer.from(one.replace(/^v1,/, ''), 'base64'))
    .some((given) => given.length === expected.length && timingSafeEqual(given, expected));
};

const search = ({ reference, card, amount }) => ({
  charges: charges.filter((charge) =>
    reference === undefined
      ? charge.card.last4 === card.last4 && (amount === null || charge.amount === amount)
      : charge.reference === reference,
  ),
});

// Optional, for imports of your history. With many charges, return a page and the cursor of the next one.
const list = ({ from, to }) => ({
  charges: charges.filter(({ date }) => date >= from && date < to),
  next_cursor: null,
});

const refund = ({ reference, amount, idempotency_key }) => {
  const earlier = refunds.get(idempotency_key);
  if (earlier) return earlier;
  const charge = charges.find((one) => one.reference === reference);
  if (!charge) return undefined;
  const left = Number(charge.captured) - Number(charge.refunded);
  if (Number(amount) > left) return { status: 'failed', failure: 'more than is left of the charge' };
  // Refund at your processor here, with the same idempotency key. Return `pending` if it is not done yet.
  charge.refunded = (Number(charge.refunded) + Number(amount)).toFixed(2);
  const done = { status: 'succeeded', refund_reference: `re_${refunds.size + 1}`, failure: null };
  refunds.set(idempotency_key, done);
  return done;
};

const routes = {
  '/search': search,
  '/charges': list,
  '/refund': refund,
  '/refund-state': ({ idempotency_key }) => refunds.get(idempotency_key),
};

const server = createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks);
  if (!isGenuine(request.headers, body)) return response.writeHead(401).end();
  const answer = routes[request.url]?.(JSON.parse(body));
  response.writeHead(answer ? 200 : 404, { 'content-type': 'application/json' }).end(JSON.stringify(answer ?? {}));
});
server.listen(Number(process.env.PORT ?? 8080), '127.0.0.1', () => console.log(`listening on ${server.address().port}`));
