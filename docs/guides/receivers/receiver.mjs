// A receiver of Forewarn's callbacks in Node, without dependencies:
//   SIGNING_SECRET=whsec_… PORT=8080 node receiver.mjs
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

const key = Buffer.from((process.env.SIGNING_SECRET ?? '').replace(/^whsec_/, ''), 'base64');
if (key.length === 0) throw new Error('SIGNING_SECRET must be the signing secret of your site, whsec_…');
// Your bearer token, if you have set one on the site.
const token = process.env.TOKEN;

/** Whether a request comes from Forewarn: signed with your secret, over these very bytes, within five minutes. */
const isGenuine = (headers, body) => {
  const id = headers['webhook-id'];
  const seconds = headers['webhook-timestamp'];
  if (!id || !/^\d+$/.test(seconds ?? '') || Math.abs(Date.now() / 1000 - seconds) > 300) return false;
  const expected = createHmac('sha256', key).update(`${id}.${seconds}.`).update(body).digest();
  // While you rotate the secret there are two signatures, separated by a space. One that is yours will do.
  return String(headers['webhook-signature'])
    .split(' ')
    .filter((one) => one.startsWith('v1,'))
    .map((one) => Buffer.from(one.slice(3), 'base64'))
    .some((given) => given.length === expected.length && timingSafeEqual(given, expected));
};

const fieldsOf = (contentType, body) => {
  if (contentType.startsWith('application/json')) return JSON.parse(body);
  const fields = Object.fromEntries(new URLSearchParams(body.toString()));
  return fields.txdetails ? { ...fields, txdetails: JSON.parse(fields.txdetails) } : fields;
};

// Every attempt at one notification has the same webhook-id. Keep these in your database.
const seen = new Set();

const receive = (request, body) => {
  if (token && request.headers.authorization !== `Bearer ${token}`) return 401;
  if (!isGenuine(request.headers, body)) return 401;
  const id = request.headers['webhook-id'];
  if (seen.has(id)) return 204;
  const fields = fieldsOf(request.headers['content-type'] ?? '', body);
  // Store it, answer, and work on it afterwards: you have 15 seconds.
  console.log(`${fields.action ?? 'new_alert'} ${fields.alert_id ?? fields.request_id} ${fields.alert_type ?? fields.status ?? ''}`);
  seen.add(id);
  return 204;
};

const server = createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  response.writeHead(receive(request, Buffer.concat(chunks))).end();
});
server.listen(Number(process.env.PORT ?? 8080), '127.0.0.1', () => console.log(`listening on ${server.address().port}`));
