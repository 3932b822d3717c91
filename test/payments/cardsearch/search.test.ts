import * as v from 'valibot';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Site } from '#accounts/merchants/site/site.ts';
import { setClock } from '#core/kernel/clock.ts';
import { listMail } from '#payments/cardsearch/list-mail.ts';
import type { FoundTransaction } from '#payments/cardsearch/schemas.ts';
import { signVrfy } from '#payments/payments/order/hashes.ts';
import { callsDuring } from '#test/disputes/alerts/seed.ts';
import type { Answer } from '#test/support/gateway-event.ts';
import { letterText } from '#test/support/letters.ts';
import { readMails } from '#test/support/mails.ts';
import { type As, ask, expectDeclared, useOperations } from '#test/support/operations.ts';
import { aPayment, seedPayment, seedPaymentSite, visaCard } from './seed.ts';

useOperations();

const now = Date.parse('2026-05-02T10:00:00.000Z');
let site: Site;
let rcode: string;
let as: As;
beforeEach(async () => {
  setClock(() => now);
  ({ site, rcode } = await seedPaymentSite());
  as = { mid: site.mid };
});
afterEach(() => setClock());

const found = async (
  body: Record<string, unknown> | URLSearchParams = {},
  operation: string = 'cardsearch/card-transactions',
): Promise<FoundTransaction[]> => {
  const answer = await ask(operation, { as, body });
  expect(answer).toMatchObject({ status: 200 });
  return answer.body as FoundTransaction[];
};
const txids = async (body: Record<string, unknown> = {}) => (await found(body)).map(({ txid }) => txid);

const visa = '4242424242424242';
const other = '4242420000004242';
const paidOn = (day: string, number = visa) =>
  seedPayment(site, { card: visaCard(number), createdAt: `${day}T08:15:00.000Z` });

