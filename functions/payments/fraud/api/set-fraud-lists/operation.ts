import * as v from 'valibot';
import { CardReply, SiteIdField, SiteIdReply, VersionReply } from '#core/kernel/schema/field-schemas.ts';
import { describeField, text } from '#core/kernel/schema/field-words.ts';
import { Nested, WholeNumber } from '#core/kernel/schema/schema.ts';
import { AnyText, allowsCardNumbers } from '#core/kernel/schema/text.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { fraudOperation } from '../../declarations.ts';
import { maxEntries } from '../../lists/lists.ts';

const entryList = <const S extends v.GenericSchema>(entry: S) =>
  v.optional(
    v.pipe(
      v.array(entry, 'must be a list of texts'),
      v.maxLength(maxEntries, `must have at most ${maxEntries} entries`),
    ),
  );
const Values = entryList(v.pipe(AnyText, v.trim(), v.maxLength(400, 'must have at most 400 characters')));
const Cards = entryList(
  v.pipe(
    v.string('must be text'),
    v.trim(),
    v.maxLength(400, 'must have at most 400 characters'),
    allowsCardNumbers('only a keyed digest and a mask of it are kept'),
  ),
);

const List = v.optional(
  Nested(
    {
      cards: describeField(
        Cards,
        'Card numbers, of which a keyed digest and a mask are kept; or tokens from an earlier answer.',
      ),
      emails: describeField(Values, 'E-mail addresses, or `*@` and a domain for all of its addresses.'),
      ips: describeField(
        Values,
        'IP addresses, or networks such as 203.0.113.0/24. An IPv6 address stands for its /64.',
      ),
      countries: describeField(Values, 'Two letters; compared with the billing address.'),
      bins: describeField(Values, 'The first six or eight digits of cards.'),
    },
    'must be an object of lists',
  ),
);

export const FraudListsPath = v.object({ sid: SiteIdField });

export const SetLists = v.object({
  block: describeField(List, 'Who is always refused.'),
  allow: describeField(List, 'Who is always accepted.'),
  watch: describeField(List, 'Decides nothing itself: rules of the fraud template ask for it by the fact `watched`.'),
  version: describeField(
    v.optional(WholeNumber(0, 1_000_000_000)),
    'Of the lists that you have seen: where they have changed since, nothing is changed.',
  ),
});

const ListDto = v.object({
  cards: describeField(
    v.array(v.object({ token: text('A device’s token.'), card: CardReply })),
    'Cards, as masked numbers or digests.',
  ),
  emails: describeField(v.array(v.string()), 'E-mail addresses.'),
  ips: describeField(v.array(v.string()), 'IP addresses and networks.'),
  countries: describeField(v.array(v.string()), 'Countries (ISO 3166-1, two letters).'),
  bins: describeField(v.array(v.string()), 'The first six digits of cards.'),
});

export const ListsDto = v.object({
  sid: SiteIdReply,
  block: describeField(ListDto, 'Who is always refused.'),
  allow: describeField(ListDto, 'Who is always accepted.'),
  watch: describeField(ListDto, 'Whom rules ask for as the fact `watched`.'),
  version: VersionReply,
});

export const setFraudListsOperation = defineOperation('fraud/set-fraud-lists', {
  ...fraudOperation,
  permission: 'payments',
  summary: 'Set the block, allow and watch lists of a payment site',
  description:
    'Each list that is sent replaces the present one, lists left out stay as they are, and an empty body only shows them. `block` and ' +
    '`allow` decide before any scorer or template; a payer on both is refused. `watch` decides nothing by itself: ' +
    'rules of the fraud template can ask for the fact `watched`.',
  path: '/api/v3/site/{sid}/fraud-lists',
  roles: ['manager'],
  params: FraudListsPath,
  body: SetLists,
  reply: ListsDto,
  errors: ['site_not_found', 'site_not_for_payments', 'changed_meanwhile'],
  grants: { table: ['BatchGetItem', 'PutItem'], secrets: ['encryption'] },
  audit: true,
  auditValues: { changed: { 'block.*': 'count', 'allow.*': 'count', 'watch.*': 'count' } },
});
