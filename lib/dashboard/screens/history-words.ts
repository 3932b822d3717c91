import type { AlertDto } from '../app/operations.ts';
import { translate } from '../language/translate.ts';
import type { ChangeLine } from '../parts/change-line.ts';
import { matchText } from '../parts/match-words.ts';
import { amountText } from '../parts/money.ts';
import { stateWords } from '../parts/state-words.ts';
import { reasonCodeText, refundMakerText } from './answer-words.ts';
import { codeWords } from './reason-words.ts';

/** The history of an alert in words. Pure. */

type Change = Pick<AlertDto['history'][number]['change'], 'from' | 'to'>;
type Values = Readonly<Record<string, unknown>>;

const valueWord = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : typeof value === 'number' ? String(value) : undefined;

const moneyWord =
  (amount: string, currency: string) =>
  (values: Values): string | undefined => {
    const text = valueWord(values[amount]);
    return text && amountText(text, valueWord(values[currency]) ?? '');
  };

const plain =
  (name: string, words: (text: string) => string = (text) => text) =>
  (values: Values): string | undefined => {
    const text = valueWord(values[name]);
    return text && words(text);
  };

const elsewhere = (values: Values): string | undefined => {
  const { date, reference } = Object(values['refunded_elsewhere']) as Values;
  return [valueWord(date), valueWord(reference)].filter(Boolean).join(', ') || undefined;
};

const chargeWord = (values: Values): string | undefined => valueWord(values['txid']) ?? valueWord(values['reference']);

const reasonText = (code: string): string => codeWords(code) ?? code;

/** The usual answer to an alert of its type, which is no advice; of a decided one it says what was done, as the status does. */
const askedWord = plain('alert_action', (text) =>
  ['REFUND', 'CANCEL', 'REVIEW'].includes(text.toUpperCase()) ? stateWords(text) : '',
);

type Line = { label: string; read: (values: Values) => string | undefined; isTime?: true };

/** All that a history shows, in this order: what was decided, the money, the claim, when, who. Other fields repeat the event itself. */
const lines: readonly Line[] = [
  { label: translate('Status'), read: plain('status', stateWords) },
  { label: translate('Answer'), read: plain('reason_code', reasonCodeText) },
  { label: translate('The alert asks for'), read: askedWord },
  { label: translate('Refunded'), read: moneyWord('alert_outcome_amount', 'alert_outcome_currency') },
  { label: translate('Acted on'), read: plain('alert_outcome_action_date'), isTime: true },
  { label: translate('Who refunded'), read: plain('refunded_by', refundMakerText) },
  { label: translate('Refunded elsewhere'), read: elsewhere },
  { label: translate('Refunded before'), read: plain('refunded_before'), isTime: true },
  { label: translate('Amount'), read: moneyWord('amount', 'currency') },
  { label: translate('Disputed'), read: moneyWord('dispute_amount', 'dispute_currency') },
  { label: translate('Reason'), read: plain('condition_code', reasonText) },
  { label: translate('Charge'), read: chargeWord },
  {
    label: translate('What fits'),
    read: (values) => (values['match'] ? matchText(values['match'] as Parameters<typeof matchText>[0]) : undefined),
  },
  { label: translate('Answer by'), read: plain('deadline'), isTime: true },
  { label: translate('Assigned to'), read: plain('assignee') },
  { label: translate('Repeats alert'), read: plain('duplicate_alertid') },
  { label: translate('Chargeback'), read: plain('chargeback_id') },
  { label: translate('Reply of the network'), read: plain('provider_outcome', stateWords) },
  { label: translate('Why'), read: plain('error') },
  { label: translate('Afterwards'), read: plain('afterwards') },
  { label: translate('Comment for the network'), read: plain('comments') },
  { label: translate('Note for colleagues'), read: plain('merchant_notes') },
];

/** What a change did, old and new values next to each other, in a fixed order. `currencies`: of the alert, where a change names none. */
export const changeLines = ({ from, to }: Change, currencies: Values): ChangeLine[] =>
  lines.flatMap(({ label, read, isTime }) => {
    const [before, after] = [read({ ...currencies, ...from }), read({ ...currencies, ...to })];
    if (!after && !before) return [];
    return [
      {
        label,
        to: after ?? '–',
        ...(before !== undefined && before !== after && { from: before }),
        ...(isTime && { isTime }),
      },
    ];
  });

const viaWords: Readonly<Record<string, string>> = {
  intake: translate('from the network'),
  test: translate('as a test'),
  assignment: translate('when it was assigned to a site'),
  enrollment: translate('when its descriptor was enrolled'),
  update: translate('over the API'),
  webhook_reply: translate('in reply to its notification'),
  dashboard: translate('in the dashboard'),
  refund: translate('with the refund'),
  deadline: translate('by the clock'),
  rules: translate('by a rule'),
  outcomes: translate('when the network replied'),
  chargebacks: translate('from your processor'),
};

/** How a change was made. */
export const howText = (via: string): string => viaWords[via] ?? '';

/** Who made a change; undefined where that is no more than how. */
export const whoText = (by: string, via: string): string | undefined => {
  if (by === via || by === 'deadline') return undefined;
  const [, rule] = /^rule (\d+)$/.exec(by) ?? [];
  if (rule) return translate('rule {id}', { id: rule });
  const [, site] = /^site (\d+)$/.exec(by) ?? [];
  if (site) return translate('site {id}', { id: site });
  return /^(provider_\w+|rdr)$/.test(by) ? stateWords(by) : by;
};
