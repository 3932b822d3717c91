import { serviceNow } from '../app/clock.ts';
import { ofMerchant } from '../app/merchant.ts';
import { type AlertRow, listAlerts } from '../app/operations.ts';
import { user } from '../app/session.ts';
import { translate } from '../language/translate.ts';
import type { Filter, Page, PageAsked } from '../parts/narrow-pages.ts';
import { narrowPages } from '../parts/narrow-pages.ts';
import { siteFilter } from '../parts/pages.ts';
import { mayBeDueEarlier } from './queue-order.ts';

/** The tabs of the queue. Late alerts have their own tab, so that they do not stay at the top of the queue. */
export const tabs = [
  { name: 'open', label: translate('To decide'), status: ['OPEN'] },
  { name: 'progress', label: translate('In progress'), status: ['WIP', 'OTHER'] },
  { name: 'late', label: translate('Late'), status: ['OPEN', 'WIP', 'OTHER'] },
  { name: 'answered', label: translate('Answered'), status: ['RESOLVED', 'DECLINED', 'RDR_DELETE', 'REVOKED'] },
  { name: 'inform', label: translate('For information'), status: ['INFORM'] },
] as const;
export type Tab = (typeof tabs)[number];

/** Each list is in the order of receipt. */
const deadlineLists = [['FRAUD'], ['DISPUTE', 'CANCEL']] as const;

/** The value of the filter that stands for the signed-in user. */
export const mine = 'mine';
export const toAssignee = (chosen: string): string => (chosen === mine ? (user.value?.username ?? '') : chosen);

type Filters = Readonly<Record<string, string>>;
type Asked = Parameters<typeof listAlerts>[0]['body'];

const listBody = (
  { sid, alert_type, date_from, date_to, assignee }: Filters,
  { mid } = ofMerchant(),
): NonNullable<Asked> => ({
  ...(mid !== undefined && { mid: [mid] }),
  with_held_txid: true,
  ...(assignee ? { assignee: toAssignee(assignee) } : sid && { sid: [Number(sid)] }),
  ...(alert_type && { alert_type: [alert_type as AlertRow['alert_type']] }),
  ...(date_from && { date_from }),
  ...(date_to && { date_to }),
});

const withSignal = (signal: AbortSignal | undefined) => (signal ? { signal } : {});

/** So many alerts are looked through at once for those that are not late. */
const maxLookedAt = 1000;

/** Pages of a tab. A list of one user's alerts is narrowed to a site here. */
export const loadNarrowed = (
  tab: Tab,
  filters: readonly Filter<AlertRow>[],
  given: Filters,
  page: PageAsked,
  signal?: AbortSignal,
): Promise<Page<AlertRow>> => {
  const bySite: Filter<AlertRow> = { ...siteFilter, keeps: ({ sid }, value) => sid === Number(value) };
  return narrowPages(given['assignee'] ? [...filters, bySite] : filters, (rest, asked, cancel) =>
    loadTab(tab, rest, asked, cancel),
  )(given, page, signal);
};

/** A page of a tab. Those that await an answer are in the order in which it is due, all others newest first. */
const loadTab = (
  { name, status }: Tab,
  filters: Filters,
  page: PageAsked,
  signal?: AbortSignal,
): Promise<Page<AlertRow>> => {
  if (name === 'answered' || name === 'inform') {
    return listAlerts({ body: { ...listBody(filters), status: [...status], ...page }, ...withSignal(signal) });
  }
  return loadByDeadline({ name, status }, filters, page, signal);
};

type OpenTab = Pick<Extract<Tab, { name: 'open' | 'late' | 'progress' }>, 'name' | 'status'>;

/** The two lists' own cursors; null: that list is at its end. */
type Cursors = readonly (string | null)[];

const loadByDeadline = async (
  { name, status }: OpenTab,
  filters: Filters,
  { size, cursor }: PageAsked,
  signal?: AbortSignal,
): Promise<Page<AlertRow>> => {
  const cursors: Cursors | undefined = cursor === undefined ? undefined : JSON.parse(cursor);
  const wanted = filters['alert_type'];
  // Both lists make the page together: what is read is shown.
  const share = wanted === undefined ? Math.ceil(size / deadlineLists.length) : size;
  const pages = await Promise.all(
    deadlineLists.map(async (types, index) => {
      const chosen = types.filter((type) => wanted === undefined || wanted === type);
      const at = cursors?.[index];
      if (chosen.length === 0 || at === null) return { list: [], totalResult: 0, next_cursor: null };
      const body = { ...listBody(filters), status: [...status], alert_type: [...chosen], order: 'ASC' as const };
      const read: Read = (piece, from) =>
        listAlerts({
          body: { ...body, size: piece, ...(from !== undefined && { cursor: from }) },
          ...withSignal(signal),
        });
      return name === 'late' ? readLate(read, share, size) : readInTime(read, share, at);
    }),
  );
  const list = pages.flatMap((page) => page.list).sort(byDeadline);
  if (name === 'late') return { list, totalResult: list.length, next_cursor: null };
  const totals = pages.map((page) => page.totalResult);
  const totalResult = totals.includes(undefined) ? undefined : totals.reduce((sum = 0, one = 0) => sum + one, 0);
  const next = pages.map((page) => page.next_cursor);
  return {
    list,
    totalResult,
    next_cursor: next.every((one) => one === null) ? null : JSON.stringify(next),
    ...(mayBeDueEarlier(pages) && {
      note: translate('Later pages may hold alerts that are due before the last of these.'),
    }),
  };
};

const sortDue = ({ deadline }: AlertRow): string => deadline ?? '9999';
const byDeadline = (left: AlertRow, right: AlertRow): number => (sortDue(left) < sortDue(right) ? -1 : 1);

type Read = (size: number, cursor?: string) => Promise<Page<AlertRow>>;

const isLate = (row: AlertRow): boolean => sortDue(row) <= new Date(serviceNow()).toISOString();

/** The shortest time that a network gives. */
const shortestWait = 24 * 3_600_000;

/**
 * Checks whether alerts after a page of a list may be late, which is in the order of receipt: networks give different times, so one that is not
 * late may precede one that is.
 */
const mayBeFollowedByLate = ({ list }: Page<AlertRow>): boolean => {
  const last = list.at(-1);
  return list.some(isLate) || (last !== undefined && Date.parse(last.alert_date) <= serviceNow() - shortestWait);
};

/** The late alerts of a list. Reading stops where no more can be late. */
const readLate = async (read: Read, piece: number, most: number): Promise<Page<AlertRow>> => {
  const list: AlertRow[] = [];
  let cursor: string | undefined;
  do {
    const page = await read(piece, cursor);
    list.push(...page.list.filter(isLate));
    cursor = mayBeFollowedByLate(page) ? (page.next_cursor ?? undefined) : undefined;
  } while (cursor !== undefined && list.length < most);
  return { list, totalResult: list.length, next_cursor: null };
};

/** A page of a list without its late alerts, which are not counted. A page with only late alerts is followed by the next. */
const readInTime = async (read: Read, piece: number, from?: string): Promise<Page<AlertRow>> => {
  const list: AlertRow[] = [];
  let cursor = from;
  for (let looked = 0; looked < maxLookedAt; looked += piece) {
    const page = await read(piece, cursor);
    list.push(...page.list.filter((row) => !isLate(row)));
    cursor = page.next_cursor ?? undefined;
    const hasLate = page.list.some(isLate);
    if (!hasLate && looked === 0) return page;
    if (cursor === undefined || !hasLate || list.length >= piece) break;
  }
  return { list, next_cursor: cursor ?? null };
};
