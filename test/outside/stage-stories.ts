import { createHash, createHmac, randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { Secret, TOTP } from 'otpauth';
import { withLuhnDigit } from '#core/kernel/card/luhn.ts';

/** A deployed stage as its callers reach it, and what they know. */
export type Stage = {
  /** The address of the API, without a slash at its end. */
  url: string;
  /** Tokens of an operator and of the merchant's manager. */
  admin: string;
  manager: string;
  /** The site that gets alerts, and the one that takes payments. */
  site: { mid: number; sid: number; rcode: string };
  paymentSite: { sid: number; rcode: string };
  /** The key with which a network signs. */
  keyOf: (provider: string) => Promise<string>;
  /** The e-mails that the emulator has sent, as text. */
  mails: () => Promise<string>;
  /** Sends the message with which the schedule wakes the sweep, and waits until its queue is empty. */
  sweep: () => Promise<void>;
};

type Reply = { status: number; text: string; body: Record<string, unknown>; headers: Headers };
/** `isRepeated`: played again after a second deployment. */
type Story = { name: string; isRepeated?: true; play: (stage: Stage) => Promise<void> };

const call = async (url: string, path: string, body: unknown, headers: Record<string, string> = {}): Promise<Reply> => {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const response = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: text,
  });
  const answer = await response.text();
  return { status: response.status, text: answer, body: parseFields(answer), headers: response.headers };
};

const parseFields = (text: string): Record<string, unknown> => {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
};

const asUser = (token: string) => ({ authorization: `Bearer ${token}` });

/** Throws an Error unless two values are equal. */
const expectEqual = (what: string, found: unknown, expected: unknown): void => {
  if (!isDeepStrictEqual(found, expected))
    throw new Error(`${what}: expected ${JSON.stringify(expected)}, found ${JSON.stringify(found)}`);
};

/** Waits up to a minute until something holds. */
const until = async (what: string, holds: () => Promise<boolean>): Promise<void> => {
  for (let tries = 0; tries < 120; tries++) {
    if (await holds()) return;
    await pause(500);
  }
  throw new Error(`${what} did not happen within a minute`);
};

const signed = (key: string, body: string) => {
  const seconds = Math.floor(Date.now() / 1000);
  return { 'x-signature': `t=${seconds},v1=${createHmac('sha256', key).update(`${seconds}.${body}`).digest('hex')}` };
};

const readList = (body: Record<string, unknown>): readonly Record<string, unknown>[] =>
  Array.isArray(body['list']) ? body['list'] : [];

const caseId = () => `${Date.now()}${randomInt(1000, 9999)}`;
const messages: Readonly<Record<string, () => object>> = {
  provider_a: () => ({
    ...{
      alertId: `A${caseId()}`,
      type: 'CONFIRMED_FRAUD',
      alertTimestamp: new Date().toISOString(),
      issuer: 'First Bank',
    },
    ...{ cardBin: '411111', cardLast4: '1111', transactionTimestamp: new Date().toISOString() },
    ...{ merchantDescriptor: 'DEMO SHOP', amount: { value: '361.56', currencyCode: 'USD' }, reasonCode: '4837' },
  }),
  provider_b: () => ({
    ...{
      caseId: `B${caseId()}`,
      caseType: 'DISPUTE',
      status: 'NEW',
      caseDate: new Date().toISOString(),
      paymentType: 'VISA',
    },
    ...{ accountNumber: '423234xxxxxx3773', transactionDate: new Date().toISOString(), transactionAmount: '39.99' },
    ...{
      transactionCurrency: 'USD',
      caseAmount: '39.99',
      caseCurrency: 'USD',
      reasonCode: '10.4',
      descriptor: 'DEMO*HOSTING',
    },
  }),
  rdr: () => ({
    ...{
      decisionId: `R${caseId()}`,
      event: 'DECISION',
      decision: 'ACCEPTED',
      declineCode: null,
      caseDate: new Date().toISOString(),
    },
    ...{ paymentDescriptor: 'ONLINE*MERCHANT', acquirerBin: '423223', cardAcceptorId: '1231231', cardBin: '423223' },
    ...{ cardLast4: '2476', transactionDate: new Date().toISOString(), mcc: '4899', reasonCode: '10.4' },
    ...{ transactionAmount: '12.00', transactionCurrency: 'USD', caseAmount: '12.00', caseCurrency: 'USD' },
  }),
};