describe('a search', () => {
  it('answers results that the merchant can verify, with references and the card masked', async () => {
    const { txid } = await paidOn('2026-04-30');
    const [one] = await found({ card_no: visa });
    expect(one).toEqual({
      tid: `order-${txid}`,
      txid,
      parent_txid: txid,
      status: 'OK',
      tx_action: 'PAYMENT',
      amount: 361.56,
      amount_text: '361.56',
      currency: 'USD',
      reference: '',
      ref1: 'one',
      ref2: '',
      ref3: '',
      ref4: '',
      sid: site.sid,
      created_at: '2026-04-30T08:15:00.000Z',
      card: '424242******4242',
      card_type: 'VISA',
      vrfy: signVrfy(site.sid, rcode, { txid, status: 'OK', amount: '361.56', currency: 'USD', tx_action: 'PAYMENT' }),
    });
  });

  it('finds by number, mask and either end, newest first', async () => {
    const [early, late] = [await paidOn('2026-04-01'), await paidOn('2026-04-02')];
    const same = await paidOn('2026-04-03', other);
    const beginning = await paidOn('2026-04-04', '4242421111111112');
    const ending = await paidOn('2026-04-05', '5555555555554242');
    const [a, b, c, d, e] = [early, late, same, beginning, ending].map(({ txid }) => txid);
    expect(await txids({ card_no: visa })).toEqual([b, a]);
    expect(await txids({ card_no: '424242******4242' })).toEqual([c, b, a]);
    expect(await txids({ card_firstsix: 424242, card_lastfour: 4242 })).toEqual([c, b, a]);
    expect(await txids({ card_firstsix: 424242 })).toEqual([d, c, b, a]);
    expect(await txids({ card_lastfour: 4242 })).toEqual([e, c, b, a]);
    expect(await txids()).toEqual([e, d, c, b, a]);
    expect(await txids({ card_no: visa, card_lastfour: 1111 })).toEqual([]);
  });

  it('takes a form, and a number that JSON cannot hold', async () => {
    const { txid } = await paidOn('2026-04-30');
    expect((await found(new URLSearchParams({ card_no: visa, card_lastfour: '' })))[0]?.txid).toBe(txid);
    expect(await txids({ card_no: Number(visa) })).toEqual([txid]);
  });

  it('goes back three months, or to the month it names', async () => {
    const [old, inside, today] = [await paidOn('2026-02-01'), await paidOn('2026-02-28'), await paidOn('2026-05-02')];
    expect(await txids()).toEqual([today.txid, inside.txid]);
    expect(await txids({ month_year: 22026 })).toEqual([inside.txid, old.txid]);
    expect(await txids({ month_year: '012026' })).toEqual([]);
  });

  it("sees the caller's merchant alone; an administrator names one", async () => {
    const { txid } = await paidOn('2026-04-30');
    const { site: foreign } = await seedPaymentSite();
    expect(await ask('cardsearch/card-transactions', { as: { mid: foreign.mid }, body: {} })).toMatchObject({
      status: 200,
      body: [],
    });
    const refused = await ask('cardsearch/card-transactions', { as: { mid: foreign.mid }, body: { mid: site.mid } });
    expect(refused).toMatchObject({ status: 404, body: { msg: 'No such merchant' } });
    expect(await ask('cardsearch/card-transactions', { as, body: { mid: site.mid } })).toMatchObject({
      status: 200,
      body: [{ txid }],
    });
    expect(await ask('cardsearch/card-transactions', { body: { mid: site.mid } })).toMatchObject({
      status: 200,
      body: [{ txid }],
    });
    expect(await ask('cardsearch/card-transactions', { body: {} })).toMatchObject({
      status: 400,
      body: { details: 'mid: is required for an administrator' },
    });
  });

  it('says what is wrong without saying what was sent', async () => {
    const answer = await ask('cardsearch/card-transactions', { as, body: { card_no: '4242424242424241' } });
    expect(answer).toMatchObject({ status: 400, body: { details: 'card_no: has a wrong check digit' } });
    expect(JSON.stringify(answer.body)).not.toContain('424242');
  });

  it('reads the list and the sites, in two calls', async () => {
    await paidOn('2026-04-30');
    await paidOn('2026-04-29');
    expect(await callsDuring(() => found({ card_no: visa }))).toBe(2);
  });

  it('has no further page if a page is exactly full', async () => {
    for (const day of ['2026-04-29', '2026-04-30']) await paidOn(day);
    const ofSize = (size: number) => ask('cardsearch/card-transactions', { as, body: { size, cursor: '' } });
    expect((await ofSize(1)).headers).toHaveProperty('x-next-cursor');
    expect((await ofSize(2)).headers).not.toHaveProperty('x-next-cursor');
  });

  it('shows the newest 500, and the rest on further pages', async () => {
    const many = Array.from({ length: 505 }, (_, number) => ({
      createdAt: new Date(now - number * 1000).toISOString(),
    }));
    for (let from = 0; from < many.length; from += 101) {
      await Promise.all(many.slice(from, from + 101).map((one) => seedPayment(site, one)));
    }
    const all = await found();
    expect(all).toHaveLength(500);
    expect(all[0]?.created_at).toBe(new Date(now).toISOString());
    expect(all.at(-1)?.created_at).toBe(new Date(now - 499_000).toISOString());
    const seen: string[] = [];
    for (let cursor: string | undefined = ''; cursor !== undefined; ) {
      const page: Answer = await ask('cardsearch/card-transactions', { as, body: { size: 200, cursor } });
      expect(page).toMatchObject({ status: 200 });
      const rows = v.parse(v.array(v.object({ created_at: v.string() })), page.body);
      seen.push(...rows.map(({ created_at: at }) => at));
      const next = page.headers['x-next-cursor'];
      cursor = typeof next === 'string' ? next : undefined;
      expect(rows).toHaveLength(cursor === undefined ? 105 : 200);
    }
    expect(seen).toEqual(many.map(({ createdAt }) => createdAt));
    expect(await ask('cardsearch/card-transactions', { as, body: { cursor: 'x' } })).toMatchObject({
      status: 400,
      body: { details: expect.stringContaining('cursor') },
    });
  });
});

