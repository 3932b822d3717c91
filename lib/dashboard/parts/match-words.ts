import type { AlertDto } from '../app/operations.ts';
import { translate, translateCount } from '../language/translate.ts';

type Match = NonNullable<NonNullable<AlertDto['automatic']>['match']>;

/** The traits by which a charge and an alert are compared. */
export const traitNames = {
  arn: translate('ARN'),
  reference: translate('transaction reference'),
  auth_code: translate('authorization code'),
  card: translate('card'),
  amount: translate('amount'),
  date: translate('date'),
  descriptor: translate('descriptor'),
} as const satisfies Record<Match['traits'][number]['trait'], string>;

/** Returns the evidence for a charge and against it: `Match 85 of 100: ARN, card agree; date differs.`. */
export const matchText = ({ score, traits }: Match): string => {
  const verdicts = (['agrees', 'partly', 'differs', 'contradicts'] as const).flatMap((verdict) => {
    const found = traits.filter((one) => one.verdict === verdict).map(({ trait }) => traitNames[trait]);
    return found.length === 0 ? [] : [traitsText[verdict](found.length, found.join(', '))];
  });
  return verdicts.length === 0
    ? translate('Match {score} of 100.', { score })
    : translate('Match {score} of 100: {verdicts}.', { score, verdicts: verdicts.join('; ') });
};

const traitsText = {
  agrees: (count: number, traits: string) => translateCount(count, '{traits} agrees', '{traits} agree', { traits }),
  partly: (count: number, traits: string) =>
    translateCount(count, '{traits} partly agrees', '{traits} partly agree', { traits }),
  differs: (count: number, traits: string) => translateCount(count, '{traits} differs', '{traits} differ', { traits }),
  contradicts: (count: number, traits: string) =>
    translateCount(count, '{traits} contradicts', '{traits} contradict', { traits }),
};

/** The verdict of one trait. */
export const verdictWords: Readonly<Record<Match['traits'][number]['verdict'], string>> = {
  agrees: translate('agrees'),
  partly: translate('partly agrees'),
  differs: translate('differs'),
  contradicts: translate('contradicts'),
  unknown: translate('not known'),
};
