import { describe, expect, it } from 'vitest';
import { holdsCardNumber } from '#core/kernel/card/card-numbers.ts';
import { maskBeforeWriting } from '#core/kernel/card/mask-values.ts';
import { getItem, putItem, transact, updateItem } from '#core/platform/table/table.ts';
import { useTable } from '#test/support/table.ts';

useTable();
const card = '4242424242424242';
const mask = '424242******4242';
const key = (name: string) => ({ pk: name, sk: 'X' });

describe('the table', () => {
  it('stores no card number, whichever call writes the row', async () => {
    await putItem({ ...key('put'), note: `paid with ${card}`, nested: { texts: [card, { [card]: 1 }] } });
    await updateItem({
      Key: key('update'),
      UpdateExpression: 'SET note = :note',
      ExpressionAttributeValues: { ':note': card },
    });
    await transact({ one: { Put: { Item: { ...key('transact'), note: '4242 4242 4242 4242' } } } });
    expect(await getItem(key('put'))).toMatchObject({
      note: `paid with ${mask}`,
      nested: { texts: [mask, { [mask]: 1 }] },
    });
    expect(await getItem(key('update'))).toMatchObject({ note: mask });
    expect(await getItem(key('transact'))).toMatchObject({ note: mask });
  });
});

describe('what is written', () => {
  it('is not copied if it contains no card number', () => {
    const row = {
      ...key('ALERT#1151234567890123'),
      list: ['2026-05-02T10:00:00.000Z', { id: 1151234567890123 }],
      n: 1n,
    };
    expect(maskBeforeWriting(row)).toBe(row);
  });

  it('leaves keys, sealed values and references unchanged', () => {
    const row = {
      ...{ sealed: `k1.${card}`, reference: card, processorReference: card, references: [card] },
      ...{ network_transaction_id: '378282246310005', bytes: new Uint8Array([1]), set: new Set([card]) },
      total: 4242424242424242,
    };
    expect(maskBeforeWriting(row)).toBe(row);
  });

  it.each([
    ['a GTIN-13', '4006381333908'],
    ['a German telephone number', '+49 1512 3456704'],
    ['an Indonesian telephone number', '+62 812-3456-78901'],
    ['a time in milliseconds', '1764150000000'],
    ['an acquirer reference number', '24692161070000622606414'],
    ['a number of ours', '1151234567890123'],
    ['a wrong check digit', '4242424242424241'],
    ['a length that the scheme does not have', '424242424242424'],
  ])('keeps %s', (_, text) => {
    expect(maskBeforeWriting(text)).toBe(text);
  });
});

it('finds no card in an international telephone number, but finds one in a longer number after a plus sign', () => {
  expect(holdsCardNumber('+4915123456704')).toBe(false);
  expect(holdsCardNumber(`+${card}`)).toBe(true);
});