/** Sends a network's message that many times at once, and returns the numbers of its alerts. */
const sendAlert = async (stage: Stage, provider: string, times: number): Promise<string[]> => {
  const body = JSON.stringify(messages[provider]?.());
  const path = `/api/v3/providers/${provider}/alerts`;
  expectEqual('an unsigned message', (await call(stage.url, path, body)).status, 401);
  const key = await stage.keyOf(provider);
  const replies = await Promise.all(
    Array.from({ length: times }, () => call(stage.url, path, body, signed(key, body))),
  );
  expectEqual('statuses of the copies', [...new Set(replies.map(({ status }) => status))], [200]);
  return [...new Set(replies.map(({ body: { alert_id } }) => String(alert_id)))];
};

const askDetails = (stage: Stage, alertId: string) =>
  call(stage.url, `/api/v3/service_alerts/alert/${alertId}/details`, {}, asUser(stage.manager));

/** A call of a page of the service itself, with the cookie that the browser has. */
const asPage = ({ url }: Stage, path: string, body: object, cookie = ''): Promise<Reply> =>
  call(url, `/api/v3/session/${path}`, body, { 'sec-fetch-site': 'same-origin', ...(cookie && { cookie }) });
const readCookie = ({ headers }: Reply): string => headers.get('set-cookie')?.split(';')[0] ?? '';

/** A person of the merchant, whose password was set by the link in the e-mail. */
const createPerson = async (stage: Stage): Promise<{ username: string; password: string }> => {
  const person = { username: `ann${caseId()}`, name: 'Ann', role: 'analyst', email: 'ann@forewarn-proof.example' };
  const made = await call(stage.url, '/api/v3/users/create', person, asUser(stage.manager));
  expectEqual(`user ${made.text}`, made.status, 200);
  const username = String(made.body['username']);
  let token = '';
  await until('the e-mail with the link', async () => {
    // The link is part of a text, or of JSON that holds one.
    const links = [
      ...(await stage.mails()).replaceAll('=\\r\\n', '').matchAll(/set-password\?token=([\w-]{43})(?![\w-])/g),
    ];
    token = links.at(-1)?.[1] ?? '';
    return token !== '';
  });
  const password = `correct horse ${caseId()}`;
  expectEqual('password', (await call(stage.url, '/api/v3/users/password', { token, password })).status, 200);
  return { username, password };
};

const totpCode = (secret: string, periods = 0): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + periods * 30_000 });

/** One grey pixel. */
const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

const md5 = (text: string): string => createHash('md5').update(text).digest('hex');

/** Takes 10.00 USD at the sandbox. */
const pay = ({ url, paymentSite: { sid, rcode } }: Stage, change: object = {}): Promise<Reply> => {
  const timestamp = Math.floor(Date.now() / 1000);
  return call(url, `/api/v1/index.php/${sid}/singletx`, {
    ...{ tx_action: 'PAYMENT', card_type: 'VISA', card_no: '4242424242424242', card_ccv: '123', card_exp_month: '12' },
    ...{ card_exp_year: '2030', firstname: 'Ada', lastname: 'Example', email: 'ada@shop.example', currency: 'USD' },
    postback_url: 'https://hooks.forewarn-proof.example/postback',
    ...{ item_name: ['Tea'], item_amount_unit: ['10.00'], timestamp, hash: md5(`${sid}${timestamp}10.00USD${rcode}`) },
    ...change,
  });
};

