import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import type { Operation } from '#core/platform/operation/operation.ts';
import { operations } from '#functions/operations.ts';
import { cardReasonOf, declaredFields } from '#test/support/declared-fields.ts';

/** Checks that no field of any operation stores a card number, except fields that state a reason. */

const card = '4242424242424242';
const spellings: readonly unknown[] = [
  card,
  '4242 4242 4242 4242',
  '4242-4242-4242-4242',
  '4242.4242.4242.4242 12/30 123',
  '4242_4242_4242_4242',
  '４２４２４２４２４２４２４２４２',
  `shop ${card}`,
  `pi_${card}`,
  `${card}@example.com`,
  `jo@${card}.example`,
  `https://shop.example/${card}`,
  `${card}.00`,
  Number(card),
  JSON.stringify({ text: card }),
];
/** A text alone, in a list and in an object, because a field may accept any of these. */
const shapes = spellings.flatMap((text) => [text, [text], { all: [text] }, { [String(text)]: true }]);

const keepsCard = (value: unknown): boolean =>
  (JSON.stringify(value) ?? '')
    .normalize('NFKC')
    .replace(/[ ._-]/g, '')
    .includes(card);

const accepts = (schema: v.GenericSchema): boolean =>
  shapes.some((sent) => {
    const { success, output } = v.safeParse(schema, sent);
    return success && keepsCard(output);
  });

const sentFields = ({ area, name, params, body }: Operation) =>
  [params, body].flatMap((schema) =>
    declaredFields(schema).map((field) => ({ ...field, name: `${area}/${name} ${field.path}` })),
  );

const fields = operations.flatMap(sentFields);

/** All fields that accept text or numbers of the shape of a card number, by the reason that they declare. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  'Visa’s references of 15 digits are compared with the order’s card': [
    'orders/create-order network_transaction_id',
    'orders/update-order network_transaction_id',
  ],
  'a card that is looked for by its keyed digest': [
    'cardsearch/card-search-and-email card_no',
    'cardsearch/card-transactions card_no',
  ],
  'a text of the processor, which is not stored': [
    'connections/set-connections connections.*.sign_in.code',
    'connections/set-connections connections.*.sign_in.state',
  ],
  'a hash is compared and not stored, and may begin with the digits of a card number': [
    ...['fraud/fraudcheck', 'pricing/bin-payment-options', 'threeds/create3ds', 'threeds/get3ds'],
    ...['convertnpay', 'flagcapture', 'getbytid', 'getstatus', 'payout', 'resendauth', 'sendauth', 'singletx'].map(
      (name) => `transactions/${name}`,
    ),
  ].map((name) => `${name} hash`),
  'a number of the client, which is not stored': ['agents/mcp id'],
  'a password is compared with a digest and not stored': [
    'auth/change-own-password current_password',
    'auth/change-own-password password',
    'auth/create-session password',
    'auth/get-token password',
    'auth/set-password password',
  ],
  'a provider’s message, of which the intake masks each field': ['alerts/resubmit-quarantined message'],
  'article numbers have 13 digits (GTIN-13)': [
    'fraud/fraudcheck item_no.*',
    'orders/create-order items.*.sku',
    'orders/update-order items.*.sku',
    'transactions/singletx item_no.*',
  ],
  'a text of the identity provider, which is not stored': [
    'auth/finish-single-sign-on code',
    'auth/finish-single-sign-on state',
  ],
  'an address of a push service': ['auth/set-own-settings device.endpoint'],
  'bytes of a device, not text': [
    ...['id', 'rawId', 'response.attestationObject', 'response.clientDataJSON'].map(
      (field) => `auth/finish-passkey-setup credential.${field}`,
    ),
    ...['id', 'rawId', 'response.authenticatorData', 'response.clientDataJSON', 'response.signature'].map(
      (field) => `auth/finish-passkey-sign-in credential.${field}`,
    ),
    'auth/finish-passkey-sign-in credential.response.userHandle',
    'auth/remove-passkey id',
    'auth/rename-passkey id',
    'auth/set-own-settings device.auth',
    'auth/set-own-settings device.p256dh',
  ],
  'bytes of a picture, not text': ['orders/set-order-profile logo'],
  'each order is checked on its own by the schema of create-order': ['orders/create-orders orders.*'],
  'one that looks like a card number is masked and named by a keyed digest at the intake': [
    'alerts/receive-provider-a alertId',
    'alerts/receive-provider-b caseId',
    'alerts/receive-rdr decisionId',
    'costs/import-statement lines.*.case_id',
  ],
  'only a keyed digest and a mask of it are kept': [
    'fraud/set-fraud-lists allow.cards.*',
    'fraud/set-fraud-lists block.cards.*',
    'fraud/set-fraud-lists watch.cards.*',
  ],
  sealed: [
    'auth/set-single-sign-on client_secret',
    'connections/set-connections connections.*.credentials',
    'orders/set-order-profile order_source.consumer_key',
    'orders/set-order-profile order_source.consumer_secret',
    'processors/set-site-processors routes.*.credentials',
  ],
  'telephone numbers may have 13 digits': [
    'fraud/fraudcheck phone',
    'orders/create-order customer.phone',
    'orders/set-order-profile support_phone',
    'orders/update-order customer.phone',
    'threeds/create3ds phone',
    'transactions/convertnpay phone',
    'transactions/payout phone',
    'transactions/singletx phone',
  ],
  'the card, which is never stored': [
    'fraud/fraudcheck card_no',
    'threeds/authenticate card_no',
    'threeds/start card_no',
    'transactions/convertnpay card_no',
    'transactions/payout card_no',
    'transactions/singletx card_no',
  ],
};

describe('the fields of all operations', () => {
  it('are found', () => {
    expect(fields.length).toBeGreaterThan(1000);
    for (const path of ['items.*.name', 'customer.email', 'amount.value', 'sid']) {
      expect(
        fields.some((field) => field.path === path),
        path,
      ).toBe(true);
    }
  });

  it('refuse or mask a card number unless they give a reason', () => {
    const strange = fields.filter(({ schema }) => cardReasonOf(schema) === undefined && accepts(schema));
    expect(strange.map(({ name }) => name)).toEqual([]);
  });

  it('accept what looks like a card number for these reasons only', () => {
    const reasons = Map.groupBy(
      fields.flatMap(({ name, schema }) => {
        const reason = cardReasonOf(schema);
        return reason === undefined ? [] : [{ name, reason }];
      }),
      ({ reason }) => reason,
    );
    const listed = Object.fromEntries(
      [...reasons].map(([reason, found]) => [reason, found.map(({ name }) => name).sort()]),
    );
    expect(listed).toEqual(allowed);
  });
});
