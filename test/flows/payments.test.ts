import { describe, expect, it } from 'vitest';
import { expectNoErrors } from '#test/support/personas.ts';
import { useStack } from '#test/support/stack.ts';
import { openShop, type Result } from '#test/support/storefront.ts';

/** Payments from the first call to the last postback, as a shop makes them. */
const service = await useStack({ startTime: '2026-05-02T10:00:00Z' });
const shop = openShop(service);

const told = async ({ txid }: Pick<Result, 'txid'>): Promise<string[]> =>
  (await shop.postbacks(txid)).map(({ tx_action, status }) => `${tx_action} ${status}`);

describe('a payment', () => {
  it.each(['json', 'form'] as const)('is sent as %s, read again and posted back', async (format) => {
    const paid = await shop.pay('12.00', { tid: `order ${format}`, ref1: 'ärger & 茶' }, format);
    expect(paid).toMatchObject({ status: 'OK', tx_action: 'PAYMENT', amount: 12, ref1: 'ärger & 茶' });
    expect(await shop.status(paid.txid)).toMatchObject(paid);
    expect(await told(paid)).toEqual(['PAYMENT OK']);
  });

  it('is made in currencies with other decimals than two, and refunded in them', async () => {
    const yen = await shop.pay('1200', { currency: 'JPY' });
    const dinar = await shop.pay('1.205', { currency: 'KWD' });
    expect([yen.status, yen.amount, dinar.status, dinar.amount]).toEqual(['OK', 1200, 'OK', 1.205]);
    expect(await shop.refund(dinar.txid, '0.205', { currency: 'KWD' })).toMatchObject({ status: 'OK', amount: 0.205 });
    expect((await shop.tryRefund(yen.txid, { amount: '1.5', currency: 'JPY' })).status).toBe(400);
  });

  it('sent twice under one tid is made once, and another body under it is refused', async () => {
    const first = await shop.pay('13.00', { tid: 'order 13' });
    expect(await shop.pay('13.00', { tid: 'order 13' }, 'form')).toEqual(first);
    const other = await shop.send(`${shop.path}/singletx`, shop.orderOf('14.00', { tid: 'order 13' }));
    expect([other.status, other.body['error_code']]).toEqual([409, 'tid_reused']);
    expect(await told(first)).toEqual(['PAYMENT OK']);
  });

  it('is refunded in parts, each posted back, and no further than it goes', async () => {
    const paid = await shop.pay('20.00');
    const parts = [await shop.refund(paid.txid, '5.00'), await shop.refund(paid.txid, '7.50', { tid: 'part two' })];
    expect(parts).toMatchObject([
      { status: 'OK', tx_action: 'REFUND', amount: 5, parent_txid: paid.txid, sid: shop.sid, pay_method: 'VISA' },
      { status: 'OK', tx_action: 'REFUND', amount: 7.5, parent_txid: paid.txid, tid: 'part two' },
    ]);
    const over = await shop.tryRefund(paid.txid, { amount: '7.51' });
    expect([over.status, over.body['details']]).toEqual([409, 'amount: 7.50 USD of 20.00 USD can be refunded.']);
    expect(await shop.refund(paid.txid, '7.50', { tid: 'part two' })).toEqual(parts[1]);
    expect(await shop.refund(paid.txid, '7.50')).toMatchObject({ status: 'OK' });
    expect((await shop.tryRefund(paid.txid, { amount: '0.01' })).status).toBe(409);
    for (const { txid } of parts) expect(await told({ txid })).toEqual(['REFUND OK']);
    expect(await shop.status(parts[0]?.txid ?? 0)).toMatchObject({ status: 'OK', tx_action: 'REFUND', amount: 5 });
    expect(await shop.status(paid.txid)).toMatchObject({ status: 'OK', tx_action: 'PAYMENT', amount: 20 });
  });

  it('that is declined is a result, posted back too', async () => {
    const declined = await shop.pay('10.00', { card_no: '4000 0000 0000 9995' });
    expect(declined).toMatchObject({ status: 'EXC', error_code: 'insufficient_funds' });
    expect(await told(declined)).toEqual(['PAYMENT EXC']);
    const refused = await shop.tryRefund(declined.txid, { amount: '10.00' });
    expect([refused.status, refused.body['details']]).toEqual([409, 'The payment failed.']);
  });

  it('whose refunds fail leaves its money where it is, and says why', async () => {
    const paid = await shop.pay('10.65');
    const failed = await shop.refund(paid.txid, '10.65');
    expect(failed).toMatchObject({ status: 'EXC', tx_action: 'REFUND', error_code: 'refund_failed' });
    expect(await told(failed)).toEqual(['REFUND EXC']);
    expect((await shop.tryRefund(paid.txid, { amount: '10.66' })).body['details']).toContain('10.65 USD of 10.65 USD');
  });
});

describe('an authorisation', () => {
  it('is captured once as a whole, and then refunded like a payment', async () => {
    const held = await shop.pay('30.00', { tx_action: 'PREAUTH' });
    expect(held).toMatchObject({ status: 'OK', tx_action: 'PREAUTH' });
    const captured = await shop.capture(held.txid, '30.00');
    expect(captured).toMatchObject({ status: 'OK', tx_action: 'CAPTURE', parent_txid: held.txid, amount: 30 });
    expect(await told(captured)).toEqual(['CAPTURE OK']);
    expect(await shop.refund(held.txid, '10.00')).toMatchObject({ status: 'OK', tx_action: 'REFUND', amount: 10 });
  });

  it('that is refunded before its capture is voided, as a whole only', async () => {
    const held = await shop.pay('31.00', { tx_action: 'PREAUTH' });
    expect((await shop.tryRefund(held.txid, { amount: '30.00' })).body['details']).toContain(
      'can only be voided in full',
    );
    const voided = await shop.refund(held.txid, '31.00');
    expect(voided).toMatchObject({ status: 'OK', tx_action: 'VOID', amount: 31 });
    expect(await told(voided)).toEqual(['VOID OK']);
    expect((await shop.tryRefund(held.txid, { amount: '31.00' })).status).toBe(409);
  });
});

