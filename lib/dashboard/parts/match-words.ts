import type { AlertDto } from '../app/operations.ts';

type Match = NonNullable<NonNullable<AlertDto['automatic']>['match']>;

/** The traits by which a charge and an alert are compared. */
export const traitNames = {
  arn: 'ARN',
  reference: 'transaction reference',
  auth_code: 'authorization code',
  card: 'card',
  amount: 'amount',
  date: 'date',
  descriptor: 'descriptor',
} as const satisfies Record<Match['traits'][number]['trait'], string>;

/** Returns the evidence for a charge and against it: `Match 85 of 100: ARN, card agree; date differs.`. */
export const matchText = ({ score, traits }: Match): string => {
  const said = (['agrees', 'partly', 'differs', 'contradicts'] as const).flatMap((verdict) => {
    const found = traits.filter((one) => one.verdict === verdict).map(({ trait }) => traitNames[trait]);
    return found.length === 0 ? [] : [`${found.join(', ')} ${verbs[verdict][found.length === 1 ? 0 : 1]}`];
  });
  return `Match ${score} of 100${said.length === 0 ? '' : `: ${said.join('; ')}`}.`;
};

const verbs = {
  agrees: ['agrees', 'agree'],
  partly: ['partly agrees', 'partly agree'],
  differs: ['differs', 'differ'],
  contradicts: ['contradicts', 'contradict'],
} as const;

/** The verdict of one trait. */
export const verdictWords: Readonly<Record<Match['traits'][number]['verdict'], string>> = {
  agrees: 'agrees',
  partly: 'partly agrees',
  differs: 'differs',
  contradicts: 'contradicts',
  unknown: 'not known',
};
