import { readFileSync } from 'node:fs';
import { runCommand } from '#lib/local/command.ts';
import { UserError } from '#lib/local/user-error.ts';
import { hasReceivedAlert, readProvedMerchant } from '#lib/operator/steps/received-webhooks.ts';

/**
 * Checks that the receiver of a proof got the webhook of the test alert: `node bin/check-webhook.ts <printed by init> <answer of aws logs>`. With one
 * argument, prints the alert's number and the merchant's rcode for the next step.
 */
await runCommand(async ([merchantFile = '', logFile]) => {
  const merchant = readProvedMerchant(readFileSync(merchantFile, 'utf8'));
  if (logFile === undefined) {
    process.stdout.write(`${merchant.alertId} ${merchant.rcode}\n`);
    return;
  }
  if (!hasReceivedAlert(readFileSync(logFile, 'utf8'), merchant)) throw new UserError('No webhook of the alert yet.');
  process.stdout.write(`The webhook of alert ${merchant.alertId} arrived, signed with the merchant's secret.\n`);
});