describe('a payment that is not decided at once', () => {
  it('(.61) is decided a minute later', async () => {
    const pending = await shop.pay('10.61');
    expect(pending.status).toBe('PEND');
    expect(await told(pending)).toEqual([]);
    await service.clock.advance('PT2M');
    expect(await told(pending)).toEqual(['PAYMENT OK']);
    expect(await shop.status(pending.txid)).toMatchObject({ status: 'OK' });
  });

  it('(.62) whose answer was lost is found by a requery, and by the service itself', async () => {
    const [asked, waited] = [await shop.pay('10.62'), await shop.pay('11.62')];
    expect([asked.status, waited.status]).toEqual(['PEND', 'PEND']);
    expect(await shop.requery(asked.txid)).toMatchObject({ status: 'OK' });
    await service.clock.advance('PT2M');
    expect([await told(asked), await told(waited)]).toEqual([['PAYMENT OK'], ['PAYMENT OK']]);
  });

  it('(.66) that never arrived fails once that is certain', async () => {
    const [asked, waited] = [await shop.pay('10.66'), await shop.pay('11.66')];
    expect(asked.status).toBe('PEND');
    const found = await shop.requery(asked.txid);
    expect(found).toMatchObject({ status: 'EXC', error_code: 'not_found_at_processor' });
    await service.clock.advance('PT5M');
    expect([await told(asked), await told(waited)]).toEqual([['PAYMENT EXC'], ['PAYMENT EXC']]);
    expect((await shop.tryRefund(waited.txid, { amount: '11.66' })).status).toBe(409);
  });

  it.each([
    ['approve', 'OK', undefined],
    ['decline', 'EXC', 'authentication_failed'],
  ])('(.63) settles as soon as its payer has answered the hosted page: %s', async (answer, status, error) => {
    const pending = await shop.pay('10.63', { dynamic_descriptor: 'TEA * 63' });
    expect(pending).toMatchObject({ status: 'PEND', next_action: { type: 'redirect' } });
    const url = pending.next_action?.url ?? '';
    expect(await (await fetch(url)).text()).toContain('10.63 USD');
    expect((await fetch(url, { method: 'POST', body: new URLSearchParams({ answer }) })).status).toBe(200);
    expect(await told(pending)).toEqual([`PAYMENT ${status}`]);
    expect(await shop.status(pending.txid)).toMatchObject({ status, ...(error && { error_code: error }) });
  });

  it('(.64) takes the code by any of its formats, once it is right', async () => {
    const pending = await shop.pay('10.64');
    expect(pending).toMatchObject({ status: 'PEND', next_action: { type: 'otp', channel: 'SMS' } });
    expect(await shop.authenticate(pending.txid, '000000')).toMatchObject({
      status: 'PEND',
      next_action: { type: 'otp' },
    });
    expect(await shop.resend(pending.txid)).toMatchObject({ status: 'PEND', next_action: { type: 'otp' } });
    expect(await shop.authenticate(pending.txid, '111111', 'form')).toMatchObject({ status: 'PEND' });
    const paid = await shop.authenticate(pending.txid, '123456');
    expect(paid).toMatchObject({ status: 'OK' });
    expect(await shop.authenticate(pending.txid, '123456', 'json')).toEqual(paid);
    expect(await told(pending)).toEqual(['PAYMENT OK']);
  });

  it('fails at the third wrong code (amount .64)', async () => {
    const { txid } = await shop.pay('11.64');
    const tried: Result[] = [];
    for (const code of ['1', '2', '3']) tried.push(await shop.authenticate(txid, code));
    expect(tried.map(({ status }) => status)).toEqual(['PEND', 'PEND', 'EXC']);
    expect(tried[2]).toMatchObject({ error_code: 'authentication_failed' });
    expect(await shop.authenticate(txid, '123456')).toEqual(tried[2]);
    expect(await told({ txid })).toEqual(['PAYMENT EXC']);
  });

  it('is not lost by a restart, nor are its refund, its page or its postback', async () => {
    const paid = await shop.pay('40.00');
    const pending = [await shop.pay('12.61'), await shop.pay('12.62'), await shop.pay('12.66')];
    const page = await shop.pay('12.63');
    const refund = await shop.refund(paid.txid, '1.61');
    expect(refund.status).toBe('PEND');
    await service.restart();
    await service.clock.advance('PT5M');
    await service.restart();
    expect((await fetch(page.next_action?.url ?? '')).status).toBe(200);
    const outcomes = await Promise.all([...pending, refund].map(({ txid }) => shop.status(txid)));
    expect(outcomes.map(({ status }) => status)).toEqual(['OK', 'OK', 'EXC', 'OK']);
    expect((await shop.tryRefund(paid.txid, { amount: '38.40' })).body['details']).toContain('38.39 USD of 40.00 USD');
  });
});

it('goes by without a complaint of the stack or an error of a function', () => expectNoErrors(service));
