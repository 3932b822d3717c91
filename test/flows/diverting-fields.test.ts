import { expect, it } from 'vitest';
import type { Operation } from '#core/platform/operation/operation.ts';
import { operations } from '#functions/operations.ts';
import { declaredFields } from '#test/support/declared-fields.ts';

/** Operations that accept an address, an endpoint, a key or a URL either divert something, or are listed here with the reason why not. */

const destination =
  /(^|_)(url|uri|endpoint|webhook|host|domain|origin|issuer|emails?|email_list|cc_list|keys?|secret|p256dh)(_|$)|apiurl|emaildomain|reportemail/;

const harmless: Readonly<Record<string, string>> = {
  'fraud/set-fraud-lists': 'payers’ addresses are compared with these; nothing is sent to them',
  'merchants/create-retailer': 'the retailer is new, so nothing was sent to another address before',
  'orders/create-order': 'facts about a purchase, which issuers see; nothing is sent to them',
  'orders/update-order': 'facts about a purchase, which issuers see; nothing is sent to them',
};

const listTargets = ({ body }: Operation): string[] =>
  declaredFields(body)
    .map(({ path }) => path)
    .filter((path) => destination.test(path.split('.').findLast((part) => part !== '*') ?? ''));

const accepting: Operation[] = operations.filter(
  (operation: Operation) => ['bearer', 'admin'].includes(operation.auth) && listTargets(operation).length > 0,
);
const fullName = ({ area, name }: Operation): string => `${area}/${name}`;

it.each(accepting)('$area/$name diverts something, or says why its destinations are harmless', (operation) => {
  const isExplained = operation.diverts !== undefined || harmless[fullName(operation)] !== undefined;
  expect(isExplained, listTargets(operation).join(', ')).toBe(true);
});

it('lists only reasons for operations that need one', () => {
  const needed = accepting.filter(({ diverts }) => !diverts).map(fullName);
  expect(Object.keys(harmless).sort()).toEqual(needed.sort());
});
