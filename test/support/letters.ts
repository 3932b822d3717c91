import { nowIso } from '#core/kernel/clock.ts';
import type { Letter } from '#core/platform/mail/letter.ts';
import { writeLetter } from '#core/platform/mail/letter-text.ts';
import type { MailText } from '#core/platform/mail/mail-text.ts';

/** The address of the dashboard in tests of letters. */
export const dashboardUrl = 'https://forewarn.example/dashboard';

/** A letter as a reader gets it; by default one whose time zone is not known. */
export const letterText = (
  letter: Letter | undefined,
  zone: string | null = null,
  now: string = nowIso(),
): MailText => {
  if (!letter) throw new Error('There is no letter');
  return writeLetter(letter, { zone, now }, dashboardUrl);
};
