import type { Claim } from '#core/kernel/card/scheme-reasons.ts';
import { isOperator } from '../app/merchant.ts';
import type { AlertRow } from '../app/operations.ts';
import { user } from '../app/session.ts';
import { translate } from '../language/translate.ts';
import { stateWords } from '../parts/badge.tsx';
import { isAtLeast } from '../parts/money.ts';
import type { Filter } from '../parts/narrow-pages.ts';
import { amountFilters, networkFilter, yesOrNo } from '../parts/narrow-pages.ts';
import { siteFilter, spanFilters } from '../parts/pages.ts';
import { adviceWords, type Verb } from './advice.ts';
import { mayAnswer, type Person } from './colleagues.ts';
import { mine } from './queue-lists.ts';
import { claimWords, findClaim } from './reason-words.ts';

const types = ['FRAUD', 'DISPUTE', 'CANCEL', 'DISPUTE_RDR', 'FRAUD_NOTICE', 'DISPUTE_NOTICE'];
const verbs: readonly Verb[] = ['refund', 'already', 'decline', 'decide'];

/** A filter by the claim, the same for all schemes. */
export const reasonFilter = <Row>(read: (row: Row) => Claim | undefined): Filter<Row> => ({
  name: 'reason',
  label: translate('Reason'),
  choices: Object.entries(claimWords).map(([value, label]) => ({ value, label })),
  keeps: (row, value) => (read(row) ?? 'other') === value,
});

/** The filters of the queue. */
export const filters: readonly Filter<AlertRow>[] = [
  {
    name: 'alert_type',
    label: translate('Type'),
    choices: types.map((value) => ({ value, label: stateWords(value) })),
  },
  reasonFilter((row: AlertRow) => findClaim(row)),
  // Alerts that await an answer get it once they are shown.
  {
    name: 'recommended',
    label: translate('Recommendation'),
    choices: verbs.map((value) => ({ value, label: adviceWords[value] })),
  },
  networkFilter,
  ...amountFilters,
  {
    name: 'card_lastfour',
    label: translate('Card ends in'),
    hint: translate('Four digits'),
    fits: /^\d{4}$/,
    keeps: ({ card }, value) => card.endsWith(value),
  },
  {
    name: 'amount',
    label: translate('Amount'),
    hint: translate('Such as 361.56'),
    fits: /^\d+\.\d+$/,
    isTyped: true,
    keeps: ({ amount }, value) => isAtLeast(amount, value) && isAtLeast(value, amount),
  },
  {
    name: 'test',
    label: translate('Test alerts'),
    choices: yesOrNo,
    keeps: ({ test }, value) => test === (value === 'true'),
  },
  siteFilter,
  ...spanFilters(translate('Received')),
];

/** The filter by the user to whom alerts are assigned. Operators have no alerts of their own. */
export const assigneeFilter = (people: readonly Person[]): Filter<unknown> => ({
  name: 'assignee',
  label: translate('Assigned to'),
  choices: [
    ...(isOperator() ? [] : [{ value: mine, label: translate('Me') }]),
    ...people
      .filter((one) => mayAnswer(one) && one.username !== user.value?.username)
      .map(({ username, name }) => ({ value: username, label: name || username })),
  ],
});

/** The fields of an alert in an exported file. */
export const alertCsv = (row: AlertRow) => ({
  alert_id: row.alert_id,
  received: row.alert_date,
  type: row.alert_type,
  status: row.status,
  assignee: row.assignee,
  reason_code: row.reason_code,
  deadline: row.deadline,
  amount: row.amount,
  currency: row.currency,
  card: row.card,
  descriptor: row.descriptor,
  site: row.site,
  retailer: row.retailer,
  issuer: row.issuer_name,
  arn: row.arn,
  provider: row.provider,
  held_txid: row.held_txid,
  refunded_by: row.refunded_by,
  rule: row.rule?.name,
  rule_result: row.rule?.result,
  rule_reason: row.rule?.reason,
});
