import { redactText } from '#core/platform/log/redaction.ts';
import { createLetter, type Letter, type LetterItem } from '#core/platform/mail/letter.ts';
import type { Alert } from '../alert.ts';
import { alertNouns, reasonWords } from '../outbox/reason-words.ts';

/** The most alerts of one kind that a digest lists; the rest is counted. */
export const maxListed = 20;

/** The contents of a digest. `open`: by deadline. `hasMore`: there are more open alerts than were read. */
export type DigestContent = { open: readonly Alert[]; hasMore: boolean; decided: readonly Alert[] };

const count = (n: number, one: string, many = `${one}s`): string => `${n} ${n === 1 ? one : many}`;

const alertItem = (alert: Alert, words: string): LetterItem => {
  const { alertId, providerAlert, owner } = alert;
  const { type, amount, currency, test } = providerAlert;
  return {
    title: `${test ? '[Test] ' : ''}${amount} ${currency}, ${redactText(reasonWords(providerAlert))}`,
    words: [alertNouns[type], owner?.siteName ?? '', words].filter(Boolean).join(', '),
    path: `#/alerts/${alertId}`,
    dueAt: null,
  };
};

/** The result of an alert that was answered, and by whom as far as that is known. */
const endWords = ({ status, automatic, providerAlert }: Alert): string => {
  const result = status === 'RESOLVED' ? 'resolved' : 'declined';
  if (providerAlert.type === 'DISPUTE_RDR') return `${result} by the network`;
  return automatic?.decision && automatic.decision.result !== 'left_to_merchant'
    ? `${result} by the rule ${redactText(automatic.decision.name)}`
    : result;
};

const rest = (n: number, path: string): LetterItem[] =>
  n > 0 ? [{ title: `${count(n, 'more alert')}`, words: 'Open the queue to see all.', path, dueAt: null }] : [];

/** The daily e-mail about the alerts of a merchant. */
export const digestLetter = ({ open, hasMore, decided }: DigestContent): Letter => {
  const openText = `${open.length}${hasMore ? '+' : ''} open ${open.length === 1 && !hasMore ? 'alert' : 'alerts'}`;
  const decidedText = decided.length === 0 ? 'none decided' : `${decided.length} decided`;
  return createLetter({
    subject: `Your alerts today: ${openText}, ${decidedText}`,
    kicker: 'Your alerts today',
    heading: openText,
    lead:
      open.length === 0
        ? 'No alert awaits an answer.'
        : 'The alerts that await an answer, the one that is due first on top.',
    rows: [],
    sections: [
      ...(open.length > 0
        ? [
            {
              title: 'To answer',
              items: [
                ...open.slice(0, maxListed).map((alert) => ({ ...alertItem(alert, ''), dueAt: alert.deadlineAt })),
                ...rest(open.length - maxListed, '#/queue'),
              ],
            },
          ]
        : []),
      ...(decided.length > 0
        ? [
            {
              title: 'Decided since the last e-mail',
              items: [
                ...decided.slice(0, maxListed).map((alert) => alertItem(alert, endWords(alert))),
                ...rest(decided.length - maxListed, '#/queue?tab=answered'),
              ],
            },
          ]
        : []),
    ],
    link: { path: '#/queue', words: 'Open the queue' },
  });
};
