import { describe, expect, it } from 'vitest';
import { outcomeOfAdyenFailure } from '#payments/processors/adyen/adyen-codes.ts';
import { paymentRequest } from '#payments/processors/adyen/adyen-requests.ts';
import { outcomeOfErrors } from '#payments/processors/braintree/braintree-codes.ts';
import { paymentInput, tokenInput } from '#payments/processors/braintree/braintree-requests.ts';
import { nmiRefusalResult } from '#payments/processors/nmi/nmi-codes.ts';
import { nmiPayment } from '#payments/processors/nmi/nmi-requests.ts';
import { cleanPhone, cleanPostcode, internationalPhone } from '#payments/processors/payer-forms.ts';
import { outcomeOfFailure } from '#payments/processors/stripe/stripe-codes.ts';
import { paymentMethodOf } from '#payments/processors/stripe/stripe-outcomes.ts';
import { payCommand } from './contract.ts';

type Address = { line1: string; city: string; state: string; country: string; postcode: string };
const springfield: Address = { line1: '1 Main St', city: 'Springfield', state: 'IL', country: 'US', postcode: '62704' };
const berlin: Address = { line1: 'Hof 1', city: 'Berlin', state: '', country: 'DE', postcode: '10115' };
const command = (address: Partial<Address>, payer: { phone?: string; email?: string } = {}) => {
  const plain = payCommand();
  return { ...plain, payer: { ...plain.payer, address: { ...springfield, ...address }, ...payer } };
};
const atAdyen = (address: Partial<Address>, payer = {}) =>
  paymentRequest(command(address, payer), { merchantAccount: 'M', value: 1 });
const atBraintree = (address: Partial<Address>): Record<string, string> =>
  tokenInput(command(address)).creditCard.billingAddress ?? {};

describe('a postal code', () => {
  it.each([
    ['US', '62704-1234', '62704-1234'],
    ['US', '627041234', '62704-1234'],
    ['US', '62704.', '62704'],
    ['US', '(62704)', '62704'],
    ['US', '29486 - ____', '29486'],
    ['US', '６２７０４', '62704'],
    ['US', '6270', undefined],
    ['US', '1234567890', undefined],
    ['GB', 'SW1A 1AA London', 'SW1A 1AA'],
    ['GB', 'SW1A1AA', 'SW1A1AA'],
    ['JP', '〒100-0001', '100-0001'],
    ['CA', 'K1A 0B1.', 'K1A 0B1'],
    ['NL', ' 1011  AB ', '1011 AB'],
    ['DE', 'D-10115', 'D-10115'],
    ['DE', '---', undefined],
    ['DE', 'Berlin Mitte 10115', undefined],
    ['DE', '', undefined],
  ])('of %s, "%s", is sent as %s', (country, postcode, sent) => {
    expect(cleanPostcode({ ...springfield, country, postcode }, 9)).toBe(sent);
  });
});

describe('a telephone number', () => {
  it.each([
    ['+1 780-459-5656 ext. 725', '+17804595656'],
    ['+1 780-459-5656x725', '+17804595656'],
    ['+1 780 459 5656ext12', '+17804595656'],
    ['+33 1 23 45 67 89 poste 12', '+33123456789'],
    ['+49 30 123456, Durchwahl 7', '+4930123456'],
    ['+7 495 123-45-67 доб. 12', '+74951234567'],
    ['tel: +49 30 1234567', '+49301234567'],
    ['+1 780-459-5656 x725', '+17804595656'],
    ['+49 (0) 151 12345678 (abends nach 18 Uhr)', '+4915112345678'],
    ['0044 20 7946 0018', '+442079460018'],
    ['＋８１ 90 1234 5678', '+819012345678'],
    ['(217) 555-0100', '2175550100'],
    ['ask my secretary', undefined],
    ['+49 151 12345678901234567', undefined],
  ])('"%s" is sent as %s', (phone, sent) => {
    expect(cleanPhone(phone)).toBe(sent);
  });

  it('counts as international only with its calling code', () =>
    expect([internationalPhone('(217) 555-0100'), internationalPhone('+1 217 555 0100')]).toEqual([
      undefined,
      '+12175550100',
    ]));
});

