import { translate } from '../language/translate.ts';
import type { Comparison, RuleAbout } from './rule-facts.ts';

/** Rules to begin with. Each is tried on past alerts before it is saved, and is saved as a shadow. Pure. */

export type RuleTemplate = {
  id: string;
  name: string;
  /** Why one would want it. */
  why: string;
  conditions: { all: Comparison[] };
  action: 'refund' | 'decline' | 'review' | 'submit' | 'accept' | 'notify';
  /** Further fields of the action. */
  also?: { hold_order?: true; cancel_subscription?: true };
  /** Absent: about alerts. */
  about?: Exclude<RuleAbout, 'alerts'>;
};

const isDispute: Comparison = { fact: 'alert_type', operator: 'equal', value: 'DISPUTE' };
const amountIs = (operator: string, value: number): Comparison => ({
  fact: 'amount',
  operator,
  value,
  params: { currency: 'USD' },
});

const small: RuleTemplate = {
  id: 'small',
  name: translate('Refund small disputes'),
  why: translate('Below 25 USD, a chargeback and its fee cost more than the refund.'),
  conditions: { all: [isDispute, amountIs('lessThan', 25)] },
  action: 'refund',
};

export const ruleTemplates: readonly RuleTemplate[] = [
  small,
  {
    id: 'covered',
    name: translate('Decline fraud when the issuer is liable'),
    why: translate('After 3-D Secure the issuer is liable for fraud, so no refund is needed.'),
    conditions: {
      all: [
        { fact: 'alert_type', operator: 'equal', value: 'FRAUD' },
        { fact: 'liability_shift', operator: 'equal', value: true },
      ],
    },
    action: 'decline',
  },
  {
    id: 'large',
    name: translate('Leave large amounts to people'),
    why: translate('From 500 USD, an analyst decides. Place it before other rules.'),
    conditions: { all: [amountIs('greaterThanInclusive', 500)] },
    action: 'review',
  },
];

const inTime: RuleTemplate = {
  id: 'in-time',
  name: translate('Submit in the last hour'),
  why: translate(
    'Evidence that is not submitted by then would be late. It must include evidence that decides the dispute.',
  ),
  conditions: { all: [{ fact: 'hours_to_due', operator: 'lessThanInclusive', value: 1 }] },
  action: 'submit',
  about: 'chargebacks',
};

const chargebackTemplates: readonly RuleTemplate[] = [
  inTime,
  {
    id: 'not-worth-it',
    name: translate('Accept what costs more than it brings'),
    why: translate('By your own results: with at least 20 decided cases, contesting loses more than accepting.'),
    conditions: {
      all: [
        { fact: 'gain_over_accepting', operator: 'lessThan', value: 0 },
        { fact: 'win_cases', operator: 'greaterThanInclusive', value: 20 },
      ],
    },
    action: 'accept',
    about: 'chargebacks',
  },
];

const holdWarned: RuleTemplate = {
  id: 'hold-warned',
  name: translate('Hold orders with a fraud warning'),
  why: translate('The order is not shipped, its subscription ends, and your people are notified. Nothing is refunded.'),
  conditions: { all: [{ fact: 'amount', operator: 'greaterThan', value: 0 }] },
  action: 'notify',
  also: { hold_order: true, cancel_subscription: true },
  about: 'warnings',
};

const smallAtVisa: RuleTemplate = {
  id: 'small-at-visa',
  name: translate('Let RDR refund small amounts'),
  why: translate('Below 25 USD, a chargeback and its fee cost more than the refund.'),
  conditions: { all: [amountIs('lessThan', 25)] },
  action: 'accept',
  about: 'rdr',
};

export const templatesAbout = (about: RuleAbout = 'alerts'): readonly RuleTemplate[] => {
  if (about === 'warnings') return [holdWarned];
  if (about === 'rdr') return [smallAtVisa];
  return about === 'chargebacks' ? chargebackTemplates : ruleTemplates;
};

/** The words of the screen of rules for each kind: at its top, and if there are none. */
export const wordsAbout: Readonly<Record<RuleAbout, { lede: string; empty: string }>> = {
  alerts: {
    lede: translate(
      'Rules answer alerts automatically. A site’s own rules come first; the first rule that applies decides.',
    ),
    empty: translate(
      'There are no rules here yet. Start with a template: test it on the alerts of the last 30 days before you save it. On trial, a rule answers no alerts.',
    ),
  },
  chargebacks: {
    lede: translate(
      'Rules submit evidence, accept chargebacks or assign them. A site’s own rules come first; the first rule that applies decides.',
    ),
    empty: translate(
      'There are no rules here yet. Start with a template: test it on the chargebacks of the last year before you save it. On trial, a rule does nothing.',
    ),
  },
  warnings: {
    lede: translate(
      'Rules act on early fraud warnings: they hold the order, end the subscription or notify people, and refund only where you choose that. A site’s own rules come first; the first rule that applies decides.',
    ),
    empty: translate(
      'There are no rules here yet. Start with a template: test it on the warnings of the last 30 days before you save it. On trial, a rule does nothing.',
    ),
  },
  rdr: {
    lede: translate(
      'Visa’s Rapid Dispute Resolution refunds cardholders by rules that your acquirer enters. Write them here, test them on the past year, and send them the text.',
    ),
    empty: translate(
      'There are no rules here yet. Start with a template: test it on the disputes of the last year before you save it. Nothing happens until your acquirer has entered it.',
    ),
  },
};

const firstOf = {
  alerts: small,
  chargebacks: inTime,
  warnings: holdWarned,
  rdr: smallAtVisa,
} as const satisfies Record<RuleAbout, RuleTemplate>;

/** A template by its id; the first one for an unknown id. */
export const findTemplate = (id: string | null, about: RuleAbout = 'alerts'): RuleTemplate =>
  [...ruleTemplates, ...chargebackTemplates, holdWarned, smallAtVisa].find((one) => one.id === id) ?? firstOf[about];
