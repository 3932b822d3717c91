import * as v from 'valibot';
import { CardReply, SiteIdField, SiteIdReply, VersionReply } from '#core/kernel/schema/field-schemas.ts';
import { Nested, WholeNumber } from '#core/kernel/schema/schema.ts';
import { AnyText, allowsCardNumbers } from '#core/kernel/schema/text.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { fraudOperation } from '../../declarations.ts';
import { maxEntries } from '../../lists/lists.ts';

const listOf = <const S extends v.GenericSchema>(entry: S) =>
  v.optional(
    v.pipe(
      v.array(entry, 'must be a list of texts'),
      v.maxLength(maxEntries, `must have at most ${maxEntries} entries`),
    ),
  );
const Values = listOf(v.pipe(AnyText, v.trim(), v.maxLength(400, 'must have at most 400 characters')));
const Cards = listOf(
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
      cards: v.pipe(
        Cards,
        v.description('Card numbers, of which a keyed digest and a mask are kept; or tokens from an earlier answer.'),
      ),
      emails: v.pipe(Values, v.description('E-mail addresses, or `*@` and a domain for all of its addresses.')),
      ips: v.pipe(
        Values,
        v.description('IP addresses, or networks such as 203.0.113.0/24. An IPv6 address stands for its /64.'),
      ),
      countries: v.pipe(Values, v.description('Two letters; compared with the billing address.')),
      bins: v.pipe(Values, v.description('The first six or eight digits of cards.')),
    },
    'must be an object of lists',
  ),
);

export const FraudListsPath = v.object({ sid: SiteIdField });

export const SetLists = v.object({
  block: v.pipe(List, v.description('Who is always refused.')),
  allow: v.pipe(List, v.description('Who is always accepted.')),
  watch: v.pipe(
    List,
    v.description('Decides nothing itself: rules of the fraud template ask for it by the fact `watched`.'),
  ),
  version: v.pipe(
    v.optional(WholeNumber(0, 1_000_000_000)),
    v.description('Of the lists that you have seen: where they have changed since, nothing is changed.'),
  ),
});

const ListDto = v.object({
  cards: v.pipe(
    v.array(v.object({ token: v.pipe(v.string(), v.description('A device’s token.')), card: CardReply })),
    v.description('Cards, as masked numbers or digests.'),
  ),
  emails: v.pipe(v.array(v.string()), v.description('E-mail addresses.')),
  ips: v.pipe(v.array(v.string()), v.description('IP addresses and networks.')),
  countries: v.pipe(v.array(v.string()), v.description('Countries (ISO 3166-1, two letters).')),
  bins: v.pipe(v.array(v.string()), v.description('The first six digits of cards.')),
});

export const ListsDto = v.object({
  sid: SiteIdReply,
  block: v.pipe(ListDto, v.description('Who is always refused.')),
  allow: v.pipe(ListDto, v.description('Who is always accepted.')),
  watch: v.pipe(ListDto, v.description('Whom rules ask for as the fact `watched`.')),
  version: VersionReply,
});

export const setFraudListsOperation = defineOperation({
  ...fraudOperation,
  name: 'set-fraud-lists',
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
});