describe('Adyen', () => {
  it.each<[string, Partial<Address>, Record<string, string> | undefined]>([
    ['a ZIP code of nine digits', { postcode: '627041234' }, { postalCode: '62704', stateOrProvince: 'IL' }],
    [
      'a British code with a city',
      { ...berlin, country: 'GB', postcode: 'SW1A 1AA London' },
      { postalCode: 'SW1A 1AA' },
    ],
    ['no postal code in Hong Kong', { ...berlin, country: 'HK', postcode: '' }, { postalCode: 'N/A', country: 'HK' }],
    ['no country', { ...berlin, country: '' }, { country: 'ZZ' }],
    ['a state by its name', { ...berlin, state: 'BRANDENBURG' }, { city: 'Berlin' }],
    ['no state in the US', { state: '' }, undefined],
    ['no state in Canada', { country: 'CA', state: '', postcode: 'K1A 0B1' }, undefined],
    ['no postal code in Germany', { ...berlin, postcode: '' }, undefined],
    ['no street', { ...berlin, line1: ' ' }, undefined],
    ['a country only', { line1: '', city: '', state: '', country: 'GB', postcode: '' }, undefined],
  ])('gets a complete address or none: %s', (_, address, sent) => {
    const { billingAddress } = atAdyen(address);
    if (sent === undefined) expect(billingAddress).toBeUndefined();
    else expect(billingAddress).toMatchObject(sent);
    expect(Object.values(billingAddress ?? {})).not.toContain('');
  });

  it('gets neither a state by its name nor a number without its calling code nor an unusual e-mail address', () => {
    const sent = atAdyen({ ...berlin, state: 'BRANDENBURG' }, { phone: '030 123456', email: 'taro..x@docomo.ne.jp' });
    expect(sent).not.toHaveProperty('telephoneNumber');
    expect(sent).not.toHaveProperty('shopperEmail');
    expect(sent['billingAddress']).not.toHaveProperty('stateOrProvince');
    expect(atAdyen({}, { phone: '+1 780-459-5656 ext. 725' })).toMatchObject({ telephoneNumber: '+17804595656' });
  });
});

describe('other processors', () => {
  it('get no empty part of an address, and a clean postal code', () => {
    const sparse = { line1: '', city: '', state: '', country: 'HK', postcode: '' };
    expect(atBraintree(sparse)).toEqual({ countryCodeAlpha2: 'HK' });
    expect(atBraintree({ postcode: '29486 - ____', city: 'x'.repeat(300) })).toMatchObject({
      ...{ postalCode: '29486', adminArea2: 'x'.repeat(255) },
    });
    expect(nmiPayment(command(sparse))).not.toHaveProperty('zip');
    expect(nmiPayment(command({ postcode: '(62704)' }, { phone: '+1 217 555-0100 ext. 3' }))).toMatchObject({
      ...{ zip: '62704', state: 'IL', phone: '12175550100' },
    });
    expect(paymentMethodOf(command({ ...sparse, postcode: '---' })).billing_details?.address).toEqual({
      country: 'HK',
    });
  });

  it('get a telephone number of the length that they document, and no unusual e-mail address', () => {
    const payer = { phone: '+1 780-459-5656 ext. 725', email: 'taro..x@docomo.ne.jp' };
    const { phone, email } = paymentMethodOf(command({}, payer)).billing_details ?? {};
    expect([phone, email]).toEqual(['+17804595656', undefined]);
    expect(paymentMethodOf(command({}, { phone: '217-555-0100' })).billing_details?.phone).toBe('217-555-0100');
    const { transaction } = paymentInput(command({}, payer), { paymentMethodId: 'p', merchantAccountId: 'm' });
    expect(transaction.customerDetails).toEqual({ phoneNumber: '17804595656' });
    expect(nmiPayment(command({}, payer))).not.toHaveProperty('email');
  });
});

describe('a field that a processor refuses', () => {
  const nmi = { response: '3', code: '300', transactionId: '', authCode: '' };
  const stripe = {
    status: 400,
    type: 'invalid_request_error',
    declineCode: undefined,
    requestId: '',
    intent: undefined,
  };
  it.each([
    [
      'adyen',
      'postcode',
      outcomeOfAdyenFailure(
        {
          status: 422,
          errorCode: '000',
          isTransient: false,
          message: "Field 'billingAddress.postalCode' is not valid",
        },
        'pay',
      ),
    ],
    [
      'adyen',
      'suburb_city',
      outcomeOfAdyenFailure(
        { status: 422, errorCode: '131', isTransient: false, message: 'Billing address problem (City)' },
        'pay',
      ),
    ],
    [
      'adyen',
      'state',
      outcomeOfAdyenFailure(
        { status: 422, errorCode: '135', isTransient: false, message: 'Billing address problem (StateOrProvince)' },
        'pay',
      ),
    ],
    ['braintree', 'postcode', outcomeOfErrors([{ errorClass: 'VALIDATION', legacyCode: '81813' }], 'pay')],
    ['braintree', 'country', outcomeOfErrors([{ errorClass: 'VALIDATION', legacyCode: '91814' }], 'pay')],
    ['stripe', 'phone', outcomeOfFailure({ ...stripe, code: undefined, param: 'billing_details[phone]' }, 'pay')],
    ['stripe', 'email', outcomeOfFailure({ ...stripe, code: 'email_invalid', param: undefined }, 'pay')],
    ['nmi', 'postcode', nmiRefusalResult({ ...nmi, text: 'Invalid ZIP Code REFID:123' }, 'pay')],
    ['nmi', 'phone', nmiRefusalResult({ ...nmi, text: 'Phone number is invalid' }, 'pay')],
  ])('is named: %s, %s', (_, field, outcome) => {
    expect(outcome).toMatchObject({ outcome: 'EXC', code: 'processor_refused', field });
  });

  it('is not guessed for a card that was declined', () => {
    const declined = outcomeOfFailure({ ...stripe, status: 402, code: 'card_declined', param: 'address' }, 'pay');
    expect(declined).not.toHaveProperty('field');
  });
});
