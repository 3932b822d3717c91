import { describeField, text } from '#core/kernel/schema/field-words.ts';
import { Text } from '#core/kernel/schema/text.ts';

export const RuleNameField = describeField(Text(200), 'Its name, for people.');
export const PlainAmountReply = text('The amount.');
