import { randomInt } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import colours from 'picocolors';
import { helpOption, jsonOption, parseCommand, printJson, runCommand } from '#lib/local/command.ts';
import { newLines } from '#lib/local/developer/attempts.ts';
import { UserError } from '#lib/local/user-error.ts';

/** `npm run trigger`: an alert for the demo site of the running local stack. */
const help = `${colours.bold('npm run trigger -- <type> [amount]')}    Makes a test alert on the running local stack, and shows what became of its webhook

  fraud, dispute, cancel, fraud-notice, dispute-notice, rdr
                        What kind of alert
  amount                Of the transaction, in USD (default: 12.00)
  --descriptor <text>   As on the statement (default: DEMO SHOP, which the demo site has enrolled)
  --json                Prints {"alert_id", "notifications"} instead
`;

const types = new Map([
  ['fraud', 'FRAUD'],
  ['dispute', 'DISPUTE'],
  ['cancel', 'CANCEL'],
  ['fraud-notice', 'FRAUD_NOTICE'],
  ['dispute-notice', 'DISPUTE_NOTICE'],
  ['rdr', 'DISPUTE_RDR'],
]);
const options = {
  descriptor: { type: 'string', default: 'DEMO SHOP' },
  ...jsonOption,
  ...helpOption,
} as const;

const main = async (args: string[]): Promise<void> => {
  const asked = parseCommand(args, options, help);
  if (!asked) return;
  const {
    name: kind,
    rest: [amount = '12.00', ...rest],
    flags,
  } = asked;
  const type = types.get(kind);
  if (!type) throw new UserError(`${kind} is not a type of alert: choose one of ${[...types.keys()].join(', ')}.`);
  if (rest.length > 0 || !/^\d+(\.\d{1,2})?$/.test(amount))
    throw new UserError('The amount is a decimal such as 12.00.');
  // Help is there at once; what calls the stack takes its time to load.
  const { openMerchant } = await import('#lib/local/developer/merchant.ts');
  const merchant = await openMerchant();
  const alertId = await merchant.testAlert({
    alert_type: type,
    amount,
    currency: 'USD',
    descriptor: flags.descriptor,
    card: '411111******1111',
    transaction_timestamp: new Date(Date.parse(await merchant.now()) - 86_400_000).toISOString(),
    auth_code: String(randomInt(100_000, 1_000_000)),
  });
  while (!(await merchant.isIdle())) await wait(100);
  const own = (await merchant.notifications(100)).filter((one) => one.alert_id === alertId);
  if (flags.json) {
    printJson({ alert_id: alertId, notifications: own });
    return;
  }
  process.stdout.write(`alert ${colours.bold(String(alertId))}  ${type} ${amount} USD\n`);
  const lines = newLines(own, new Map());
  for (const line of lines) process.stdout.write(`${line}\n`);
  if (lines.length === 0) process.stdout.write('No webhook is owed for it yet.\n');
};

await runCommand(main);
