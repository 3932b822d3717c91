import * as v from 'valibot';
import { networkNamed } from '#core/kernel/card/schemes.ts';
import { redactText } from '#core/platform/log/redaction.ts';
import {
  type DisputeStage,
  type DisputeStatus,
  disputeStages,
  type ProcessorDispute,
  unmappedStanding,
} from '../ports/dispute.ts';
import {
  DecimalText,
  describeIssues,
  OptionalFlag,
  perhaps,
  readServiceAmount,
  ServiceText,
  ServiceTime,
  within,
} from './http-messages.ts';

/** Disputes as a merchant's own service reports them. docs/guides/connect-your-service.md describes them. Pure. */

/** Other words of services for the stages, without signs. */
const stageWords: Readonly<Record<string, DisputeStage>> = {
  ...{ retrieval: 'inquiry', requestforinformation: 'inquiry', prearbitration: 'arbitration' },
};

/** A day lasts until its end. */
const Deadline = v.pipe(
  v.string(),
  v.transform((value) => (/^\d{4}-\d\d-\d\d$/.test(value) ? `${value}T23:59:59Z` : value)),
  ServiceTime,
);

const Dispute = v.looseObject({
  reference: v.pipe(ServiceText, v.minLength(1, 'is empty'), v.maxLength(200, 'is longer than 200 characters')),
  charge: v.pipe(ServiceText, v.minLength(1, 'is empty'), v.maxLength(200, 'is longer than 200 characters')),
  status: v.pipe(
    v.string(),
    v.transform((one) =>
      one
        .trim()
        .toLowerCase()
        .replace(/[\s-]+/g, '_'),
    ),
  ),
  stage: perhaps(
    v.pipe(
      v.string(),
      v.transform((one) => one.toLowerCase().replace(/[^a-z]/g, '')),
      v.transform((one) => (Object.hasOwn(stageWords, one) ? stageWords[one] : one)),
      v.picklist(disputeStages, `must be one of ${disputeStages.join(', ')}`),
    ),
  ),
  amount: DecimalText,
  currency: v.pipe(v.string(), v.trim(), v.toUpperCase()),
  opened_at: ServiceTime,
  due_by: perhaps(Deadline),
  reason_code: within(60),
  network: within(30),
  money_taken: OptionalFlag,
});

/** Other words of services for the statuses. */
const statuses: Readonly<Record<string, DisputeStatus>> = {
  open: 'open',
  needs_response: 'open',
  under_review: 'under_review',
  submitted: 'under_review',
  won: 'won',
  lost: 'lost',
  accepted: 'accepted',
  refunded_by_network: 'refunded_by_network',
};

type Read = v.InferOutput<typeof Dispute>;

/** The money of a chargeback is with the issuer until it is won; an inquiry takes none. A status that is not known bars refunds and books nothing. */
const httpStanding = ({ status, stage: sent, money_taken: taken }: Read) => {
  const known = Object.hasOwn(statuses, status) ? statuses[status] : undefined;
  if (known === undefined) return unmappedStanding(status);
  const stage = sent ?? ('chargeback' as const);
  const isTaken = known === 'refunded_by_network' || (known !== 'won' && stage !== 'inquiry');
  return { stage, status: known, isTaken: known === 'won' ? false : (taken ?? isTaken) };
};

/** Reads one dispute; a string names the field and the reason for which it cannot be read. */
export const readServiceDispute = (body: unknown): ProcessorDispute | string => {
  const { success, output, issues } = v.safeParse(Dispute, body);
  if (!success) return describeIssues(issues);
  const money = readServiceAmount(output.amount, output.currency);
  if (typeof money === 'string') return `amount ${money}`;
  return {
    reference: output.reference,
    payments: [output.charge],
    ...httpStanding(output),
    money,
    reasonCode: output.reason_code ?? '',
    network: networkNamed(output.network ?? ''),
    dueBy: output.due_by,
    openedAt: output.opened_at,
  };
};

const Named = v.object({ reference: v.fallback(ServiceText, '') });

/** Reads each dispute by itself, so that one of another form makes no other unusable. */
export const readServiceDisputes = (bodies: readonly unknown[]) => {
  const disputes: ProcessorDispute[] = [];
  const unreadable: { reference: string; words: string }[] = [];
  for (const [index, body] of bodies.entries()) {
    const read = readServiceDispute(body);
    if (typeof read !== 'string') {
      disputes.push(read);
      continue;
    }
    const { success, output } = v.safeParse(Named, body);
    const reference = success ? output.reference.slice(0, 200) : '';
    unreadable.push({ reference, words: redactText(`dispute ${reference || index + 1}: ${read}`) });
  }
  return { disputes, unreadable };
};

/** The largest number of disputes on a page. */
export const maxListedDisputes = 100;

/** A page of disputes; a bare list is one as well. */
export const DisputesPage = v.looseObject({
  disputes: v.pipe(
    v.array(v.unknown(), 'must be a list'),
    v.maxLength(maxListedDisputes, `has more than ${maxListedDisputes} disputes`),
  ),
  next_cursor: perhaps(v.pipe(ServiceText, v.maxLength(500))),
});
