import colours from 'picocolors';
import {
  commandOptions,
  enterTarget,
  type FlagsOf,
  localTargetHelp,
  printJson,
  runSubcommands,
  targetHelp,
} from '#lib/local/command.ts';
import { UserError } from '#lib/local/user-error.ts';

/** The operator's command for single webhooks: `npm run delivery -- --help`. */
const help = `${colours.bold('npm run delivery -- <command>')}    One webhook: what became of it, and sending it again

  show <id>             Show a delivery (ntf_...) and its attempts
  replay <id>           Send it again, soon, whatever its state

  --json                Print JSON instead, for programs
${targetHelp(24)}
${localTargetHelp}`;

type Flags = FlagsOf<typeof commandOptions>;

const stores = () => import('#messaging/webhooks/delivery/delivery-store.ts');

const requireDelivery = async (id: string) => {
  const delivery = await (await stores()).getDelivery(id);
  if (!delivery) throw new UserError(`There is no delivery ${id}; POST /api/v3/notifications/list names them.`);
  return delivery;
};

const show = async (flags: Flags, id: string): Promise<void> => {
  enterTarget(flags);
  const [{ deliveryDetails }, { newLines }, delivery] = await Promise.all([
    import('#messaging/webhooks/delivery/delivery-row.ts'),
    import('#lib/local/developer/attempts.ts'),
    requireDelivery(id),
  ]);
  const details = deliveryDetails(delivery);
  if (flags.json) {
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

const replay = async (flags: Flags, id: string): Promise<void> => {
  enterTarget(flags);
  const [{ requestReplay }, { nowIso }, { auditCommand }, { retryOnConflict }] = await Promise.all([
    stores(),
    import('#core/kernel/clock.ts'),
    import('#core/platform/audit/audit-store.ts'),
    import('#core/platform/table/conflict-store.ts'),
  ]);
  const at = await retryOnConflict(
    async () => {
      const slot = nowIso();
      await requestReplay(await requireDelivery(id), slot);
      return slot;
    },
    { onExhausted: () => new UserError(`Others keep changing ${id}; try again.`) },
  );
  await auditCommand('command/replay', null, []);
  if (flags.json) printJson({ id, replay_at: at });
  else process.stdout.write(`${colours.green('Will be sent again')}  ${id}\n`);
};

await runSubcommands({
  script: 'delivery',
  help,
  options: commandOptions,
  commands: {
    show: { takes: 'a delivery id', run: show },
    replay: { takes: 'a delivery id', run: replay },
  },
});
