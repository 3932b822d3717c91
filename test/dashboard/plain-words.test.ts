import { describe, expect, it } from 'vitest';
import { refusals } from '#core/platform/operation/errors.ts';
import { languages } from '#lib/dashboard/language/languages.ts';
import { changeLines, howText, whoText } from '#lib/dashboard/screens/history-words.ts';
import { listTexts } from './dashboard-texts.ts';

/**
 * Words that are names of fields, of the API or of programs: with an underscore or a hump, or a code without words. What stands between
 * braces is a place for a value, and what follows a bar tells texts apart.
 */
const isCodeWord = (word: string): boolean =>
  /^[a-z]+(?:_[a-z0-9]+)+$/i.test(word) || /^[a-z]+[A-Z]\w*$/.test(word) || /^\d{3}\.\d{3}$/.test(word);
const shortNames = new Set(['txid', 'txids', 'sid', 'mid', 'rid', 'parent_txid', 'ftid']);

const codeWordsIn = (text: string): string[] =>
  text
    .replace(/\{\w+\}/g, ' ')
    .replace(/\|.*$/, '')
    .split(/[^\p{L}\p{N}_.]+/u)
    .map((word) => word.replace(/\.+$/, ''))
    .filter((word) => isCodeWord(word) || shortNames.has(word));

/** Texts for those who set another program up; and names of products that are written with a hump. */
const forDevelopers: readonly string[] = [
  // Claims of an identity provider, which its administrator sets by these names.
  'It states that the address is verified: email_verified, or the optional claim xms_edov at Entra ID.',
];
const brands = new Set(['eBay', 'iPhone', 'iPad', 'iOS', 'macOS', 'minFraud', 'reCAPTCHA']);

const findFaults = (texts: readonly string[]): string[] =>
  texts.flatMap((text) => {
    const words = codeWordsIn(text).filter((word) => !brands.has(word));
    return words.length > 0 && !forDevelopers.includes(text) ? [`${words.join(', ')}: ${text}`] : [];
  });

describe('texts for people', () => {
  it('have no names of fields and no codes without words', () =>
    expect(findFaults(listTexts().map(({ key }) => key))).toEqual([]));

  it.each(languages.flatMap(({ code, load }) => (load ? [{ code, load }] : [])))(
    'have none in $code either',
    async ({ load }) => {
      const { default: words } = await load();
      const texts = Object.entries(words).flatMap(([key, text]) =>
        forDevelopers.includes(key) ? [] : typeof text === 'string' ? [text] : Object.values(text),
      );
      expect(findFaults(texts)).toEqual([]);
    },
  );

  it('have none in refusals, which are shown as they are', () =>
    // The interface prescribes these words, which no screen shows: retailers are enrolled by programs.
    expect(findFaults(Object.values(refusals).map(({ msg }) => msg))).toEqual([
      'retailer_name: retailer_name already exists',
    ]));
});

describe('the history of an alert', () => {
  const from = { status: 'OPEN', deadline: '2026-11-24T10:00:00.000Z', condition_code: '10.4', amount: '48.00' };
  const to = {
    ...{ status: 'RESOLVED', reason_code: '100.001', alert_outcome_amount: '48.50', alert_outcome_currency: 'USD' },
    ...{ deadline: '2026-11-25T10:00:00.000Z', condition_code: '13.1', amount: '48.50', comments: 'Done.' },
    ...{ refunded_by: 'merchant', refunded_elsewhere: { date: '2026-11-20', reference: 'R-1' }, deadline_passed: true },
    ...{
      alert_action: 'Refund',
      assigned_at: '2026-11-24T10:00:00.000Z',
      sid: 3,
      tx_details: [{ userid: 'u' }],
      lost: true,
    },
  };
  const lines = changeLines({ from, to }, { currency: 'USD' });

  it('shows old and new values next to each other, amounts with their currency', () =>
    expect(lines.slice(0, 4)).toEqual([
      { label: 'Status', from: 'Open', to: 'Resolved' },
      { label: 'Answer', to: 'refunded (100.001)' },
      { label: 'The alert asks for', to: 'Refund' },
      { label: 'Refunded', to: '$48.50' },
    ]));

  it('has the same order however a store has its fields', () => {
    const turned = (values: object) => Object.fromEntries(Object.entries(values).toReversed());
    expect(changeLines({ from: turned(from), to: turned(to) }, { currency: 'USD' })).toEqual(lines);
  });

  it('shows no name of a field, and no code without words', () => {
    expect(
      findFaults(
        lines.flatMap(({ label, from: before = '', to: after }) =>
          [label, before, after].map((text) => text.replace(/\(\d{3}\.\d{3}\)/, '')),
        ),
      ),
    ).toEqual([]);
    expect(lines).toContainEqual({ label: 'Reason', from: 'Cardholder denies purchase', to: 'Item not received' });
    expect(lines).toContainEqual({ label: 'Amount', from: '$48.00', to: '$48.50' });
  });

  it('says how and by whom in words', () => {
    expect(['intake', 'deadline', 'webhook_reply', 'outcomes', 'something_new'].map(howText)).toEqual([
      ...['from the network', 'by the clock', 'in reply to its notification', 'when the network replied', ''],
    ]);
    expect([whoText('deadline', 'deadline'), whoText('rule 7', 'rules'), whoText('ann', 'dashboard')]).toEqual([
      ...[undefined, 'rule 7', 'ann'],
    ]);
  });
});
