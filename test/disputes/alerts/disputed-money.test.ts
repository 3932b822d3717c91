import { describe, expect, it } from 'vitest';
import { disputedMoney, isPartOf } from '#disputes/alerts/disputed-money.ts';

const stated = (disputeAmount: string, disputeCurrency = 'USD', amount = '', currency = 'USD') => ({
  ...{ amount, currency },
  ...{ disputeAmount, disputeCurrency },
});
const charged = { captured: 1000n, currency: 'USD' };

describe('the disputed amount of an alert', () => {
  it('is that of the transaction if the alert states no other, and unknown if it states none above zero', () => {
    expect(disputedMoney(stated('4.00', 'EUR', '10.00'))).toEqual({ minor: 400n, currency: 'EUR' });
    expect(disputedMoney(stated('', '', '10.00'))).toEqual({ minor: 1000n, currency: 'USD' });
    expect(disputedMoney(stated('0.00', 'USD', '10.00'))).toEqual({ minor: 1000n, currency: 'USD' });
    expect(disputedMoney(stated('', '', '0.00'))).toBeUndefined();
  });
});

describe('a refund for an alert', () => {
  it.each([
    ['less than the disputed amount', stated('4.00'), 399n, true],
    ['the disputed amount', stated('4.00'), 400n, false],
    ['less than the transaction, where the alert states no amount', stated(''), 999n, true],
    ['the whole transaction, where the alert states no amount', stated(''), 1000n, false],
    ['more than the disputed figure, which is in another currency', stated('4.00', 'EUR'), 500n, true],
    ['the whole transaction, where more is disputed', stated('20.00'), 1000n, true],
    ['the whole transaction, where one cent more is disputed', stated('10.01'), 1000n, true],
    ['the whole transaction, where the alert states only a larger amount', stated('', '', '10.50'), 1000n, true],
    ['the whole transaction, where the dispute is in another currency', stated('20.00', 'EUR'), 1000n, false],
  ] as const)('is in part or in full: %s', (_, alert, refunded, isPart) =>
    expect(isPartOf(alert, refunded, charged)).toBe(isPart),
  );
});
