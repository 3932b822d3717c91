import * as v from 'valibot';

export const DuplicateAlertidReply = v.pipe(
  v.number(),
  v.description('The alert that came before about the same transaction.'),
);
