import { type Claim, claimOfCode } from '#core/kernel/card/scheme-reasons.ts';
import { translate } from '../language/translate.ts';
import type { ChargebackRow } from './chargeback-kinds.ts';

/** The results of contested chargebacks. Pure. */

type Decided = Pick<
  ChargebackRow,
  'status' | 'stage' | 'reason_code' | 'network' | 'evidence_kinds' | 'evidence_submitted_at'
>;
export type WinRate = { won: number; decided: number };

const countWon = (rows: readonly Decided[]): WinRate => ({
  won: rows.filter(({ status }) => status === 'won').length,
  decided: rows.length,
});

/** Chargebacks that were decided. One that its merchant accepted was not contested, and an inquiry took nothing that could be won back. */
export const onlyDecided = <Row extends Decided>(rows: readonly Row[]): Row[] =>
  rows.filter(({ status, stage }) => stage !== 'inquiry' && (status === 'won' || status === 'lost'));

/** Counts those that the network refunded instead of a chargeback: prevented, not won. */
export const countPrevented = (rows: readonly Decided[]): number =>
  rows.filter(({ status }) => status === 'refunded_by_network').length;

export type RateGroup = WinRate & { name: string };

/** Rates by a name, those with the most chargebacks first. A chargeback with several names counts for each. */
const ratesBy = (rows: readonly Decided[], namesOf: (row: Decided) => readonly string[]): RateGroup[] => {
  const groups = Map.groupBy(
    onlyDecided(rows).flatMap((row) => namesOf(row).map((name) => ({ name, row }))),
    ({ name }) => name,
  );
  return [...groups]
    .map(([name, members]) => ({ name, ...countWon(members.map(({ row }) => row)) }))
    .sort((left, right) => right.decided - left.decided || left.name.localeCompare(right.name));
};

export type Words = {
  claim: (claim: Claim | undefined, row: Decided) => string;
  network: (network: string) => string;
  kind: (kind: Decided['evidence_kinds'][number]) => string;
};

/** Rates by reason, by network and by what was submitted. */
export const winRatesOf = (
  rows: readonly Decided[],
  words: Words,
): readonly { title: string; rates: RateGroup[] }[] => [
  { title: translate('By reason'), rates: ratesBy(rows, (row) => [words.claim(claimOfCode(row.reason_code), row)]) },
  { title: translate('By network'), rates: ratesBy(rows, ({ network }) => [words.network(network)]) },
  {
    title: translate('By evidence'),
    rates: ratesBy(rows, ({ evidence_submitted_at: at, evidence_kinds: kinds }) => {
      if (at === null) return [translate('Nothing submitted here')];
      return kinds.length === 0 ? [translate('Facts without files')] : kinds.map(words.kind);
    }),
  },
];

/** A rate in words. With few cases there is no percentage. */
export const rateText = ({ won, decided }: WinRate): string =>
  decided < 5
    ? translate('{won} of {decided}', { won, decided })
    : translate('{percent} % ({won} of {decided})', { percent: Math.round((100 * won) / decided), won, decided });