export const stories: readonly Story[] = [
  {
    name: 'the health check answers, and a wrong token and a wrong password are refused',
    play: async ({ url }) => {
      expectEqual('health', (await fetch(`${url}/health`)).status, 200);
      expectEqual('wrong token', (await call(url, '/api/v3/site/list', {}, asUser('x'))).status, 401);
      const wrong = await call(url, '/api/v2/index.php/gettoken', { username: 'demo', password: 'not the password' });
      expectEqual('wrong password', wrong.status, 401);
    },
  },
  ...Object.keys(messages).map(
    (provider): Story => ({
      name: `eight copies of one message of ${provider} at once make one alert, which is matched to its site`,
      play: async (stage) => {
        const ids = await sendAlert(stage, provider, 8);
        expectEqual('numbers of alerts', ids.length, 1);
        const { body } = await askDetails(stage, ids[0] ?? '');
        expectEqual('site', body['sid'], stage.site.sid);
        expectEqual('provider', body['provider'], provider);
      },
    }),
  ),
  {
    name: 'a new alert becomes a delivery that was attempted, and an e-mail, through stream and queues',
    play: async (stage) => {
      const [id = ''] = await sendAlert(stage, 'provider_a', 1);
      await until('the attempt', async () => {
        const { body } = await call(stage.url, '/api/v3/notifications/list', { alert_id: id }, asUser(stage.manager));
        return readList(body).some(({ attempts }) => Number(Array.isArray(attempts) ? attempts.length : attempts) > 0);
      });
      await until('the e-mail', async () => (await stage.mails()).includes('361.56'));
    },
  },
  {
    isRepeated: true,
    name: 'ten answers at once are one answer, with one outcome for the network',
    play: async (stage) => {
      const [id = ''] = await sendAlert(stage, 'provider_b', 1);
      const body = { alert_id: id, status: 'DECLINED', reason_code: '902.002' };
      const path = '/secure/alert/update/v2';
      expectEqual('wrong rcode', (await call(stage.url, path, body, { rcode: 'wrong' })).status, 401);
      const replies = await Promise.all(
        Array.from({ length: 10 }, () => call(stage.url, path, body, { rcode: stage.site.rcode })),
      );
      if (!replies.some(({ status }) => status === 200)) throw new Error(`no answer was accepted: ${replies[0]?.text}`);
      expectEqual('other statuses', replies.filter(({ status }) => ![200, 409].includes(status)).length, 0);
      expectEqual('status', (await askDetails(stage, id)).body['status'], 'DECLINED');
      const outcomes = await call(
        stage.url,
        '/api/v3/service_alerts/outcomes/list',
        { alert_id: id },
        asUser(stage.admin),
      );
      expectEqual('outcomes', readList(outcomes.body).length, 1);
    },
  },
  {
    isRepeated: true,
    name: 'a payment is taken once, refunded in part, and no more than was taken is refunded',
    play: async (stage) => {
      const tid = `t${caseId()}`;
      const races = await Promise.all(Array.from({ length: 5 }, () => pay(stage, { tid })));
      const taken = [...new Set(races.flatMap(({ body: { txid } }) => (txid === undefined ? [] : [String(txid)])))];
      expectEqual('payments of one tid', taken.length, 1);
      const path = `/api/v3/service_process/transaction/${taken[0]}/processrefund`;
      const refund = (amount: string) => call(stage.url, path, { amount, currency: 'USD' }, asUser(stage.manager));
      expectEqual('refund', (await refund('4.00')).status, 200);
      expectEqual('too large a refund', (await refund('6.01')).status, 409);
    },
  },
  {
    name: 'an authorization is captured',
    play: async (stage) => {
      const { body } = await pay(stage, { tx_action: 'PREAUTH' });
      expectEqual('authorization', body['status'], 'OK');
      const { sid, rcode } = stage.paymentSite;
      const capture = { parent_txid: body['txid'], amount: '10.00', hash: md5(`${sid}10.00${rcode}`) };
      const captured = await call(stage.url, `/api/v1/index.php/${sid}/flagcapture`, capture);
      expectEqual('capture', captured.body['tx_action'], 'CAPTURE');
    },
  },
  {
    name: 'a stored order is found by a bank that asks for it',
    play: async (stage) => {
      const reference = `O${caseId()}`;
      const arn = withLuhnDigit(`2469216107${String(Date.now()).slice(-12)}`);
      const order = {
        ...{ sid: stage.site.sid, reference, order_date: new Date().toISOString(), amount: '42.50', currency: 'USD' },
        ...{ card_firstsix: '424242', card_lastfour: '4242', card_type: 'VISA', descriptor: 'DEMO SHOP', arn },
        items: [{ name: 'Teapot', quantity: 1, amount_unit: '42.50' }],
      };
      expectEqual('order', (await call(stage.url, '/api/v3/orders/create', order, asUser(stage.manager))).status, 200);
      const ask = JSON.stringify({
        ...{
          insightId: caseId(),
          entityInfo: { partnerId: '7', clientId: 'guides' },
          source: 'OIM',
          paymentType: 'VISA',
        },
        ...{
          paymentDescriptor: 'DEMO SHOP',
          transactionDate: new Date().toISOString(),
          transactionRequestId: caseId(),
        },
        ...{ transactionAmount: { amount: '42.50', currency: 'USD' }, cardBin: '424242', cardLast4: '4242', arn },
      });
      const key = await stage.keyOf('provider_b');
      const answer = await call(stage.url, '/api/v3/providers/provider_b/orders', ask, signed(key, ask));
      expectEqual(`look-up ${answer.text}`, answer.status, 200);
      if (!answer.text.includes('Teapot'))
        throw new Error(`the bank was not shown the order: ${answer.text.slice(0, 300)}`);
    },
  },
  {
    name: 'the dashboard arrives, with its policy of content',
    play: async ({ url }) => {
      // Its script does not: the emulator leaves binary replies in base64, although the definition declares binary media types.
      // https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-payload-encodings.html
      const page = await fetch(`${url}/dashboard`);
      if (!/<script [^>]*src="dashboard/.test(await page.text())) throw new Error('the page names no script');
      if (!page.headers.get('content-security-policy')?.includes("script-src 'self'"))
        throw new Error('there is no policy');
    },
  },
  {
    name: 'an agent initializes MCP with an API key and lists the tools that it may use',
    play: async (stage) => {
      const made = await call(
        stage.url,
        '/api/v3/api-keys/create',
        { name: 'agent', mid: stage.site.mid, permissions: ['alerts:read'], days: 1 },
        asUser(stage.manager),
      );
      expectEqual('key', made.status, 200);
      const key = String(made.body['key'] ?? made.body['api_key']);
      const request = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
      const headers = { ...asUser(key), accept: 'application/json, text/event-stream' };
      const { text } = await call(stage.url, '/mcp', request, headers);
      if (!text.includes('list_alerts')) throw new Error(text.slice(0, 300));
    },
  },
  {
    name: 'a person sets a password by the link in an e-mail, sets up a second factor, signs in with it and out',
    play: async (stage) => {
      const { username, password } = await createPerson(stage);
      const first = await asPage(stage, 'create', { username, password });
      expectEqual(`session ${first.text}`, first.status, 200);
      const bearer = asUser(String(first.body['access_token']));
      const { body: setup } = await call(stage.url, '/api/v3/session/factor/setup', {}, bearer);
      const secret = String(setup['secret']);
      const confirmed = await asPage(stage, 'factor', { challenge: setup['challenge'], code: totpCode(secret) });
      expectEqual(`second factor ${confirmed.text}`, confirmed.status, 200);
      const asked = await asPage(stage, 'create', { username, password });
      expectEqual('without a code', asked.body['code'], 'second_factor_needed');
      // A code is good once: the next period's is accepted early.
      const answer = { challenge: asked.body['challenge'], code: totpCode(secret, 1) };
      const session = await asPage(stage, 'factor', answer);
      expectEqual(`session ${session.text}`, session.status, 200);
      const renewed = await asPage(stage, 'refresh', {}, readCookie(session));
      expectEqual('renewed', renewed.status, 200);
      expectEqual('end', (await asPage(stage, 'end', {}, readCookie(renewed))).status, 200);
      expectEqual('after its end', (await asPage(stage, 'refresh', {}, readCookie(renewed))).status, 401);
    },
  },
  {
    name: 'a charged-back payment gets a file of evidence by a signed address, and a letter with it',
    play: async (stage) => {
      const { body: paid } = await pay(stage, { card_no: '4000000000000259' });
      const asManager = asUser(stage.manager);
      let id = '';
      await until('the chargeback', async () => {
        const { body } = await call(stage.url, '/api/v3/service_alerts/chargebacks/list', {}, asManager);
        id = String(readList(body).find(({ txid }) => txid === paid['txid'])?.['chargeback_id'] ?? '');
        return id !== '';
      });
      const path = `/api/v3/service_alerts/chargeback/${id}`;
      const announced = { type: 'image/png', bytes: picture.length };
      const begun = await call(stage.url, `${path}/files/upload`, announced, asManager);
      expectEqual(`address ${begun.text}`, begun.status, 200);
      const headers = Object(begun.body['headers']) as Record<string, string>;
      const sent = await fetch(String(begun.body['url']), { method: 'PUT', headers, body: picture });
      expectEqual(`upload ${await sent.text()}`, sent.status, 200);
      const file = { file_id: begun.body['file_id'], kind: 'receipt', name: 'Überweisung.png' };
      const added = await call(stage.url, `${path}/files/add`, file, asManager);
      expectEqual(`file ${added.text}`, added.status, 200);
      const packet = await call(stage.url, `${path}/packet`, { format: 'pdf' }, asManager);
      expectEqual(`packet ${packet.text}`, packet.body['left_out'], []);
      const letter = await fetch(String(packet.body['url']));
      expectEqual('the letter begins', (await letter.text()).slice(0, 5), '%PDF-');
    },
  },
  {
    name: 'the sweep takes the message of its schedule',
    play: (stage) => stage.sweep(),
  },
];
