import { randomBytes } from 'node:crypto';
import colours from 'picocolors';
import type { KeyRing } from '#core/kernel/crypto.ts';
import type { Reseal } from '#core/kernel/key-ring.ts';
import type { StoredRing } from '#core/platform/secrets/ring-store.ts';
import type { Key } from '#core/platform/table/table.ts';
import {
  commandOptions,
  enterTarget,
  type FlagsOf,
  localTargetHelp,
  makeProgram,
  printJson,
  reportProgress,
  type Terminal,
  targetHelp,
} from '#lib/local/command.ts';
import { UserError } from '#lib/local/user-error.ts';

/** `npm run secret`: gives the secret `encryption` another key, reseals everything with it, and removes the old one. */
const help = `${colours.bold('npm run secret -- <command>')}    The keys of the secret encryption

  show               Name its keys, and what is sealed with each
  rotate             Add a key; run it again ten minutes later to seal with it from then on
  reseal             Seal everything anew with the current key; may be stopped and run again
  retire <key>       Remove a key that nothing is sealed with any more, a day after it was replaced

  --now              Don't wait: functions read the secret again after five minutes, and what is sealed for a payer lasts a day
  --json             Print JSON instead, for programs

${targetHelp(21)}
${localTargetHelp}`;

const options = {
  now: { type: 'boolean', default: false },
  ...commandOptions,
} as const;
type Flags = FlagsOf<typeof options>;

const minute = 60_000;
/** Rotation waits for twice the time that functions cache keys. Retirement waits an hour longer than any temporary value is sealed. */
const waits = { rotate: 10 * minute, retire: 25 * 60 * minute } as const;

const say = ({ stdout }: Terminal, { json }: Flags, value: Record<string, unknown>, words: string): void => {
  if (json) printJson(value, stdout);
  else stdout.write(`${words}\n`);
};

/** Throws a UserError where the ring was changed only recently. */
const checkWait = async ({ changedAt }: StoredRing, why: keyof typeof waits, { now }: Flags): Promise<void> => {
  const { nowMilliseconds } = await import('#core/kernel/clock.ts');
  const left = changedAt === undefined ? 0 : changedAt.getTime() + waits[why] - nowMilliseconds();
  if (now || left <= 0) return;
  const minutes = Math.ceil(left / minute);
  throw new UserError(`The ring was changed only recently: wait ${minutes} minutes more, or give --now.`);
};

type Row = { key: Key; attribute: string; before: { version: number }; anew: (reseal: Reseal) => { version: number } };

const bySite = async (sid: number): Promise<Row[]> => {
  const [{ keys }, { getItems }, sites, site, processors, routes, sources, { sourceContext }] = await Promise.all([
    import('#core/platform/table/keys.ts'),
    import('#core/platform/table/table.ts'),
    import('#accounts/merchants/site/site-row.ts'),
    import('#accounts/merchants/site/resealed-site.ts'),
    import('#payments/processors/routing/site-processors-row.ts'),
    import('#payments/processors/routing/resealed-routes.ts'),
    import('#payments/orders/source/order-source-row.ts'),
    import('#payments/orders/source/order-source.ts'),
  ]);
  const [siteKey, processorsKey, sourceKey] = [keys.site(sid), keys.siteProcessors(sid), keys.orderSource(sid)];
  const [siteItem, processorsItem, sourceItem] = await getItems([siteKey, processorsKey, sourceKey]);
  const rows: Row[] = [];
  if (siteItem) {
    const before = sites.fromSiteItem(siteItem);
    rows.push({ key: siteKey, attribute: 'site', before, anew: (reseal) => site.resealedSite(before, reseal) });
  }
  if (processorsItem) {
    const before = processors.fromSiteProcessorsItem(processorsItem);
    const anew = (reseal: Reseal) => routes.resealedProcessors(sid, before, reseal);
    rows.push({ key: processorsKey, attribute: 'processors', before, anew });
  }
  const source = sources.fromOrderSourceItem(sourceItem);
  if (source?.sealed) {
    const { sealed } = source;
    const anew = (reseal: Reseal) => ({ ...source, sealed: reseal(sourceContext(sid), sealed) });
    rows.push({ key: sourceKey, attribute: 'source', before: source, anew });
  }
  return rows;
};

