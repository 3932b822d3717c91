import { expect, it } from 'vitest';
import { failedOutcomeMail } from '#disputes/outcomes/outcome-mail.ts';
import { anOutcome, answeredAlert, receivedAt, resolved } from './samples.ts';

const mailRows = (alert = answeredAlert(1), change: Parameters<typeof anOutcome>[2] = {}, update = resolved) =>
  Object.fromEntries(failedOutcomeMail(alert, anOutcome(1, update, { state: 'EXPIRED', ...change })).rows);

it('names what an operator needs to send the answer again', () => {
  const update = { ...resolved, alert_outcome_amount: '20.00', alert_outcome_currency: 'USD' };
  const alert = { ...answeredAlert(1), deadlineAt: receivedAt };
  const { owner } = alert;
  expect(mailRows(alert, { update, error: 'It answered 503', attemptCount: 7 })).toMatchObject({
    Answer: 'RESOLVED 100.001',
    Amount: '20.00 USD',
    Reason: 'It answered 503',
    Attempts: '7',
    Deadline: { at: receivedAt },
    Site: `${owner?.siteName} (${owner?.sid})`,
    Merchant: String(owner?.mid),
  });
});

it('leaves out what is not known', () => {
  const alert = { ...answeredAlert(1), deadlineAt: null };
  expect(mailRows(alert)).toMatchObject({ Amount: '', Reason: '', Deadline: '' });
  const outcome = anOutcome(1);
  expect(Object.fromEntries(failedOutcomeMail({ ...alert, owner: null }, outcome).rows)).toMatchObject({
    Site: '',
    Merchant: '',
  });
});

it.each([
  ['REFUSED', 'has refused'],
  ['EXPIRED', 'did not accept in time'],
] as const)('says of an outcome that is %s that the provider %s it', (state, words) => {
  const alert = answeredAlert(1);
  const { subject, lead } = failedOutcomeMail(alert, anOutcome(1, resolved, { state }));
  expect(subject).toBe(`provider_a ${words} the answer to alert ${alert.alertId}`);
  expect(lead).toContain(`provider_a ${words} a final answer`);
});
