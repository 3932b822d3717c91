import { randomBytes } from 'node:crypto';
import { text as textOf } from 'node:stream/consumers';
import colours from 'picocolors';
import type { LongLivedToken } from '#accounts/auth/tokens/token-row.ts';
import { type User, UserInputError } from '#accounts/auth/users/user.ts';
import type { UserSummary } from '#accounts/auth/users/user-row.ts';
import { type Role, roles } from '#core/platform/operation/operation.ts';
import {
  commandOptions,
  enterTarget,
  type FlagsOf,
  localTargetHelp,
  makeProgram,
  printJson,
  type Terminal,
  targetHelp,
} from '#lib/local/command.ts';
import { UserError } from '#lib/local/user-error.ts';

/** The administrator's command for users and their tokens: `npm run user -- --help`. */
const help = `${colours.bold('npm run user -- <command>')}    Users and long-lived tokens

  create <username> --admin       Make an administrator
  create <username> --mid <N>     Make a user who sees merchant N only; --role analyst, developer or manager (default)
  list                            Show all users, or those of one merchant: --mid <N>
  show <username>                 Show a user
  password <username>             Give a user another password; their tokens end
  disable <username>              Disable a user; their tokens end
  enable <username>               Enable a disabled user again
  role <username> --role <role>   Give a merchant's user another role; their sessions end
  reset-factor <username>         Remove their second factor; they set up another when they sign in
  token <username> --days <N>     Issue a token that is valid for 1 to 3650 days; an administrator's for 90 at most
  revoke <jti>                    End such a token before its time

  --program                       Make a program's user: it gets tokens by its password alone, also where people need a second factor
  --name <name>                   How colleagues call the user who is made
  --json                          Print JSON instead, for programs
  --password-stdin                Read the password from standard input; without it, one is made and shown once
${targetHelp(34, [['--jwt-secret <id>', 'Its token secret, if not forewarn-<stage>/jwt']])}
${localTargetHelp}`;

const options = {
  admin: { type: 'boolean' },
  mid: { type: 'string' },
  role: { type: 'string' },
  name: { type: 'string' },
  program: { type: 'boolean' },
  days: { type: 'string' },
  'password-stdin': { type: 'boolean' },
  ...commandOptions,
  'jwt-secret': { type: 'string' },
} as const;

type Flags = FlagsOf<typeof options>;
type Rows = readonly (readonly [string, string])[];

/** The output of a command. */
type Shown = { title: string; rows: Rows };

const toObject = (rows: Rows) => Object.fromEntries(rows.map(([name, value]) => [name.replaceAll(' ', '_'), value]));
const secrets: readonly string[] = ['password', 'token'];
const rowText = (name: string, value: string): string =>
  secrets.includes(name) ? `${colours.bold(value)}  ${colours.dim('(shown this once)')}` : value;

const print = ({ stdout }: Terminal, isJson: boolean, { title, rows }: Shown): void => {
  if (isJson) {
    printJson(toObject(rows), stdout);
    return;
  }
  const width = Math.max(...rows.map(([name]) => name.length));
  const lines = rows.map(([name, value]) => `  ${colours.dim(name.padEnd(width))}  ${rowText(name, value)}`);
  stdout.write(`${colours.green(title)}\n${lines.join('\n')}\n`);
};

/** Rows of equal width under their headings. */
const textTable = (heads: readonly string[], rows: readonly (readonly string[])[]): string => {
  const widths = heads.map((head, column) => Math.max(head.length, ...rows.map((cells) => cells[column]?.length ?? 0)));
  const lineOf = (cells: readonly string[]) =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd();
  return `${[colours.dim(lineOf(heads)), ...rows.map(lineOf)].join('\n')}\n`;
};

const userRows = ({ username, name, scope, mid, role, disabled, createdAt, factor }: User): Rows => [
  ['username', username],
  ...(name === '' ? [] : [['name', name] as const]),
  ...(role ? [['role', role] as const] : []),
  ['second factor', factor ? `since ${factor.createdAt}` : 'none'],
  ['sees', scope === 'admin' ? 'everything' : `merchant ${mid}`],
  ['state', disabled ? 'disabled' : 'enabled'],
  ['created', createdAt],
];

