import { randomInt } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import colours from 'picocolors';
import { helpOption, jsonOption, parseCommand, printJson, runCommand } from '#lib/local/command.ts';
import { newLines } from '#lib/local/developer/attempts.ts';
import type { NetworkKind } from '#lib/local/developer/network-alert.ts';
import { UserError } from '#lib/local/user-error.ts';

/** `npm run trigger`: an alert for the demo site of the running local stack. */
const help = `${colours.bold('npm run trigger -- <type> [amount]')}    Makes a test alert on the running local stack, and shows what became of its webhook

  fraud, dispute, cancel, fraud-notice, dispute-notice, rdr
                        What kind of alert
  amount                Of the transaction, in USD (default: 12.00)
  --network             As a network sends it: signed, through the intake, with an answer to the network
  --descriptor <text>   As on the statement (default: DEMO SHOP, which the demo site has enrolled)
  --json                Prints {"alert_id", "notifications"} instead
`;

const types = new Map<string, NetworkKind>([
  ['fraud', 'FRAUD'],
  ['dispute', 'DISPUTE'],
  ['cancel', 'CANCEL'],
  ['fraud-notice', 'FRAUD_NOTICE'],
  ['dispute-notice', 'DISPUTE_NOTICE'],
  ['rdr', 'DISPUTE_RDR'],
]);
const options = {
  descriptor: { type: 'string', default: 'DEMO SHOP' },
  network: { type: 'boolean', default: false },
  ...jsonOption,
  ...helpOption,
} as const;

type Merchant = Awaited<ReturnType<typeof import('#lib/local/developer/merchant.ts')['openMerchant']>>;

const sendTest = (merchant: Merchant, type: NetworkKind, amount: string, descriptor: string, now: string) =>
  merchant.testAlert({
    alert_type: type,
    amount,
    currency: 'USD',
    descriptor,
    card: '411111******1111',
    transaction_timestamp: new Date(Date.parse(now) - 86_400_000).toISOString(),
    auth_code: String(randomInt(100_000, 1_000_000)),
  });

/** Sends an alert as its network does, and returns its number. Throws UserError if no site of the stack has enrolled the descriptor. */
const sendAsNetwork = async (
  { url, credentials }: Merchant,
  type: NetworkKind,
  amount: string,
  descriptor: string,
  now: string,
): Promise<number> => {
  const [{ createClient }, { networkMessage }] = await Promise.all([
    import('#lib/local/demo/client.ts'),
    import('#lib/local/developer/network-alert.ts'),
  ]);
  const { provider, message } = networkMessage(type, amount, descriptor, Date.parse(now));
  const taken = await createClient({ url, credentials }).asProvider(provider, '/alerts', message, now);
  const { alert_id, matched } = taken as { alert_id: number; matched: boolean };
  if (!matched) throw new UserError(`Alert ${alert_id} is in the inbox: no site has enrolled ${descriptor}.`);
  return alert_id;
};

/** The answer, the network's knowledge of it, and the charge that was found. */
const outcomeText = ({ status, reason_code, provider_outcome, match, transactions, unasked }: Outcome): string => {
  const answer = [status, reason_code ?? 'no answer yet'].join(' ');
  const told =
    provider_outcome === null ? 'nothing was sent to the network' : `at the network: ${provider_outcome.state}`;
  const fitting = transactions.filter(({ matches }) => matches).map(({ reference, kind }) => `${reference} (${kind})`);
  const missed = unasked.map(({ kind, msg }) => `${kind} was not asked: ${msg}`);
  return `${[`${answer}, ${told}`, `charge: ${match}${fitting.length > 0 ? `, ${fitting.join(', ')}` : ''}`, ...missed].join('\n')}\n`;
};
type Outcome = Awaited<ReturnType<Merchant['outcome']>>;

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
  const now = await merchant.now();
  const send = flags.network ? sendAsNetwork : sendTest;
  const alertId = await send(merchant, type, amount, flags.descriptor, now);
  while (!(await merchant.isIdle())) await wait(100);
  const own = (await merchant.notifications(100)).filter((one) => one.alert_id === alertId);
  const outcome = flags.network ? await merchant.outcome(alertId) : undefined;
  if (flags.json) {
    printJson({ alert_id: alertId, notifications: own, ...outcome });
    return;
  }
  process.stdout.write(`alert ${colours.bold(String(alertId))}  ${type} ${amount} USD\n`);
  const lines = newLines(own, new Map());
  for (const line of lines) process.stdout.write(`${line}\n`);
  if (lines.length === 0) process.stdout.write('No webhook is pending for it.\n');
  if (outcome) process.stdout.write(outcomeText(outcome));
};

await runCommand(main);