const byMerchant = async (mid: number): Promise<Row[]> => {
  const [{ keys }, { getItems }, { fromConnectionsItem }, { resealedConnections }, sso, { ssoContext }] =
    await Promise.all([
      import('#core/platform/table/keys.ts'),
      import('#core/platform/table/table.ts'),
      import('#disputes/connections/connection-row.ts'),
      import('#disputes/connections/resealed-connections.ts'),
      import('#accounts/auth/single-sign-on/single-sign-on-row.ts'),
      import('#accounts/auth/single-sign-on/single-sign-on.ts'),
    ]);
  const [key, ssoKey] = [keys.connections(mid), keys.singleSignOn(mid)];
  const [item, ssoItem] = await getItems([key, ssoKey]);
  const settings = sso.fromSingleSignOnItem(ssoItem);
  const rows: Row[] = [];
  if (item) {
    const before = fromConnectionsItem(item);
    rows.push({ key, attribute: 'connections', before, anew: (reseal) => resealedConnections(mid, before, reseal) });
  }
  if (settings) {
    const anew = (reseal: Reseal) => ({ ...settings, sealed: reseal(ssoContext(mid), settings.sealed) });
    rows.push({ key: ssoKey, attribute: 'settings', before: settings, anew });
  }
  return rows;
};

const byUser = async (username: string): Promise<Row[]> => {
  const [{ keys }, { getItems }, { fromUserItem }, { resealedUser }, { fromDevicesItem }, { devicesContext }] =
    await Promise.all([
      import('#core/platform/table/keys.ts'),
      import('#core/platform/table/table.ts'),
      import('#accounts/auth/users/user-row.ts'),
      import('#accounts/auth/users/resealed-user.ts'),
      import('#accounts/auth/users/device-row.ts'),
      import('#accounts/auth/users/device.ts'),
    ]);
  const [key, devicesKey] = [keys.user(username), keys.devices(username)];
  const [userItem, devicesItem] = await getItems([key, devicesKey]);
  const [user, devices] = [fromUserItem(userItem), fromDevicesItem(devicesItem)];
  const rows: Row[] = [];
  if (user) rows.push({ key, attribute: 'user', before: user, anew: (reseal) => resealedUser(user, reseal) });
  if (devices) {
    const anew = (reseal: Reseal) => ({ ...devices, sealed: reseal(devicesContext(username), devices.sealed) });
    rows.push({ key: devicesKey, attribute: 'devices', before: devices, anew });
  }
  return rows;
};

/** Every row that holds something sealed, one after the other, but for what lasts a day at most. */
async function* sealedRows(): AsyncGenerator<Row> {
  const { readSummaries } = await import('#core/platform/lists/count-repair-store.ts');
  const mids = new Set<number>();
  for await (const { sid, mid } of readSummaries<{ sid: number; mid: number }>({ entity: 'SITE', owner: 'all' })) {
    mids.add(mid);
    yield* await bySite(sid);
  }
  type Person = { username: string; mid: number | null };
  for await (const { username, mid } of readSummaries<Person>({ entity: 'USER', owner: 'all' })) {
    // A merchant may have set up single sign-on before it has a site.
    if (mid !== null) mids.add(mid);
    yield* await byUser(username);
  }
  for (const mid of mids) yield* await byMerchant(mid);
}

/** Counts the values that are sealed with each key, in `counts`. */
export const readSealedRows = async (counts: Record<string, number> = {}): Promise<Record<string, number>> => {
  const { keyNameOf } = await import('#core/kernel/crypto.ts');
  for await (const { anew } of sealedRows()) {
    anew((_, sealed) => {
      const name = keyNameOf(sealed);
      counts[name] = (counts[name] ?? 0) + 1;
      return sealed;
    });
  }
  return counts;
};

const countByKey = async ({ stderr }: Terminal): Promise<Record<string, number>> => {
  const counts: Record<string, number> = {};
  await reportProgress(
    () => `${Object.values(counts).reduce((sum, one) => sum + one, 0)} values read`,
    () => readSealedRows(counts),
    stderr,
  );
  return counts;
};

const readStored = async (): Promise<StoredRing> =>
  (await import('#core/platform/secrets/ring-store.ts')).readRing('encryption');

const show = async (flags: Flags, _: string, terminal: Terminal): Promise<void> => {
  const { ring } = await readStored();
  const sealed = await countByKey(terminal);
  const retired = Object.keys(ring.retired ?? {});
  const lines = Object.keys(ring.keys).map(
    (name) => `${name}${name === ring.current ? ' (current)' : ''}: ${sealed[name] ?? 0} values sealed`,
  );
  const words = [...lines, ...retired.map((name) => `${name}: retired`)].join('\n');
  say(terminal, flags, { current: ring.current, keys: Object.keys(ring.keys), retired, sealed }, words);
};