describe('a search with e-mail', () => {
  const mailed = (body: Record<string, unknown> = {}) => found(body, 'cardsearch/card-search-and-email');

  it('answers the same and mails each address its own transactions', async () => {
    const by = (email: string | null, minor: string) =>
      seedPayment(site, { card: visaCard(visa), email, money: { minor, currency: 'USD' } });
    await by('anna@example.com', '1111');
    await by('Anna@Example.com', '2222');
    await by('ben@example.com', '3333');
    await by(null, '4444');
    expect(await mailed({ card_no: visa, email: 'thief@example.com' })).toEqual(await found({ card_no: visa }));
    const mails = (await readMails(site)).toSorted((left, right) => (String(left.to) < String(right.to) ? -1 : 1));
    expect(mails.map(({ kind, to, sid }) => [kind, to.join().toLowerCase(), sid])).toEqual([
      ['card_search', 'anna@example.com', site.sid],
      ['card_search', 'ben@example.com', site.sid],
    ]);
    for (const { letter } of mails) expect(letter).toMatchObject({ kicker: site.merchantName });
    const [anna, ben] = mails.map(({ letter }) => letterText(letter).text);
    expect(anna).toMatch(/11\.11 USD, payment done, card 424242\*{6}4242/);
    expect(anna).toContain('22.22 USD');
    expect(anna).not.toContain('33.33');
    expect(ben).toContain('33.33 USD');
    expect(ben).not.toMatch(/11\.11|22\.22|44\.44/);
    expect(JSON.stringify(mails)).not.toContain(visa);
  });

  it('states where payers may answer, and sends nothing for a site that sends no e-mails', async () => {
    const of = async (payment: Record<string, string | number>) => {
      ({ site } = await seedPaymentSite({ payment }));
      await seedPayment(site, { card: visaCard(visa) });
      const answer = await ask('cardsearch/card-search-and-email', { as: { mid: site.mid }, body: { card_no: visa } });
      expect(answer).toMatchObject({ status: 200, body: [{ sid: site.sid }] });
      return readMails(site);
    };
    expect(await of({ emaildomain: 'Shop.example' })).toMatchObject([{ replyTo: 'payments@shop.example' }]);
    expect((await of({}))[0]).not.toHaveProperty('replyTo');
    expect(await of({ stop_send_email: 1 })).toEqual([]);
  });

  it('sends no second e-mail within ten minutes for the same search', async () => {
    await paidOn('2026-04-30');
    await Promise.all([mailed({ card_no: visa }), mailed({ card_no: visa })]);
    expect(await readMails(site)).toHaveLength(1);
    await mailed({ card_lastfour: 4242 });
    expect(await readMails(site)).toHaveLength(2);
    setClock(() => now + 10 * 60_000);
    await mailed({ card_no: visa });
    expect(await readMails(site)).toHaveLength(3);
  });

  it('sends no e-mail if it were more than fifty, and reports so', async () => {
    const addresses = Array.from({ length: 51 }, (_, number) => `payer${number}@example.com`);
    await Promise.all(addresses.map((email) => seedPayment(site, { email, card: visaCard(visa) })));
    const answer = await ask('cardsearch/card-search-and-email', { as, body: {} });
    expect(answer).toMatchObject({ status: 400, body: { details: expect.stringContaining('51 e-mail addresses') } });
    expect(await readMails(site)).toEqual([]);
  });

  it('masks a card number in the merchant’s own reference', () => {
    const letter = listMail('A shop', [aPayment(site, { card: visaCard(visa), tid: `for ${visa}` })]);
    const { text, html } = letterText(letter);
    expect(text).toContain('reference for 424242******4242');
    expect(text + html).not.toContain(visa);
    // The payer knows the shop, and has no account here.
    expect(text + html).not.toMatch(/Forewarn|dashboard|Your account/);
  });

  it('names neither descriptor nor reference of a transaction without them', () => {
    const { text } = letterText(
      listMail('A shop', [aPayment(site, { card: visaCard(visa), tid: null, descriptor: null })]),
    );
    expect(text).toContain('card 424242******4242');
    expect(text).not.toMatch(/reference|SHOP\*|null/);
  });

  it('refuses another merchant and finds by every way that the plain search knows', async () => {
    expect(await ask('cardsearch/card-search-and-email', { as, body: { mid: 1 } })).toMatchObject({ status: 404 });
    await mailed({ card_lastfour: 4242 });
    await mailed({ card_firstsix: 424242, card_lastfour: 4242 });
    await mailed({ card_firstsix: 424242 });
    expect(await mailed({ card_no: visa, card_firstsix: 1 })).toEqual([]);
  });
});

it('does what its declarations say', () => {
  expectDeclared('cardsearch/card-transactions');
  expectDeclared('cardsearch/card-search-and-email');
});
