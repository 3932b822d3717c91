import colours from 'picocolors';
import {
  askedFor,
  enterTarget,
  helpOption,
  jsonOption,
  localTargetHelp,
  printJson,
  runCommand,
  targetHelp,
  targetOptions,
} from '../lib/local/command.ts';
import { UserError } from '../lib/local/user-error.ts';

/** The operator's command for single webhooks: `npm run delivery -- --help`. */
const help = `${colours.bold('npm run delivery -- <command>')}    One webhook: what became of it, and sending it again

  show <id>             Show a delivery (ntf_...) and its attempts
  replay <id>           Send it again, soon, whatever its state

  --json                Print JSON instead, for programs
${targetHelp(24)}
${localTargetHelp}`;

const options = {
  ...jsonOption,
  ...targetOptions,
  ...helpOption,
} as const;

const stores = () => import('../functions/dispatch/delivery-store.ts');

const find = async (id: string) => {
  const delivery = await (await stores()).getDelivery(id);
  if (!delivery) throw new UserError(`There is no delivery ${id}; POST /api/v3/notifications/list names them.`);
  return delivery;
};

const show = async (id: string, json: boolean): Promise<void> => {
  const [{ deliveryDetails }, { newLines }, delivery] = await Promise.all([
    import('../functions/notifications/delivery-row.ts'),
    import('../lib/local/developer/attempts.ts'),
    find(id),
  ]);
  const details = deliveryDetails(delivery);
  if (json) {
    printJson(details);
    return;
  }
  const rows = [
    ['kind', details.kind],
    ['state', details.state],
    ['site', String(details.sid)],
    ['created', details.created_at],
    ['next try', details.next_attempt_at ?? 'none'],
    ['given up', details.expires_at],
  ] as const;
  const lines = rows.map(([name, value]) => `  ${colours.dim(name.padEnd(8))}  ${value}`);
  const attempts = newLines([details], new Map());
  process.stdout.write(`${[colours.bold(details.id), ...lines, ...attempts].join('\n')}\n`);
};

const maxAttempts = 5;

const replay = async (id: string, json: boolean): Promise<void> => {
  const [{ requestReplay }, { nowIso }, { auditCommand }] = await Promise.all([
    stores(),
    import('../functions/core/clock.ts'),
    import('../functions/core/audit-store.ts'),
  ]);
  for (let tries = 0; tries < maxAttempts; tries += 1) {
    const at = nowIso();
    if (!(await requestReplay(await find(id), at))) continue;
    await auditCommand('command/replay', null, []);
    if (json) printJson({ id, replay_at: at });
    else process.stdout.write(`${colours.green('Will be sent again')}  ${id}\n`);
    return;
  }
  throw new UserError(`Others keep changing ${id}; try again.`);
};

const commands = new Map([
  ['show', show],
  ['replay', replay],
]);

const main = async (args: string[]): Promise<void> => {
  const asked = askedFor(args, options, help);
  if (!asked) return;
  const {
    name,
    rest: [id, ...rest],
    flags,
  } = asked;
  const command = commands.get(name);
  if (!command) throw new UserError(`There is no command ${name}; npm run delivery -- --help names them.`);
  if (id === undefined || rest.length > 0) throw new UserError(`${name} takes one delivery's id.`);
  enterTarget(flags);
  await command(id, flags.json);
};

await runCommand(main);
