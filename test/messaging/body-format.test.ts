import fc from 'fast-check';
import { expect, it } from 'vitest';
import { bodyFor, jsonOfForm } from '#messaging/webhooks/attempt/body-format.ts';
import { encodeForm } from '#messaging/webhooks/delivery/form-payload.ts';
import { alertSite } from './support.ts';

const formType = 'application/x-www-form-urlencoded';
const delivery = { kind: 'status_update', body: 'action=statusupdate&alert_id=7', contentType: formType } as const;
const settings = alertSite(1, 'https://shop.example/').alert;

it('a form is sent as it is unless the site asks for JSON', () => {
  for (const alert of [null, settings, settings && { ...settings, body_format: 'form' as const }]) {
    expect(bodyFor(delivery, alert)).toEqual({ body: delivery.body, contentType: formType });
  }
});

it('JSON has the same names, numbers where the contract has numbers, and lists where a form has JSON text', () => {
  const form = encodeForm({
    alert_id: '7',
    mid: 1,
    rid: null,
    txdetails: [{ alert_transaction: null }],
    'tx_details[]': [{ userid: 'a' }, { userid: 'b' }],
    comments: '',
  });
  expect(JSON.parse(jsonOfForm(form))).toEqual({
    alert_id: '7',
    mid: 1,
    rid: null,
    txdetails: [{ alert_transaction: null }],
    tx_details: [{ userid: 'a' }, { userid: 'b' }],
    comments: '',
  });
});

it('what is JSON by contract, and postbacks, stay as they are', () => {
  const json = settings && { ...settings, body_format: 'json' as const };
  const enrollment = { kind: 'enrollment_update', body: '{"a":1}', contentType: 'application/json' } as const;
  expect(bodyFor(enrollment, json)).toEqual({ body: '{"a":1}', contentType: 'application/json' });
  const postback = { ...delivery, kind: 'postback' } as const;
  expect(bodyFor(postback, json)).toEqual({ body: delivery.body, contentType: formType });
});

it('any text survives', () => {
  const text = fc.string({ unit: 'grapheme' });
  fc.assert(
    fc.property(text, text, (comments, merchant_notes) => {
      expect(JSON.parse(jsonOfForm(encodeForm({ comments, merchant_notes })))).toEqual({ comments, merchant_notes });
    }),
  );
});
