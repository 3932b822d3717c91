import type { FakeReply, FakeRequest } from './fake-processor.ts';

/** The part of Stripe's stand-in for sign-ins: https://docs.stripe.com/connect/oauth-reference */

const refused = (error: string): FakeReply => ({
  status: 400,
  body: { error, error_description: `${error} of a fake` },
});

/** `key`: the secret key of the account that signs in, which is also that of the app. */
export class FakeSignIns {
  readonly clientId = 'ca_FakeApp00000000000000';
  readonly account = 'acct_1FakeShop00000000';
  readonly #key: string;
  readonly #codes = new Set<string>();
  #last = 0;

  constructor(key: string) {
    this.#key = key;
  }

  answer({ method, path, query, body }: FakeRequest): FakeReply {
    if (method === 'GET' && path === '/oauth/authorize') return this.#authorize(query);
    if (method === 'POST' && path === '/oauth/token') return this.#exchange(new URLSearchParams(body));
    return refused('invalid_request');
  }

  /** The person agrees at once. */
  #authorize(query: URLSearchParams): FakeReply {
    const isKnown = query.get('client_id') === this.clientId && query.get('response_type') === 'code';
    const returnTo = query.get('redirect_uri');
    if (!isKnown || query.get('scope') !== 'read_write' || !returnTo) return refused('invalid_request');
    const answer = new URLSearchParams({ scope: 'read_write', state: query.get('state') ?? '', code: this.newCode() });
    return { status: 302, body: '', headers: { location: `${returnTo}?${answer}` } };
  }

  newCode(): string {
    this.#last += 1;
    const code = `ac_Fake${String(this.#last).padStart(24, '0')}`;
    this.#codes.add(code);
    return code;
  }

  #exchange(form: URLSearchParams): FakeReply {
    if (form.get('client_secret') !== this.#key) return refused('invalid_client');
    if (form.get('grant_type') !== 'authorization_code') return refused('unsupported_grant_type');
    if (!this.#codes.delete(form.get('code') ?? '')) return refused('invalid_grant');
    const keys = { access_token: this.#key, refresh_token: 'rt_fake', stripe_publishable_key: 'pk_test_fake' };
    const body = { ...keys, stripe_user_id: this.account, livemode: false, scope: 'read_write', token_type: 'bearer' };
    return { status: 200, body };
  }
}
