import { describeField, text } from '#core/kernel/schema/field-words.ts';
import { Text } from '#core/kernel/schema/text.ts';

export const UsernameReply = text('The name with which they sign in.');
export const UsernameField = describeField(Text(100), 'The name with which they sign in.');
