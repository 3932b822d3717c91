import { describe, expect, it } from 'vitest';
import { networkOfCode } from '#core/kernel/card/scheme-reasons.ts';
import { networkNamed, schemeNamed } from '#core/kernel/card/schemes.ts';

/**
 * Names in the documentation of processors: Stripe's Dispute and Charge, Adyen's chargebackSchemeCode, Checkout.com's payment_method, PayPal's
 * card_brand, Shopify's CardPaymentDetails.company, Authorize.Net's accountType (2026-11-29).
 */
describe('the name of a card scheme', () => {
  it.each([
    ['VISA', ['visa', 'Visa', 'ELECTRON', 'visa_electron', 'DELTA', 'vpay', 'electron_debit', 'Visa Electron']],
    ['MASTERCARD', ['mc', 'mastercard', 'MasterCard', 'MASTER_CARD', 'Maestro', 'mcdebit']],
    ['AMEX', ['amex', 'American Express', 'american_express', 'AmericanExpress']],
    ['DISCOVER', ['discover', 'Discover', 'discover_global_network']],
    ['DINERS', ['diners', 'DINERS', 'Diners Club', 'Diners Club International', 'diners_club', 'DinersClub']],
    ['JCB', ['jcb', 'JCB']],
    ['UNIONPAY', ['cup', 'unionpay', 'UnionPay', 'CHINA_UNION_PAY', 'china_union_pay']],
  ])('is read as %s in each spelling', (scheme, spellings) => {
    expect(spellings.map(schemeNamed)).toEqual(spellings.map(() => scheme));
    expect(spellings.map(networkNamed)).toEqual(spellings.map(() => scheme.toLowerCase()));
  });

  it('is left as it is written for others', () => {
    const others = [
      ...['', 'eftpos_au', 'cartes_bancaires', 'link', 'unknown', 'eCheck', 'ELO', 'rupay'],
      ...['electronic_check', 'electronic cash', 'Delta Airlines', 'vpayments', 'Discovery Bank', 'Cupid', 'mcommerce'],
    ];
    expect(others.map(schemeNamed)).toEqual(others.map(() => undefined));
    expect(others.map(networkNamed)).toEqual(others);
  });
});

it.each([
  ['10.4', 'visa'],
  ['12.6.1', 'visa'],
  ['4853 product_not_received', 'mastercard'],
  ['4837', 'mastercard'],
  ['4866', ''],
  ['4755', ''],
  ['F24', ''],
  ['fraudulent', ''],
])('the code %s is of the network "%s"', (code, network) => {
  expect(networkOfCode(code)).toBe(network);
});
