import * as v from 'valibot';
import { Text } from '#core/kernel/schema/text.ts';

export const RuleNameField = v.pipe(Text(200), v.description('Its name, for people.'));
export const PlainAmountReply = v.pipe(v.string(), v.description('The amount.'));
