import { data as currencyCodes } from 'currency-codes';
import { describe, expect, it } from 'vitest';
import { isCountry } from '#core/kernel/countries.ts';
import { currencies } from '#core/kernel/money/currencies.ts';
import { isCurrency } from '#core/kernel/money/money.ts';
import type { Operation } from '#core/platform/operation/operation.ts';
import { operations } from '#functions/operations.ts';
import { addFraudTemplateOperation } from '#payments/datasources/api/add-fraud-template/operation.ts';
import { addResellerOperation } from '#payments/datasources/api/add-reseller/operation.ts';
import { addSiteCategoryOperation } from '#payments/datasources/api/add-site-category/operation.ts';
import { addSupportGroupOperation } from '#payments/datasources/api/add-support-group/operation.ts';
import { addThemeOperation } from '#payments/datasources/api/add-theme/operation.ts';
import { listCountriesOperation } from '#payments/datasources/api/list-countries/operation.ts';
import { listCurrenciesOperation } from '#payments/datasources/api/list-currencies/operation.ts';
import { listFraudTemplatesOperation } from '#payments/datasources/api/list-fraud-templates/operation.ts';
import { listPaymentMethodsOperation } from '#payments/datasources/api/list-payment-methods/operation.ts';
import { listResellersOperation } from '#payments/datasources/api/list-resellers/operation.ts';
import { listSiteCategoriesOperation } from '#payments/datasources/api/list-site-categories/operation.ts';
import { listSupportGroupsOperation } from '#payments/datasources/api/list-support-groups/operation.ts';
import { listThemesOperation } from '#payments/datasources/api/list-themes/operation.ts';
import { countries } from '#payments/datasources/country-list.ts';
import { listedCurrencies } from '#payments/payments/currency-list.ts';
import { newTenant } from '#test/accounts/merchants/tenant.ts';
import { ask, expectDeclared, useOperations } from '#test/support/operations.ts';

useOperations();

type Entry = { id: number; name: string; description: string };
const as = { mid: 1 };
const readList = async <T = Entry>(operation: Operation): Promise<T[]> => {
  const { status, body } = await ask(operation, { as });
  expect(status).toBe(200);
  const { list, totalResult } = body as { list: T[]; totalResult: number };
  expect(totalResult).toBe(list.length);
  return list;
};

describe('POST /api/v3/datasource/country', () => {
  it('has the countries of ISO 3166 with their codes and English names', async () => {
    const list = await readList<{ alpha2: string; numeric: string; name: string }>(listCountriesOperation);
    expect(list).toContainEqual({
      alpha2: 'US',
      alpha3: 'USA',
      numeric: '840',
      name: expect.stringMatching(/^United States/),
    });
    expect(list).toContainEqual({ alpha2: 'AF', alpha3: 'AFG', numeric: '004', name: 'Afghanistan' });
    expect(
      list.every(({ alpha2, numeric, name }) => /^[A-Z]{2}$/.test(alpha2) && /^\d{3}$/.test(numeric) && name),
    ).toBe(true);
    expect(new Set(list.map(({ alpha2 }) => alpha2)).size).toBe(list.length);
  });
});

it('takes as a country what the list has, and nothing else', () => {
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
  const pairs = letters.flatMap((one) => letters.map((other) => one + other));
  expect(pairs.filter(isCountry)).toEqual(countries.map(({ alpha2 }) => alpha2).sort());
});

describe('POST /api/v3/datasource/defaultcurrency', () => {
  it('has the currencies of ISO 4217 with their numbers, names and exponents', async () => {
    const list = await readList(listCurrenciesOperation);
    expect(list).toContainEqual({ code: 'JPY', numeric: '392', name: 'Yen', exponent: 0 });
    expect(list).toContainEqual({ code: 'KWD', numeric: '414', name: 'Kuwaiti Dinar', exponent: 3 });
  });

  it('agrees with the library it was made from, and with what amounts are read by', () => {
    const theirs = currencyCodes.map(({ code, number, currency, digits }) => ({
      code,
      numeric: number,
      name: currency,
      exponent: digits,
    }));
    // ISO 4217, amendments 176 and 177: the package is behind.
    const later = [
      { code: 'XAD', numeric: '396', name: 'Arab Accounting Dinar', exponent: 2 },
      { code: 'XCG', numeric: '532', name: 'Caribbean Guilder', exponent: 2 },
    ];
    const listed = [...theirs, ...later].filter(({ code }) => isCurrency(code));
    expect(listedCurrencies).toEqual(listed.sort((left, right) => (left.code < right.code ? -1 : 1)));
    expect(listedCurrencies.map(({ code }) => code)).toEqual(Object.keys(currencies).sort());
  });
});

