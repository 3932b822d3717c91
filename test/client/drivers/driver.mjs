import { createClient, ForewarnConnectionError, ForewarnError } from 'forewarn-client';

const run = async ({ url, token, user, rcode, attempts = 4, timeout = 30, name, method, times = 1, ...input }) => {
  const client = createClient({ url, token, user, rcode, attempts, pause: 1, timeout: timeout * 1000 });
  const { path, body, key: idempotencyKey, headers } = input;
  const parts = { path, body, headers, ...(idempotencyKey && { idempotencyKey }) };
  const call = () => (method ? client[method[0]][method[1]](parts) : client.call(name, parts));
  try {
    const answers = await Promise.all(Array.from({ length: times }, call));
    return { ok: answers[0] };
  } catch (error) {
    if (error instanceof ForewarnConnectionError) return { connection: true };
    if (!(error instanceof ForewarnError)) return { strange: String(error) };
    const { status, code = null, details = null, doc = null, requestId = null } = error;
    return { refused: { status, code, details, doc, requestId } };
  }
};
const outcomes = [];
for (const one of JSON.parse(process.env.CASES)) outcomes.push(await run(one));
console.log(JSON.stringify(outcomes));
