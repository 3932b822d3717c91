import { describe, expect, it } from 'vitest';
import { toDevice } from '#payments/fraud/check/subject.ts';
import { changedLists, type SentLists } from '#payments/fraud/lists/list-fields.ts';
import { emptyLists, type FraudLists, listVerdict, maxEntries, watchedFacts } from '#payments/fraud/lists/lists.ts';
import { fromListsItem, toListsItem } from '#payments/fraud/lists/lists-row.ts';
import { anonymousSubject, aSubject, keptCard } from './samples.ts';

const number = '4242424242424242';
const fakeToken = (digits: string) => `token-of-${digits.length}-${digits.slice(-4)}`;
const changed = (sent: SentLists, lists: FraudLists = emptyLists) => changedLists(lists, sent, fakeToken);

describe('lists', () => {
  it.each([
    ['email', { emails: ['ANNA@shop.example'] }],
    ['ip', { ips: ['::ffff:203.0.113.7'] }],
    ['country', { countries: ['us'] }],
    ['bin', { bins: ['424242'] }],
    ['card', { cards: ['4242 4242 4242 4242'] }],
  ])('know a subject by its %s', (word, list) => {
    const subject = aSubject({ card: keptCard({ token: fakeToken(number) }) });
    expect(listVerdict(changed({ block: list }), subject)).toEqual({
      decision: 'REJECT',
      reasons: [`blocked_${word}`],
    });
    expect(listVerdict(changed({ allow: list }), subject)).toEqual({
      decision: 'ACCEPT',
      reasons: [`allowed_${word}`],
    });
    expect(listVerdict(changed({ block: list }), anonymousSubject())).toBeUndefined();
    expect(listVerdict(changed({ watch: list }), subject)).toBeUndefined();
    const fact = `watched(${word})`;
    expect(watchedFacts(changed({ watch: list }), subject)).toMatchObject({ [fact]: true });
    expect(watchedFacts(changed({ watch: list }), anonymousSubject())).toMatchObject({ [fact]: null });
    expect(watchedFacts(changed({ block: list, allow: list }), subject)).toMatchObject({ [fact]: null });
  });

  it.each([
    ['bad.guy@gmail.com', ['badguy@gmail.com', 'bad.guy+1@gmail.com', 'BAD.GUY@googlemail.com', 'b.a.d.guy@gmail.com']],
    ['anna@outlook.com', ['anna+shop@outlook.com']],
    ['anna@yahoo.com', ['anna-shop@yahoo.com']],
    ['info@müller.de', ['info@xn--mller-kva.de', 'INFO@MÜLLER.DE']],
    ['*@mailinator.com', ['x@mailinator.com', 'Y@Mailinator.com']],
    ['@mailinator.com', ['x@mailinator.com']],
  ])('know a payer on the list as %s by each spelling of the mailbox', (entry, addresses) => {
    const lists = changed({ block: { emails: [entry] } });
    for (const email of [entry, ...addresses].filter((one) => !/^\*?@/.test(one))) {
      expect(listVerdict(lists, aSubject({ payer: { ...aSubject().payer, email } })), email).toMatchObject({
        decision: 'REJECT',
      });
    }
  });

  it.each([
    ['anna@shop.example', 'anna+1@shop.example'],
    ['anna@shop.example', 'an.na@shop.example'],
    ['anna@outlook.com', 'an.na@outlook.com'],
    ['*@mailinator.com', 'x@notmailinator.com'],
    ['*@mailinator.com', 'x@sub.mailinator.com'],
  ])('of %s do not hold %s, who may be another person', (entry, email) =>
    expect(
      listVerdict(changed({ block: { emails: [entry] } }), aSubject({ payer: { ...aSubject().payer, email } })),
    ).toBeUndefined(),
  );

  it.each([
    ['203.0.113.9', ['203.0.113.9, 10.0.0.1', '10.0.0.1, 203.0.113.9', '203.0.113.9:8080', 'for="203.0.113.9"']],
    [
      '203.0.113.9',
      ['100.64.1.2, 203.0.113.9', 'proto=https;for=203.0.113.9:4711;by=10.0.0.1', 'unknown, 203.0.113.9'],
    ],
    ['2001:db8::1', ['2001:db8::ffff', '[2001:db8::2]:443', '2001:db8::3%eth0', '2001:DB8:0:0:1::']],
    ['203.0.113.0/24', ['203.0.113.255', '::ffff:203.0.113.4']],
    ['2001:db8:ab00::/40', ['2001:db8:abcd::1']],
  ])('know a payer on the list as %s by each form of the address', (entry, addresses) => {
    const lists = changed({ block: { ips: [entry] } });
    for (const ip of addresses) {
      expect(listVerdict(lists, aSubject({ device: toDevice({ ip }) })), ip).toMatchObject({ decision: 'REJECT' });
    }
    for (const ip of ['203.0.114.9', '2001:db9::1', '10.0.0.1', 'unknown']) {
      expect(listVerdict(lists, aSubject({ device: toDevice({ ip }) })), ip).toBeUndefined();
    }
  });

  it('know a card by its first eight digits, where these are known', () => {
    const lists = changed({ block: { bins: ['42424242'] } });
    expect(listVerdict(lists, aSubject({ bin: '42424242' }))).toMatchObject({ reasons: ['blocked_bin'] });
    for (const bin of ['42424243', null]) expect(listVerdict(lists, aSubject({ bin }))).toBeUndefined();
  });

  it.each<[SentLists['block'] & object]>([
    [{ emails: ['*mailinator.com'] }],
    [{ emails: ['a*b@example.com'] }],
    [{ emails: ['*@*'] }],
    [{ emails: ['nobody'] }],
    [{ ips: ['203.0.113.0/33'] }],
    [{ ips: ['0.0.0.0/0'] }],
    [{ ips: ['203.0.113'] }],
    [{ bins: ['4242424'] }],
    [{ bins: ['999999'] }],
  ])('refuse an entry that would match nobody, or nearly everybody: %j', (block) =>
    expect(() => changed({ block })).toThrow(/block\.\w+\.0: must be/),
  );

  it('report that others are not watched, and nothing where none is', () => {
    const watch = { emails: ['eve@shop.example'], ips: ['10.0.0.1'], countries: ['KP'], cards: [number] };
    expect(watchedFacts(changed({ watch }), aSubject())).toEqual({
      'watched(card)': false,
      'watched(email)': false,
      'watched(ip)': false,
      'watched(country)': false,
      'watched(bin)': null,
    });
  });

  it('are read back from a row that was written before anybody could be watched', () => {
    const { watch, ...before } = changed({ block: { bins: ['424242'] } });
    // Rows of then had no version either.
    const { schemaVersion, ...old } = toListsItem(12, emptyLists);
    expect(schemaVersion).toBe(2);
    const item = { ...old, lists: before };
    expect(fromListsItem(item)).toEqual({ ...before, watch });
    expect(listVerdict(fromListsItem(item), aSubject())).toMatchObject({ decision: 'REJECT' });
  });

  it('refuse who is on both, saying everything they are known by', () => {
    const lists = changed({ block: { bins: ['424242'], countries: ['US'] }, allow: { emails: ['anna@shop.example'] } });
    expect(listVerdict(lists, aSubject())).toEqual({
      decision: 'REJECT',
      reasons: ['blocked_country', 'blocked_bin'],
    });
  });

  it('know a card by a fingerprint of an earlier key', () => {
    const lists = changed({ block: { cards: [number] } });
    expect(listVerdict(lists, aSubject())).toBeUndefined();
    expect(listVerdict(lists, aSubject({ earlierTokens: [fakeToken(number)] }))).toMatchObject({ decision: 'REJECT' });
  });

  it('replace the fields that are sent, without duplicates, and keep the others', () => {
    const lists = changed({ block: { ips: ['10.0.0.1', '::FFFF:10.0.0.1'], bins: ['400000'] } });
    expect(lists.block).toMatchObject({ ips: ['10.0.0.1'], bins: ['400000'] });
    expect(changed({ block: { ips: [] } }, lists).block).toMatchObject({ ips: [], bins: ['400000'] });
    expect(changed({}, lists)).toEqual(lists);
  });

  it('keep a card by its token, never its number, and take the token again', () => {
    const lists = changed({ block: { cards: [number] } });
    expect(lists.block.cards).toEqual([{ token: fakeToken(number), card: '424242******4242' }]);
    expect(JSON.stringify(lists)).not.toContain(number);
    expect(changed({ allow: { cards: [fakeToken(number)] } }, lists).allow.cards).toEqual(lists.block.cards);
    const watching = changed({ watch: { cards: [number] } });
    expect(changed({ block: { cards: [fakeToken(number)] } }, watching).block.cards).toEqual(lists.block.cards);
  });

  it('name what is wrong by its place and do not repeat it', () => {
    const wrong = () =>
      changed({
        block: { cards: ['4242424242424241', 'x'], emails: ['a@b', 'no address'], ips: ['1.2.3'] },
        allow: { countries: ['XX'], bins: ['42424'] },
        watch: { emails: ['nobody'] },
      });
    expect(wrong).toThrow(
      /^block\.cards\.0: .*; block\.cards\.1: .*; block\.emails\.1: .*; block\.ips\.0: .*; allow\.countries\.0: .*; allow\.bins\.0: [^;]*; watch\.emails\.0: [^;]*$/,
    );
    expect(wrong).not.toThrow('42424');
  });

  it(`have at most ${maxEntries} entries together`, () => {
    const ips = Array.from({ length: maxEntries }, (_, index) => `10.0.${index >> 8}.${index & 255}`);
    expect(changed({ block: { ips } }).block.ips.length).toBe(maxEntries);
    expect(() => changed({ block: { ips }, allow: { bins: ['424242'] } })).toThrow('together');
    expect(() => changed({ block: { ips }, watch: { bins: ['424242'] } })).toThrow('together');
  });
});
