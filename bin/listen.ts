import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import colours from 'picocolors';
import { helpOption, jsonOption, runCommand } from '#lib/local/command.ts';
import { type Notification, newLines } from '#lib/local/developer/attempts.ts';
import { UserError } from '#lib/local/user-error.ts';

/** `npm run listen`: the demo site's webhooks, to an endpoint of one's own, as they are sent. */
const help = `${colours.bold('npm run listen -- --forward-to <url>')}    Sends the demo site's webhooks to your endpoint, and prints each delivery

  --forward-to <url>    Your endpoint, such as http://127.0.0.1:8080/alerts
  --json                Prints each notification with its attempts as a line of JSON, when it changes

While it runs: r sends the last notification again, q ends. At the end the site's webhooks go back to where they went.
`;

const options = {
  'forward-to': { type: 'string' },
  ...jsonOption,
  ...helpOption,
} as const;

const everyMilliseconds = 500;
const watched = 100;
/** A reset takes a few seconds, more on a busy machine. */
const maxTries = 120;

const main = async (args: string[]): Promise<void> => {
  const { values: flags } = parseArgs({ args, options });
  const target = flags['forward-to'];
  if (flags.help || target === undefined) {
    process.stdout.write(help);
    return;
  }
  if (!URL.canParse(target)) throw new UserError(`${target} is not a URL, such as http://127.0.0.1:8080/alerts.`);
  const { openMerchant } = await import('#lib/local/developer/merchant.ts');
  let merchant = await openMerchant();
  const known = new Map((await merchant.notifications(watched)).map(({ id, attempts }) => [id, attempts.length]));
  await merchant.pointTo(target);
  /** Listens to the new demo site after a reset, which replaces all credentials. Throws the error if there was no reset. */
  const listenAgain = async (error: unknown): Promise<Notification[]> => {
    const { signingSecret } = merchant;
    for (let tries = 1; merchant.signingSecret === signingSecret; tries += 1) {
      if (tries > maxTries) throw error;
      await wait(everyMilliseconds);
      merchant = await openMerchant().catch(() => merchant);
    }
    known.clear();
    await merchant.pointTo(target);
    if (!flags.json) process.stdout.write(`The local stack was reset. Now signed with ${merchant.signingSecret}\n`);
    return merchant.notifications(watched);
  };
  const ending = new AbortController();
  const resend = async () => {
    const [last] = await merchant.notifications(1);
    if (last) await merchant.replay(last.id);
  };
  listenToKeys(resend, () => ending.abort());
  if (!flags.json) {
    process.stdout.write(`${colours.bold('listening')}  ${target}\nsigned with ${merchant.signingSecret}\n`);
    process.stdout.write(colours.dim('npm run trigger -- fraud 12.00   makes an alert; r sends again, q ends\n\n'));
  }
  try {
    while (!ending.signal.aborted) {
      const all = await merchant.notifications(watched).catch(listenAgain);
      // The demo's past is delivered to the stack's own sink.
      const list = all.filter(({ url }) => url === null || url !== merchant.sink);
      const changed = list.filter(({ id, attempts }) => attempts.length > (known.get(id) ?? 0));
      const lines = newLines(list, known);
      for (const line of flags.json ? changed.map((one) => JSON.stringify(one)) : lines)
        process.stdout.write(`${line}\n`);
      await wait(everyMilliseconds, undefined, { signal: ending.signal }).catch(() => undefined);
    }
  } finally {
    process.stdin.destroy();
    await merchant.pointTo(merchant.sink);
  }
};

const listenToKeys = (resend: () => Promise<void>, end: () => void): void => {
  process.once('SIGINT', end);
  process.once('SIGTERM', end);
  // A terminal hands over each key at once; keys may also be piped in.
  const hasKeys = process.stdin.isTTY;
  if (hasKeys) process.stdin.setRawMode(true);
  process.stdin.on('data', (keys: Buffer) => {
    for (const key of keys.toString()) {
      if (key === 'r') void resend();
      // Raw mode hands over control-C as a key.
      if (key !== 'q' && key !== '\u0003') continue;
      if (hasKeys) process.stdin.setRawMode(false);
      end();
    }
  });
};

await runCommand(main);
