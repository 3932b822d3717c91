import * as v from 'valibot';
import { iso, milliseconds } from '#core/kernel/clock.ts';
import type { DisputesOf } from '../ports/account.ts';
import {
  type DisputeAnswer,
  type DisputePort,
  type DisputesAnswer,
  foundAndUnread,
  unreadableDispute,
} from '../ports/dispute.ts';
import { type DisputePeriod, type PartOfDisputes, readNewestPart } from '../ports/dispute-parts.ts';
import { disputeOfBraintree } from './braintree-disputes.ts';
import {
  acceptAtBraintree,
  type BraintreeMemory,
  braintreeMemory,
  submitToBraintree,
} from './braintree-evidence-client.ts';
import { askBraintree, type BraintreeKeys, globalId, searchBraintreePage } from './braintree-exchange-client.ts';

/** Disputes of a Braintree account. */
export const braintreeDisputes = (credentials: BraintreeKeys, memory: BraintreeMemory): DisputePort => ({
  look: (reference) => readBraintreeDispute(credentials, reference),
  since: (from, before) => since(credentials, from, before),
  submit: (reference, evidence) => submitToBraintree({ credentials, reference, memory }, evidence),
  accept: (reference) => acceptAtBraintree({ credentials, reference }),
});

const readBraintreeDispute = async (credentials: BraintreeKeys, reference: string): Promise<DisputeAnswer> => {
  const global = await globalId(credentials, reference, 'DISPUTE');
  if ('outcome' in global) return absentOr(global);
  const answer = await askBraintree(credentials, { document: 'dispute', variables: { id: global.id }, kind: 'pay' });
  if ('outcome' in answer) return absentOr(answer);
  const found = disputeOfBraintree(answer.data['node']);
  return found ? { found } : unreadableDispute('braintree');
};

const absentOr = (failure: { outcome: string; code?: string; detail?: string }): DisputeAnswer =>
  failure.code === 'not_found_at_processor' ? { found: null } : { unknown: failure.detail ?? 'braintree' };

const readId = (node: unknown): string => {
  const { success, output } = v.safeParse(v.object({ legacyId: v.string() }), node);
  return success ? output.legacyId : '';
};

const utcDay = (at: number): string => iso(at).slice(0, 'YYYY-MM-DD'.length);

/** Pages of fifty that are read at once. */
const maxPages = 10;

/** Braintree searches by days. */
const listDays = async (
  credentials: BraintreeKeys,
  { from, before, isLeast }: DisputePeriod,
): Promise<PartOfDisputes> => {
  const last = before === undefined ? {} : { lessThanOrEqualTo: utcDay(Date.parse(before) - 1) };
  const input = { receivedDate: { greaterThanOrEqualTo: utcDay(Date.parse(from)), ...last } };
  const nodes: unknown[] = [];
  let after: string | null = null;
  for (let page = 1; page <= maxPages || isLeast; page += 1) {
    const search = { document: 'disputes', input } as const;
    const found: Awaited<ReturnType<typeof searchBraintreePage>> = await searchBraintreePage(
      credentials,
      search,
      after,
    );
    if ('unasked' in found) return { unknown: found.unasked };
    nodes.push(...found.nodes);
    if (found.next === null)
      return foundAndUnread(
        'braintree',
        nodes.map((node) => ({ reference: readId(node), dispute: disputeOfBraintree(node) })),
      );
    after = found.next;
  }
  return 'more';
};

const since = (credentials: BraintreeKeys, from: string, before: string | undefined): Promise<DisputesAnswer> =>
  readNewestPart(from, { before, least: milliseconds.day }, (period) => listDays(credentials, period));

export const braintreeDisputesOf: DisputesOf = ({ open, scope }) =>
  braintreeDisputes(open('braintree'), braintreeMemory(scope));
