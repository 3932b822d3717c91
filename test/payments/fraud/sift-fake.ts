import { createServer } from 'node:http';
import * as v from 'valibot';

const text = v.optional(v.pipe(v.string(), v.minLength(1)));
const address = v.optional(
  v.strictObject({
    $name: text,
    $phone: text,
    $address_1: text,
    $city: text,
    $region: text,
    $country: v.optional(v.pipe(v.string(), v.regex(/^[A-Z]{2}$/))),
    $zipcode: text,
  }),
);

/** The fields of an order at Sift that the service sends: any other key, or another form of one, is refused. */
const Order = v.strictObject({
  $type: v.literal('$create_order'),
  $api_key: v.string(),
  $user_id: v.pipe(v.string(), v.regex(/^[A-Za-z0-9=.\-_+@:&^%!$]{1,255}$/)),
  $order_id: v.string(),
  $session_id: text,
  $user_email: v.optional(v.pipe(v.string(), v.email())),
  $ip: v.optional(v.pipe(v.string(), v.ip())),
  $time: v.pipe(v.number(), v.integer()),
  $amount: v.optional(v.pipe(v.number(), v.integer())),
  $currency_code: v.pipe(v.string(), v.regex(/^[A-Z]{3}$/)),
  $site_domain: text,
  $billing_address: address,
  $shipping_address: address,
  $payment_methods: v.optional(
    v.array(
      v.strictObject({
        $payment_type: v.literal('$credit_card'),
        $card_bin: v.pipe(v.string(), v.regex(/^\d{6}$/)),
        $card_last4: v.pipe(v.string(), v.regex(/^\d{4}$/)),
      }),
    ),
  ),
  $browser: v.optional(v.strictObject({ $user_agent: text, $accept_language: text })),
});

export type SiftAnswer = { status: number; body: string } | 'silence' | 'hang up';

const scored = (score: unknown): SiftAnswer => ({
  status: 200,
  body: JSON.stringify({
    ...{ status: 0, error_message: 'OK' },
    score_response: { status: 0, error_message: 'OK', scores: { payment_abuse: { score, reasons: [] } } },
  }),
});

/** Sift on this machine: as strict as the real one, and answering as told. */
export const startSift = async (apiKey: string) => {
  const state: { next: SiftAnswer; got: v.InferOutput<typeof Order>[]; raw: string[] } = {
    ...{ next: scored(0.01), got: [], raw: [] },
  };
  const server = createServer(async (request, response) => {
    const raw = (await request.toArray()).join('');
    state.raw.push(raw);
    const refuse = (status: number, code: number) =>
      void response
        .writeHead(status, { 'content-type': 'application/json' })
        .end(JSON.stringify({ status: code, error_message: `You sent ${raw}` }));
    const path = '/v205/events?return_score=true&abuse_types=payment_abuse';
    if (request.method !== 'POST' || request.url !== path) return refuse(404, 404);
    const read = v.safeParse(v.pipe(v.string(), v.parseJson(), Order), raw);
    if (!read.success) return refuse(400, 53);
    if (read.output.$api_key !== apiKey) return refuse(400, 51);
    state.got.push(read.output);
    if (state.next === 'hang up') return void request.socket.destroy();
    if (state.next === 'silence') return;
    response.writeHead(state.next.status, { 'content-type': 'application/json' }).end(state.next.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const place = server.address();
  if (typeof place !== 'object' || place === null) throw new Error('The fake has no port');
  return {
    url: `http://127.0.0.1:${place.port}`,
    state,
    scores: (score: unknown) => void Object.assign(state, { next: scored(score) }),
    answers: (next: SiftAnswer) => void Object.assign(state, { next }),
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
};
