import { isDeepStrictEqual } from 'node:util';
import { siteVisibleTo } from '#accounts/merchants/site/site-row.ts';
import { checkTakesPayments } from '#accounts/merchants/site/site-type.ts';
import { nowIso } from '#core/kernel/clock.ts';
import { Refusal } from '#core/platform/operation/errors.ts';
import { canAccessMerchant, merchantNotFound, visibleOrRefuse } from '#core/platform/operation/merchant-access.ts';
import type { Caller } from '#core/platform/operation/operation.ts';
import { changedMeanwhile, retryOnConflict } from '#core/platform/table/conflict-store.ts';
import { keys } from '#core/platform/table/keys.ts';
import { nextNumber } from '#core/platform/table/number-store.ts';
import { getItem, queryItems, transact } from '#core/platform/table/table.ts';
import type { RuleAction } from '#disputes/alerts/automatic/actions.ts';
import {
  type AnyAction,
  type AnyRule,
  inOrder,
  maxRulesPerOwner,
  type RuleBook,
  type RuleFields,
  type RuleOwner,
  type RuleSubject,
  withChanged,
  withNew,
} from '#disputes/alerts/automatic/rule.ts';
import { bookWrites, fromBookItem, fromRuleItem, ownerName } from '#disputes/alerts/automatic/rule-row.ts';

/**
 * Returns the owner of the rules in a call: a site or, without one, a merchant. Throws site_not_found, merchant_not_found (also for what
 * the caller may not see), site_not_for_alerts, site_not_for_payments, request_invalid.
 */
export const ownerFor = async (
  { sid, mid, about }: { sid?: number | undefined; mid?: number | undefined; about?: RuleSubject | undefined },
  caller: Caller,
): Promise<RuleOwner> => {
  const subject = about === undefined || about === 'alerts' ? {} : { about };
  if ((sid === undefined) === (mid === undefined)) {
    throw new Refusal(
      'request_invalid',
      'sid: give either sid, for the rules of a site, or mid, for those of a merchant',
    );
  }
  if (sid !== undefined) {
    const site = siteVisibleTo(caller, await getItem(keys.site(sid)));
    if (about === 'chargebacks' || about === 'rdr') checkTakesPayments(site);
    else if (site.type !== 'alert') throw new Refusal('site_not_for_alerts', 'Give the site its alert settings first.');
    return { mid: site.mid, sid, ...subject };
  }
  if (mid === undefined || !canAccessMerchant(caller, mid) || !(await getItem(keys.merchant(mid)))) {
    throw merchantNotFound();
  }
  return { mid, sid: null, ...subject };
};

/** An owner's rules, in order. */
export const readBook = async <Action extends AnyAction = RuleAction>(owner: RuleOwner): Promise<RuleBook<Action>> =>
  fromBookItem(await getItem(keys.ruleBook(ownerName(owner))), owner);

type BookChange = { book: RuleBook<AnyAction>; rule: AnyRule | undefined };

/** Changes a book as read now; after a conflict, tries again on the new book. `change` returns null for no change. */
const changeBook = <T extends BookChange>(
  owner: RuleOwner,
  change: (book: RuleBook<AnyAction>) => T | null,
): Promise<T | null> =>
  retryOnConflict(
    async () => {
      const changed = change(await readBook<AnyAction>(owner));
      if (changed) await transact({ rules: bookWrites(changed.book, changed.rule) });
      return changed;
    },
    { onExhausted: changedMeanwhile },
  );

/** Makes a rule, the last of its owner's. `by`: who. Throws rules_full, changed_meanwhile. */
export const createRule = async (owner: RuleOwner, fields: RuleFields<AnyAction>, by: string): Promise<AnyRule> => {
  const [id, at] = [await nextNumber('rule'), nowIso()];
  const rule: AnyRule = { ...owner, ...fields, id, version: 1, createdAt: at, updatedAt: at, by };
  await changeBook(owner, (book) => {
    const changed = withNew(book, rule);
    if (!changed)
      throw new Refusal('rules_full', `There can be at most ${maxRulesPerOwner} rules. Change a disabled one instead.`);
    return { book: changed, rule };
  });
  return rule;
};

const ruleVisibleTo = (caller: Caller, rule: AnyRule | undefined): AnyRule =>
  visibleOrRefuse(rule, caller, 'rule_not_found', 'id: you have no such rule.');

/** A rule's first version, from which its owner is known. Throws rule_not_found, also for what the caller may not see. */
const ownerOfRule = async (id: number, caller: Caller): Promise<RuleOwner> => {
  const item = await getItem(keys.ruleVersion(id, 1));
  const { mid, sid, about } = ruleVisibleTo(caller, item && fromRuleItem(item));
  return { mid, sid, ...(about && { about }) };
};

/**
 * Makes the next version of a rule; a change without effect makes none. `seen`: the version the caller knows, if it names
 * one. Throws rule_not_found, changed_meanwhile, and whatever `change` throws.
 */
export const changeRule = async (
  id: number,
  caller: Caller,
  seen: number | undefined,
  change: (rule: AnyRule) => RuleFields<AnyAction>,
): Promise<AnyRule> => {
  let present: AnyRule | undefined;
  await changeBook(await ownerOfRule(id, caller), (book) => {
    const before = book.rules.find((rule) => rule.id === id);
    if (!before) throw new Error(`Rule ${id} is not in its owner's book`);
    if (seen !== undefined && seen !== before.version) {
      throw new Refusal('changed_meanwhile', `version: the rule is at version ${before.version}.`);
    }
    const changed: AnyRule = { ...before, ...change(before) };
    present = before;
    if (isDeepStrictEqual(changed, before)) return null;
    const rule = { ...changed, version: before.version + 1, updatedAt: nowIso(), by: caller.subject };
    present = rule;
    return { book: withChanged(book, rule), rule };
  });
  if (!present) throw new Error(`Rule ${id} was not read`);
  return present;
};

/** Puts an owner's rules into another order. Throws changed_meanwhile unless the order names each of them once. */
export const orderRules = async (
  owner: RuleOwner,
  ids: readonly number[],
): Promise<Record<'before' | 'after', readonly AnyRule[]>> => {
  let before: readonly AnyRule[] = [];
  const changed = await changeBook(owner, (book) => {
    before = book.rules;
    const ordered = inOrder(book, ids);
    if (!ordered) {
      throw new Refusal(
        'changed_meanwhile',
        `rule_ids: must name each rule once: ${book.rules.map(({ id }) => id).join(', ') || 'there are none'}.`,
      );
    }
    return { book: ordered, rule: undefined };
  });
  return { before, after: changed?.book.rules ?? [] };
};

const maxVersions = 100;

/** A rule's versions, newest first, at most the last hundred. Throws rule_not_found, also for what the caller may not see. */
export const readRuleVersions = async (id: number, caller: Caller): Promise<[AnyRule, ...AnyRule[]]> => {
  const { pk } = keys.ruleVersion(id, 1);
  const { items } = await queryItems({
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': pk },
    ConsistentRead: true,
    ScanIndexForward: false,
    Limit: maxVersions,
  });
  const [newest, ...older] = items.map(fromRuleItem);
  return [ruleVisibleTo(caller, newest), ...older];
};
