import * as v from 'valibot';
import { Text } from '#core/kernel/schema/text.ts';

export const UsernameReply = v.pipe(v.string(), v.description('The name with which they sign in.'));
export const UsernameField = v.pipe(Text(100), v.description('The name with which they sign in.'));
