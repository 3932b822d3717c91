import { createRequire } from 'node:module';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { emailDigest } from '#payments/fraud/scorers/minfraud-email.ts';

/** MaxMind's own library is the oracle: it hashes the addresses that it sends. */
type Library = { Email: new (email: { address: string; hashAddress: true }) => { address?: string } };
const { Email } = createRequire(import.meta.url)('@maxmind/minfraud-api-node') as Library;
const theirs = (address: string) => new Email({ address, hashAddress: true }).address;

const domains = [
  ...[
    'gmail.com',
    'GMail.com',
    'googlemail.com',
    'gamil.com',
    '123gmail.com',
    'gmail.con',
    'gmail.com.com',
    'putlook.com',
  ],
  ...[
    'yahoo.com',
    'yahoo.co.uk',
    'ymail.com',
    'y7mail.com',
    'yahoo.com.br',
    'pm.me',
    'proton.me',
    'ya.ru',
    'yandex.kz',
  ],
  ...[
    'fastmail.com',
    'ada.fastmail.com',
    'ada.eml.cc',
    'a.b.fastmail.com',
    'example.com',
    'example.comm',
    'example.co.uk',
  ],
  ...['bücher.example', 'BÜCHER.de', 'cafe\u0301.fr', 'mail.example.com'],
];
const local = fc
  .array(fc.constantFrom('ada', 'Ada', '.lovelace', '+shop', '-shop', '_x', '.b', '1815'), {
    minLength: 1,
    maxLength: 4,
  })
  .map((parts) => parts.join('').replace(/^[.+-]+/, 'a'));

it('names 200 generated addresses as MaxMind’s own library does', () => {
  const property = fc.property(local, fc.constantFrom(...domains), (name, domain) => {
    expect([name, domain, emailDigest(`${name}@${domain}`)]).toEqual([name, domain, theirs(`${name}@${domain}`)]);
  });
  fc.assert(property, { numRuns: 200, seed: 20_261_128 });
});

it.each(domains)('names an address with dots, aliases and capitals at %s as MaxMind’s own library does', (domain) => {
  for (const name of ['Ada.Lovelace+shop', 'ada-shop', 'a.d.a'])
    expect(emailDigest(`${name}@${domain}`)).toBe(theirs(`${name}@${domain}`));
});