const tokenRows = ({ jti, username, expiresAt }: LongLivedToken): Rows => [
  ['username', username],
  ['jti', jti],
  ['valid until', expiresAt],
];

const enter = (flags: Flags): void =>
  enterTarget(flags, (prefix) => ({ JWT_SECRET_ID: flags['jwt-secret'] ?? `${prefix}/jwt` }));

/** Whole digits only: `1e3` and `0x10` are none. */
const numberFlag = (flag: string, text: string | undefined, most: number): number => {
  if (text !== undefined && /^[1-9]\d{0,15}$/.test(text) && Number(text) <= most) return Number(text);
  throw new UserError(`--${flag} must be a whole number from 1 to ${most}.`);
};

type Password = { password: string; rows: Rows };

const passwordFrom = async (flags: Flags, { stdin }: Terminal): Promise<Password> => {
  if (flags['password-stdin']) {
    const password = (await textOf(stdin)).replace(/\r?\n$/, '');
    return { password, rows: [] };
  }
  const password = randomBytes(18).toString('base64url');
  return { password, rows: [['password', password]] };
};

const roleFrom = ({ role }: Flags): Role | undefined => {
  if (role === undefined) return undefined;
  const known = roles.find((one) => one === role);
  if (!known) throw new UserError(`--role must be one of ${roles.join(', ')}.`);
  return known;
};

/** Checked before the stack is entered, so that a slip of the fingers changes nothing. */
const readScope = ({ admin, mid }: Flags): { scope: 'admin' } | { scope: 'merchant'; mid: number } => {
  if (Boolean(admin) === (mid !== undefined)) throw new UserError('Say either --admin or --mid <N>.');
  return admin ? { scope: 'admin' } : { scope: 'merchant', mid: numberFlag('mid', mid, Number.MAX_SAFE_INTEGER) };
};

const users = () => import('#accounts/auth/users/user-store.ts');
const tokens = () => import('#accounts/auth/tokens/token-store.ts');

const requireMerchant = async (mid: number): Promise<void> => {
  const [{ getItem }, { keys }] = await Promise.all([
    import('#core/platform/table/table.ts'),
    import('#core/platform/table/keys.ts'),
  ]);
  if (!(await getItem(keys.merchant(mid)))) throw new UserError(`There is no merchant ${mid}.`);
};

const create = async (flags: Flags, username: string, terminal: Terminal): Promise<Shown> => {
  const scope = readScope(flags);
  const role = roleFrom(flags);
  if (role && scope.scope === 'admin') throw new UserError('An administrator has no role.');
  enter(flags);
  if (scope.scope === 'merchant') await requireMerchant(scope.mid);
  const { password, rows } = await passwordFrom(flags, terminal);
  const user = await (await users()).createUser({
    ...{ username, password, ...scope },
    ...(role && { role }),
    ...(flags.program && { isProgram: true }),
    ...(flags.name !== undefined && { name: flags.name }),
  });
  return { title: 'User created', rows: [...userRows(user), ...rows] };
};

const show = async (flags: Flags, username: string): Promise<Shown> => {
  enter(flags);
  const user = await (await users()).findUser(username);
  if (!user) throw new UserError(`There is no user ${username}.`);
  return { title: 'User', rows: [...userRows(user), ['tokens', `those issued since ${user.tokensValidFrom}`]] };
};

const listPageSize = 100;

