import { expect, it } from 'vitest';
import { parse } from '#core/platform/http/parse.ts';
import { Refusal } from '#core/platform/operation/errors.ts';
import { UpdateBody } from '#disputes/alerts/api/update-alert/operation.ts';
import { ReplyUpdateSchema, TestAlertBody } from '#disputes/alerts/schemas.ts';

const parseDetails = (schema: Parameters<typeof parse>[0], sent: object): string => {
  try {
    parse(schema, sent);
  } catch (error) {
    if (error instanceof Refusal) return error.details;
    throw error;
  }
  return 'taken';
};

const wrong = { status: 'NO', reason_code: '100.001', alert_outcome_amount: '1.234', alert_outcome_currency: 'USD' };
const decimals = 'has more decimals than USD has (2)';

it.each([
  ['an update', UpdateBody, { alert_id: '7', ...wrong }, ['status', `alert_outcome_amount: ${decimals}`]],
  ['a reply', ReplyUpdateSchema, wrong, ['status', `alert_outcome_amount: ${decimals}`]],
  [
    'an update without a currency',
    UpdateBody,
    { alert_id: 'x', status: 'RESOLVED', reason_code: '100.001', alert_outcome_amount: '5' },
    ['alert_id', 'alert_outcome_amount: requires alert_outcome_currency as well'],
  ],
  [
    'a test alert',
    TestAlertBody,
    { alert_type: 'THEFT', currency: 'USD', amount: '1.234', descriptor: 'SHOP' },
    ['alert_type', `amount: ${decimals}`],
  ],
] as const)('names a wrong amount beside other mistakes: %s', (_, schema, sent, named) => {
  const details = parseDetails(schema, sent);
  for (const words of named) expect(details).toContain(words);
});

it('names what is wrong once, and takes what is right', () => {
  const update = { alert_id: '7', status: 'RESOLVED', reason_code: '100.001', alert_outcome_amount: '5' };
  expect(parseDetails(UpdateBody, { ...update, alert_outcome_currency: 'U' })).toBe(
    'alert_outcome_currency: must be a currency code of ISO 4217, such as USD',
  );
  expect(parse(UpdateBody, { ...update, alert_outcome_currency: 'USD' })).toMatchObject({
    alert_outcome_amount: '5.00',
  });
});
