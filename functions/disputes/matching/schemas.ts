import * as v from 'valibot';
import { count, describeField } from '#core/kernel/schema/field-words.ts';
import { traits, verdicts } from './match-evidence.ts';

export const MatchEvidenceReply = v.object({
  score: count('From 0 to 100.'),
  traits: describeField(
    v.array(
      v.object({
        trait: describeField(v.picklist(traits), 'What the alert and the transaction were compared by.'),
        verdict: describeField(
          v.picklist(verdicts),
          '`partly`: as far as it is known, such as the last four digits. `differs`: unequal, as happens with the right transaction. ' +
            '`contradicts`: unequal, so that a person has to decide.',
        ),
      }),
    ),
    'Each trait that both state.',
  ),
});
