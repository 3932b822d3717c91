import * as v from 'valibot';
import { isObject } from '#core/kernel/is-object.ts';
import { numbers, texts } from '#core/kernel/schema/shape-fields.ts';
import type { Item, Write } from '#core/platform/table/item.ts';
import { keys } from '#core/platform/table/keys.ts';
import { defineRow } from '#core/platform/table/row.ts';
import { RuleActionShape } from '#disputes/alerts/stored-shapes.ts';
import type { ProviderAlert } from '#disputes/providers/providers.ts';
import type { ConditionGroup } from '#payments/conditions/condition-reader.ts';
import { isInformational } from '../alert.ts';
import type { RuleAction } from './actions.ts';
import { type AnyAction, type AnyRule, isInUse, type RuleBook, type RuleOwner, type RuleSubject } from './rule.ts';

const prefixes = { alerts: '', chargebacks: 'C', warnings: 'W', rdr: 'R' } as const satisfies Record<
  RuleSubject,
  string
>;

/** The name of an owner among the keys. Rules about anything but alerts have books that earlier releases do not read. */
export const ownerName = ({ mid, sid, about }: RuleOwner): string =>
  `${prefixes[about ?? 'alerts']}${sid === null ? `M${mid}` : `S${sid}`}`;

/** The owners whose rules apply to something of a site, the site itself first; a chargeback of a connection belongs to no site. */
export const ownersOf = (
  { sid, mid }: { sid: number | null; mid: number },
  about: RuleSubject = 'alerts',
): RuleOwner[] => {
  const subject = about === 'alerts' ? {} : { about };
  return [...(sid === null ? [] : [{ mid, sid, ...subject }]), { mid, sid: null, ...subject }];
};

/** The subject of the rules that apply to an alert of a type; undefined: none do. */
export const subjectOfAlert = ({ type }: Pick<ProviderAlert, 'type'>): 'alerts' | 'warnings' | undefined => {
  if (type === 'FRAUD_NOTICE') return 'warnings';
  return isInformational(type) ? undefined : 'alerts';
};

const About = v.exactOptional(v.picklist(['chargebacks', 'warnings', 'rdr']));

/** A rule as it is stored with a decision. */
export const MatchedRuleShape = v.looseObject({
  ...numbers('mid', 'id', 'version'),
  sid: v.nullable(v.number()),
  about: About,
  ...texts('name', 'mode', 'createdAt', 'updatedAt', 'by'),
  enabled: v.boolean(),
  providers: v.array(v.string()),
  action: RuleActionShape,
});

/** The tree of conditions was checked before it was stored. */
export const RuleShape = v.looseObject({ ...MatchedRuleShape.entries, conditions: v.custom<ConditionGroup>(isObject) });

const BookRow = defineRow<RuleBook<AnyAction>>({
  entity: 'RULEBOOK',
  attribute: 'book',
  schema: v.looseObject({
    owner: v.looseObject({
      mid: v.number(),
      sid: v.nullable(v.number()),
      about: About,
    }),
    version: v.number(),
    rules: v.array(RuleShape),
  }),
});

const RuleRow = defineRow<AnyRule>({
  entity: 'RULE',
  attribute: 'rule',
  schema: RuleShape,
});

/** Reads a book back; an owner without a row has an empty book. Its actions are those of what the book is about. */
export const fromBookItem = <Action extends AnyAction = RuleAction>(
  item: Item | undefined,
  owner: RuleOwner,
): RuleBook<Action> => (BookRow.find(item) as RuleBook<Action> | undefined) ?? { owner, version: 0, rules: [] };

/** Checks whether the row next to a book states that it has rules to evaluate. */
export const asksRules = (item: Item | undefined): boolean => item?.['inUse'] === true;

/** The small rows next to the books of the rules that apply to an alert. */
export const ruleHeadKeys = (site: { sid: number; mid: number }, alert: Pick<ProviderAlert, 'type'>) =>
  ownersOf(site, subjectOfAlert(alert) ?? 'alerts').map((owner) => keys.ruleHead(ownerName(owner)));

/** Reads one version of a rule back. */
export const fromRuleItem = RuleRow.read;

/**
 * Parts of a transaction: a changed book, with the small row that tells intake whether there are rules to evaluate, and
 * the new version of a rule, if one has changed. The first part's condition fails if the book was changed meanwhile.
 */
export const bookWrites = (book: RuleBook<AnyAction>, changed: AnyRule | undefined): Write[] => {
  const owner = ownerName(book.owner);
  return [
    {
      Put: {
        Item: { ...keys.ruleBook(owner), ...BookRow.stamp, version: book.version, book },
        ...(book.version === 1
          ? { ConditionExpression: 'attribute_not_exists(pk)' }
          : {
              ConditionExpression: '#version = :seen',
              ExpressionAttributeNames: { '#version': 'version' },
              ExpressionAttributeValues: { ':seen': book.version - 1 },
            }),
      },
    },
    { Put: { Item: { ...keys.ruleHead(owner), entity: 'RULEHEAD', inUse: isInUse(book) } } },
    ...(changed
      ? [{ Put: { Item: { ...keys.ruleVersion(changed.id, changed.version), ...RuleRow.stamp, rule: changed } } }]
      : []),
  ];
};