it('has the payment methods that card_type takes', async () => {
  expect(listPaymentMethodsOperation.path).toBe('/api/v3/datasource/paymentmethods');
  const list = await readList<{ code: string }>(listPaymentMethodsOperation);
  expect(list.map(({ code }) => code)).toEqual(['VISA', 'MASTERCARD', 'AMEX', 'DISCOVER', 'DINERS', 'JCB', 'UNIONPAY']);
});

describe.each([
  [
    '/api/v3/datasource/fraudtemplate',
    listFraudTemplatesOperation,
    '/api/v3/datasource/fraudtemplate/add',
    addFraudTemplateOperation,
  ],
  ['/api/v3/datasource/reseller', listResellersOperation, '/api/v3/datasource/reseller/add', addResellerOperation],
  [
    '/api/v3/datasource/supportgroup',
    listSupportGroupsOperation,
    '/api/v3/datasource/supportgroup/add',
    addSupportGroupOperation,
  ],
  ['/api/v3/datasource/theme', listThemesOperation, '/api/v3/datasource/theme/add', addThemeOperation],
  [
    '/api/v3/datasource/sitecategory',
    listSiteCategoriesOperation,
    '/api/v3/datasource/sitecategory/add',
    addSiteCategoryOperation,
  ],
] as const)('POST %s', (path, list, addPath, add) => {
  const name = `entry of ${path}`;

  it('is where the interface has it', () => expect([list.path, add.path]).toEqual([path, addPath]));

  it('has entries from the start, and those an administrator adds', async () => {
    const before = await readList(list);
    expect(before.map(({ id }) => id)).toEqual(before.map((_, index) => index + 1));
    const { status, body } = await ask(add, { body: { name: `New ${name}`, unknown: 1 } });
    expect(status).toBe(200);
    const { status: said, id, name: named, description } = body as Entry & { status: string };
    const entry = { id, name: named, description };
    expect({ said, ...entry }).toEqual({ said: 'ok', id: expect.any(Number), name: `New ${name}`, description: '' });
    expect(await readList(list)).toEqual([...before, entry]);
  });

  it('gives each a number of its own when many are added at once', async () => {
    const added = await Promise.all(
      Array.from({ length: 6 }, (_, index) => ask(add, { body: { name: `n${index}`, description: 'd' } })),
    );
    const ids = added.map(({ body }) => (body as Entry).id);
    expect(new Set(ids).size).toBe(6);
    const listed = await readList(list);
    expect(listed.map(({ id }) => id)).toEqual([...listed.map(({ id }) => id)].sort((left, right) => left - right));
  });

  it('is read with a token and added to by an administrator only', async () => {
    expect(await ask(list, { as: 'nobody' })).toMatchObject({ status: 401 });
    expect(await ask(add, { as, body: { name: 'x' } })).toMatchObject({ status: 403 });
    expect(await ask(add, { body: { name: ' ' } })).toMatchObject({
      status: 400,
      body: { details: 'name: must not be empty' },
    });
    expect(await ask(add, { body: { name: '4111111111111111', description: '4111 1111 1111 1111' } })).toMatchObject({
      status: 400,
      body: { details: 'name: must not hold a card number; description: must not hold a card number' },
    });
  });
});

describe('ids given at creation', () => {
  it('must be in their lists; each that is not is named', async () => {
    const { mid, rid } = await newTenant();
    expect(await ask('merchants/create-merchant', { body: { name: 'x', themeid: 999_999 } })).toMatchObject({
      status: 400,
      body: { details: 'themeid: must be an id of /api/v3/datasource/theme' },
    });
    const body = { name: 'x', reseller_id: 999_999, support_group: 1, cat_id: 888_888 };
    expect(await ask('merchants/create-site', { params: { mid, rid }, body })).toMatchObject({
      status: 400,
      body: {
        details:
          'reseller_id: must be an id of /api/v3/datasource/reseller; cat_id: must be an id of /api/v3/datasource/sitecategory',
      },
    });
  });

  it('may be those that were added, and 0 for none', async () => {
    const { mid, rid } = await newTenant();
    const idOf = async (operation: Operation) =>
      ((await ask(operation, { body: { name: 'Added' } })).body as { id: number }).id;
    const themeid = await idOf(addThemeOperation);
    const merchant = await ask('merchants/create-merchant', { body: { name: 'x', themeid } });
    expect(
      await ask('merchants/merchant-details', { params: { mid: (merchant.body as { mid: number }).mid } }),
    ).toMatchObject({
      body: { themeid },
    });
    const reseller_id = await idOf(addResellerOperation);
    const site = await ask('merchants/create-site', {
      params: { mid, rid },
      body: { name: 'x', reseller_id, cat_id: 0 },
    });
    expect(await ask('merchants/site-details', { params: { sid: (site.body as { sid: number }).sid } })).toMatchObject({
      body: { reseller_id, cat_id: 0 },
    });
  });
});

it.each(operations.filter(({ area }) => area === 'datasources'))('$name declares what it does', expectDeclared);
