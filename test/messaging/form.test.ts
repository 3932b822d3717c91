import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeForm } from '#messaging/webhooks/delivery/form-payload.ts';

const text = fc.string({ unit: 'binary' });
const plainName = text.filter((name) => !name.endsWith('[]'));

describe('a form body', () => {
  it('is read back by any form parser, field by field, in order', () => {
    const fields = fc.dictionary(plainName, fc.oneof(text, fc.integer(), fc.double({ noNaN: true })));
    fc.assert(
      fc.property(fields, (given) => {
        const expected = Object.entries(given).map(([name, value]) => [
          name.toWellFormed(),
          String(value).toWellFormed(),
        ]);
        expect([...new URLSearchParams(encodeForm(given))]).toEqual(expected);
      }),
    );
  });

  it('carries lists and objects as JSON text in one field', () => {
    fc.assert(
      fc.property(fc.oneof(fc.array(fc.jsonValue()), fc.dictionary(fc.string(), fc.jsonValue())), (value) => {
        const carried = new URLSearchParams(encodeForm({ txdetails: value })).getAll('txdetails');
        expect(carried).toEqual([JSON.stringify(value)]);
      }),
    );
  });

  it('repeats a field whose name ends in [], once per entry', () => {
    const body = encodeForm({
      'tx_details[]': [{ userid: '7' }, 'b', 3],
      'none[]': [],
      'absent[]': null,
      'one[]': 'x',
    });
    expect([...new URLSearchParams(body)]).toEqual([
      ['tx_details[]', '{"userid":"7"}'],
      ['tx_details[]', 'b'],
      ['tx_details[]', '3'],
      ['one[]', 'x'],
    ]);
  });

  it('leaves out what is undefined, and sends what is null as empty', () => {
    expect(encodeForm({ action: 'statusupdate', comments: undefined, reason_code: null, arn: '', amount: 0 })).toBe(
      'action=statusupdate&reason_code=&arn=&amount=0',
    );
  });

  it('holds only characters that need no further escaping', () => {
    fc.assert(
      fc.property(fc.dictionary(text, text), (given) => {
        expect(encodeForm(given)).toMatch(/^[\w*.+%=&-]*$/);
      }),
    );
  });
});
