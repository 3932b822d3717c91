import * as v from 'valibot';
import { traits, verdicts } from './match-evidence.ts';

export const MatchEvidenceReply = v.object({
  score: v.pipe(v.number(), v.description('From 0 to 100.')),
  traits: v.pipe(
    v.array(
      v.object({
        trait: v.pipe(v.picklist(traits), v.description('What the alert and the transaction were compared by.')),
        verdict: v.pipe(
          v.picklist(verdicts),
          v.description(
            '`partly`: as far as it is known, such as the last four digits. `differs`: unequal, as happens with the right transaction. ' +
              '`contradicts`: unequal, so that a person has to decide.',
          ),
        ),
      }),
    ),
    v.description('Each trait that both state.'),
  ),
});