const printPeople = async (flags: Flags, _: string, { stdout }: Terminal): Promise<void> => {
  const mid = flags.mid === undefined ? undefined : numberFlag('mid', flags.mid, Number.MAX_SAFE_INTEGER);
  enter(flags);
  const [{ readPage }, { userEntity }] = await Promise.all([
    import('#core/platform/lists/listing-store.ts'),
    import('#accounts/auth/users/user-row.ts'),
  ]);
  const scope =
    mid === undefined ? ({ scopeIndex: 1, scope: 'all' } as const) : ({ scopeIndex: 2, scope: `M${mid}` } as const);
  const found: UserSummary[] = [];
  let cursor: string | undefined;
  do {
    const page = { order: 'ASC', size: listPageSize, cursor } as const;
    const read = await readPage<UserSummary>({ entity: userEntity, ...scope, ...page });
    found.push(...read.list);
    cursor = read.next_cursor ?? undefined;
  } while (cursor !== undefined);
  if (flags.json) {
    printJson(found, stdout);
    return;
  }
  const rows = found.map(({ username, name, mid: of, role, disabled }) => [
    ...[username, name, of === null ? 'everything' : `merchant ${of}`],
    ...[role ?? '', disabled ? 'disabled' : 'enabled'],
  ]);
  stdout.write(textTable(['username', 'name', 'sees', 'role', 'state'], rows));
};

const changePassword = async (flags: Flags, username: string, terminal: Terminal): Promise<Shown> => {
  enter(flags);
  const { password, rows } = await passwordFrom(flags, terminal);
  const user = await (await users()).changePassword(username, password);
  return { title: 'Password changed', rows: [...userRows(user), ...rows] };
};

const setDisabled =
  (disabled: boolean) =>
  async (flags: Flags, username: string): Promise<Shown> => {
    enter(flags);
    const user = await (await users()).setDisabled(username, disabled);
    return { title: disabled ? 'User disabled' : 'User enabled', rows: userRows(user) };
  };

const giveRole = async (flags: Flags, username: string): Promise<Shown> => {
  const role = roleFrom(flags);
  if (!role) throw new UserError(`Say --role and one of ${roles.join(', ')}.`);
  enter(flags);
  return { title: 'Role given', rows: userRows(await (await users()).setRole(username, role)) };
};

const resetFactor = async (flags: Flags, username: string): Promise<Shown> => {
  enter(flags);
  return { title: 'Second factor removed', rows: userRows(await (await users()).resetFactor(username)) };
};

const issue = async (flags: Flags, username: string): Promise<Shown> => {
  const days = numberFlag('days', flags.days, 3650);
  enter(flags);
  const { token, row } = await (await tokens()).issueLongLivedToken(username, days);
  return { title: 'Token issued', rows: [...tokenRows(row), ['token', token]] };
};

const revoke = async (flags: Flags, jti: string): Promise<Shown> => {
  enter(flags);
  return { title: 'Token revoked', rows: tokenRows(await (await tokens()).revokeToken(jti)) };
};

type Work = (flags: Flags, argument: string, terminal: Terminal) => Promise<Shown>;

const printing =
  (work: Work) =>
  async (flags: Flags, argument: string, terminal: Terminal): Promise<void> =>
    print(terminal, flags.json, await work(flags, argument, terminal));

/** A subcommand that changes something, which is recorded. */
const changing = (command: string, takes: 'username' | 'jti', work: Work) => ({
  takes: `a ${takes}`,
  run: async (flags: Flags, argument: string, terminal: Terminal): Promise<void> => {
    await printing(work)(flags, argument, terminal);
    const { auditCommand } = await import('#core/platform/audit/audit-store.ts');
    const named = Object.keys(flags).filter((flag) => flag === 'role' || flag === 'days' || flag === 'mid');
    await auditCommand(`command/${command}`, takes === 'username' ? argument : null, named);
  },
});

export const user = makeProgram({
  script: 'user',
  help,
  options,
  commands: {
    list: { run: printPeople },
    show: { takes: 'a username', run: printing(show) },
    create: changing('create', 'username', create),
    password: changing('password', 'username', changePassword),
    disable: changing('disable', 'username', setDisabled(true)),
    enable: changing('enable', 'username', setDisabled(false)),
    role: changing('role', 'username', giveRole),
    'reset-factor': changing('reset-factor', 'username', resetFactor),
    token: changing('token', 'username', issue),
    revoke: changing('revoke', 'jti', revoke),
  },
  isMistake: (error) => error instanceof UserInputError,
});
