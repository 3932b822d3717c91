import type { BadCalls } from '#test/support/bad-calls.ts';

export const badCalls = (): BadCalls => ({
  body: {},
  wrong: [
    { body: { time_zone: 'Mars/Olympus' }, names: 'time_zone' },
    { body: { alert_emails: 'hourly' }, names: 'alert_emails' },
    { body: { time_zone: '+02:00' }, names: 'time_zone' },
    { body: { time_zone: 'x'.repeat(61) }, names: 'time_zone' },
  ],
  refused: { changed_meanwhile: 'race' },
});
