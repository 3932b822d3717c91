import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { Webhook, WebhookVerificationError } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { signatureHeaders } from '#core/platform/post/signature.ts';
import { encodeForm } from '#messaging/webhooks/delivery/form-payload.ts';

const newer = `whsec_${Buffer.from('the newer secret, 32 bytes long!').toString('base64')}`;
const older = `whsec_${Buffer.from('the older secret, 24 byt').toString('base64')}`;
/** The verifier reads the system clock, so the attempt is one of now. */
const timestampSeconds = Math.floor(Date.now() / 1000);

describe('the signature of a notification', () => {
  it('follows the Standard Webhooks specification', () => {
    const headers = signatureHeaders({
      id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      timestampSeconds: 1614265330,
      body: '{"test": 2432232314}',
      secrets: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
    });
    expect(headers).toEqual({
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    });
  });

  it('is verified by the standard library with a JSON body, any text in it', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.string({ unit: 'binary' })), (content) => {
        const body = JSON.stringify(content);
        const headers = signatureHeaders({ id: 'delivery-1', timestampSeconds, body, secrets: [newer] });
        expect(new Webhook(newer).verify(body, headers)).toEqual(JSON.parse(body));
      }),
      { numRuns: 30 },
    );
  });

  it('is verified over the raw bytes with a form body', () => {
    const body = encodeForm({ descriptor: 'SHOP*ÜBER & CO', txdetails: [{ alert_transaction: null }] });
    const headers = signatureHeaders({ id: 'delivery-1', timestampSeconds, body, secrets: [newer] });
    const key = Buffer.from(newer.slice('whsec_'.length), 'base64');
    const expected = createHmac('sha256', key).update(`delivery-1.${timestampSeconds}.${body}`).digest('base64');
    expect(headers['webhook-signature']).toBe(`v1,${expected}`);
    expect(new Webhook(newer).verify(body, headers, { jsonParse: false })).toBeUndefined();
  });

  it('is the same for a text and for its bytes', () => {
    const of = (body: string | Uint8Array) => signatureHeaders({ id: 'a', timestampSeconds, body, secrets: [newer] });
    expect(of('Ü')).toEqual(of(new TextEncoder().encode('Ü')));
  });

  it('verifies with either secret while one is being rotated, the newer one first', () => {
    const body = '{"a":1}';
    const both = signatureHeaders({ id: 'delivery-1', timestampSeconds, body, secrets: [newer, older] });
    const alone = signatureHeaders({ id: 'delivery-1', timestampSeconds, body, secrets: [newer] });
    expect(new Webhook(newer).verify(body, both)).toEqual({ a: 1 });
    expect(new Webhook(older).verify(body, both)).toEqual({ a: 1 });
    expect(both['webhook-signature'].split(' ')[0]).toBe(alone['webhook-signature']);
  });

  it('does not verify once body, id or time is another', () => {
    const body = '{"amount":"10.00"}';
    const headers = signatureHeaders({ id: 'delivery-1', timestampSeconds, body, secrets: [newer] });
    const webhook = new Webhook(newer);
    expect(() => webhook.verify('{"amount":"99.00"}', headers)).toThrow(WebhookVerificationError);
    expect(() => webhook.verify(body, { ...headers, 'webhook-id': 'delivery-2' })).toThrow(WebhookVerificationError);
    const later = { ...headers, 'webhook-timestamp': String(timestampSeconds + 1) };
    expect(() => webhook.verify(body, later)).toThrow(WebhookVerificationError);
  });

  it.each([[[]], [['']], [['whsec_']], [['not a secret']], [[newer, 'whsec_!']]])(
    'is not made with %j: nothing leaves unsigned',
    (secrets) => {
      const sign = () => signatureHeaders({ id: 'a', timestampSeconds, body: '', secrets });
      expect(sign).toThrow(/secret/);
      expect(sign).not.toThrow(/not a secret/);
    },
  );
});