const rotate = async (flags: Flags, _: string, terminal: Terminal): Promise<void> => {
  const { newestKey, withKey } = await import('#core/kernel/key-ring.ts');
  const { writeRing } = await import('#core/platform/secrets/ring-store.ts');
  const held = await readStored();
  const newest = newestKey(held.ring);
  if (newest !== held.ring.current) {
    await checkWait(held, 'rotate', flags);
    await writeRing('encryption', { ...held.ring, current: newest });
    const words = `${newest} is the current key. In ten minutes: npm run secret -- reseal`;
    return say(terminal, flags, { current: newest, added: null }, words);
  }
  const after = withKey(held.ring, randomBytes(32).toString('hex'));
  const added = newestKey(after);
  await writeRing('encryption', after);
  say(
    terminal,
    flags,
    { current: after.current, added },
    `${added} is added. Run this again in ten minutes: ${added} then becomes the current key.`,
  );
};

type Resealed = { read: number; resealed: number; changed_meanwhile: number };

/** Seals everything with the current key that is sealed with another, and counts that in `done`. */
export const resealRows = async (
  ring: KeyRing,
  done: Resealed = { read: 0, resealed: 0, changed_meanwhile: 0 },
): Promise<Resealed> => {
  const { keyNameOf, open, seal } = await import('#core/kernel/crypto.ts');
  const { replaceSealed } = await import('#core/platform/table/reseal-store.ts');
  for await (const { key, attribute, before, anew } of sealedRows()) {
    let stale = 0;
    const after = anew((context, sealed) => {
      done.read += 1;
      if (keyNameOf(sealed) === ring.current) return sealed;
      stale += 1;
      return seal(ring, context, open(ring, context, sealed));
    });
    if (stale === 0) continue;
    if (await replaceSealed(key, attribute, before, after)) done.resealed += stale;
    else done.changed_meanwhile += stale;
  }
  return done;
};

const reseal = async (flags: Flags, _: string, terminal: Terminal): Promise<void> => {
  const { ring } = await readStored();
  const done = { read: 0, resealed: 0, changed_meanwhile: 0 };
  await reportProgress(
    () => `${done.read} values read, ${done.resealed} sealed anew`,
    () => resealRows(ring, done),
    terminal.stderr,
  );
  const words = [`${done.resealed} of ${done.read} values were sealed anew, with ${ring.current}.`];
  if (done.changed_meanwhile > 0) words.push(`${done.changed_meanwhile} changed meanwhile: run it again.`);
  say(terminal, flags, { key: ring.current, ...done }, words.join(' '));
  if (done.changed_meanwhile > 0) terminal.exitCode = 1;
};

const retire = async (flags: Flags, name: string, terminal: Terminal): Promise<void> => {
  const { withoutKey } = await import('#core/kernel/key-ring.ts');
  const { writeRing } = await import('#core/platform/secrets/ring-store.ts');
  const held = await readStored();
  if (!Object.hasOwn(held.ring.keys, name))
    throw new UserError(`The ring has no key ${name}; see npm run secret -- show.`);
  if (name === held.ring.current) throw new UserError(`${name} is the current key: rotate first.`);
  await checkWait(held, 'retire', flags);
  const { [name]: left = 0 } = await countByKey(terminal);
  if (left > 0) throw new UserError(`${left} values are still sealed with ${name}: reseal first.`);
  await writeRing('encryption', withoutKey(held.ring, name));
  say(
    terminal,
    flags,
    { retired: name },
    `${name} is retired: it opens nothing, and cards that were kept under it are still found.`,
  );
};

type Work = (flags: Flags, name: string, terminal: Terminal) => Promise<void>;

const withTarget =
  (work: Work): Work =>
  (flags, name, terminal) => {
    enterTarget(flags, (prefix) => ({ ENCRYPTION_SECRET_ID: `${prefix}/encryption` }));
    return work(flags, name, terminal);
  };

export const secret = makeProgram({
  script: 'secret',
  help,
  options,
  commands: {
    show: { run: withTarget(show) },
    rotate: { run: withTarget(rotate) },
    reseal: { run: withTarget(reseal) },
    retire: { takes: 'the name of a key', run: withTarget(retire) },
  },
});
