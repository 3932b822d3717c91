import { StripeRefused } from './fake-stripe-charges.ts';

/** The part of Stripe's stand-in for webhook endpoints: https://docs.stripe.com/api/webhook_endpoints */

type Json = Record<string, unknown>;
type Endpoint = { id: string; url: string; events: readonly string[]; secret: string };

const fields = ['url', 'enabled_events', 'description', 'api_version', 'connect', 'metadata'];

/** The secret is shown only when an endpoint is made. */
const toDto = ({ id, url, events }: Endpoint): Json => ({
  ...{ id, object: 'webhook_endpoint', url, enabled_events: events, status: 'enabled', livemode: false },
});

export class FakeEndpoints {
  readonly list: Endpoint[] = [];
  #last = 0;

  /** The secret that signs events; undefined if no endpoint was made by API. */
  get secret(): string | undefined {
    return this.list.at(-1)?.secret;
  }

  create(form: Json): Json {
    const unknown = Object.keys(form).find((name) => !fields.includes(name));
    const { url = '', enabled_events = {} } = form as { url?: string; enabled_events?: object };
    const events = Object.values(enabled_events).map(String);
    if (unknown || events.length === 0 || !/^https?:\/\//.test(url)) {
      throw new StripeRefused(400, { type: 'invalid_request_error', code: 'url_invalid', message: `Invalid: ${url}` });
    }
    this.#last += 1;
    const id = `we_3Fake${this.#last}`;
    const endpoint = { id, url, events, secret: `whsec_madeByApi${String(this.#last).padStart(20, '0')}` };
    this.list.push(endpoint);
    return { ...toDto(endpoint), secret: endpoint.secret };
  }

  read(): Json {
    return { object: 'list', url: '/v1/webhook_endpoints', has_more: false, data: this.list.map(toDto) };
  }

  remove(id: string): Json {
    const at = this.list.findIndex((one) => one.id === id);
    if (at < 0) throw new StripeRefused(404, { type: 'invalid_request_error', code: 'resource_missing', message: id });
    this.list.splice(at, 1);
    return { id, object: 'webhook_endpoint', deleted: true };
  }
}
