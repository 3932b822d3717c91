import { serviceNow } from '../app/clock.ts';
import { ofMerchant } from '../app/merchant.ts';
import { type AlertRow, listAlerts } from '../app/operations.ts';
import type { Page, PageAsked } from '../parts/listing.tsx';
import { dueSoonMilliseconds } from '../parts/times.ts';

/** The tabs of the inbox, and what each of them shows. */
export const tabs = [
  { name: 'open', label: 'Needs answer', status: ['OPEN'] },
  { name: 'soon', label: 'Due in 6 hours', status: ['OPEN', 'WIP', 'OTHER'] },
  { name: 'progress', label: 'In progress', status: ['WIP', 'OTHER'] },
  { name: 'answered', label: 'Answered', status: ['RESOLVED', 'DECLINED', 'RDR_DELETE', 'REVOKED'] },
  { name: 'inform', label: 'Informational', status: ['INFORM'] },
] as const;
export type Tab = (typeof tabs)[number];

/** Fraud alerts are due a day after receipt, disputes three: each list is in the order of its deadlines. */
const deadlineLists = [['FRAUD'], ['DISPUTE', 'CANCEL']] as const;

type Filters = Readonly<Record<string, string>>;
type Asked = Parameters<typeof listAlerts>[0]['body'];

const bodyOf = ({ sid, alert_type, date_from, date_to }: Filters): NonNullable<Asked> => ({
  ...ofMerchant(),
  ...(sid && { sid }),
  ...(alert_type && { alert_type: alert_type as AlertRow['alert_type'] }),
  ...(date_from && { date_from }),
  ...(date_to && { date_to }),
});

const withSignal = (signal: AbortSignal | undefined) => (signal ? { signal } : {});

/** A page of a tab. Those that await an answer are in the order in which it is due, all others newest first. */
export const loadTab = (
  { name, status }: Tab,
  filters: Filters,
  page: PageAsked,
  signal?: AbortSignal,
): Promise<Page<AlertRow>> => {
  if (name === 'answered' || name === 'inform') {
    return listAlerts({ body: { ...bodyOf(filters), status: [...status], ...page }, ...withSignal(signal) });
  }
  return loadByDeadline({ name, status }, filters, page, signal);
};

type OpenTab = Pick<Extract<Tab, { name: 'open' | 'soon' | 'progress' }>, 'name' | 'status'>;

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
  const pages = await Promise.all(
    deadlineLists.map(async (types, index) => {
      const chosen = types.filter((type) => wanted === undefined || wanted === type);
      const at = cursors?.[index];
      if (chosen.length === 0 || at === null) return { list: [], totalResult: 0, next_cursor: null };
      const body = { ...bodyOf(filters), status: [...status], alert_type: [...chosen], order: 'ASC' as const, size };
      return listAlerts({ body: { ...body, ...(at !== undefined && { cursor: at }) }, ...withSignal(signal) });
    }),
  );
  const list = pages.flatMap((page) => page.list).sort(byDeadline);
  const next = pages.map((page) => page.next_cursor);
  const isEnd = next.every((one) => one === null);
  const rest = { list, totalResult: pages.reduce((sum, page) => sum + (page.totalResult ?? 0), 0) };
  if (name === 'soon') return soonOf(list);
  return { ...rest, next_cursor: isEnd ? null : JSON.stringify(next) };
};

const deadlineOf = ({ deadline }: AlertRow): string => deadline ?? '9999';
const byDeadline = (left: AlertRow, right: AlertRow): number => (deadlineOf(left) < deadlineOf(right) ? -1 : 1);

/** Those that are late come first, and are due more than any other. */
const soonOf = (list: readonly AlertRow[]): Page<AlertRow> => {
  const until = new Date(serviceNow() + dueSoonMilliseconds).toISOString();
  const due = list.filter((row) => deadlineOf(row) <= until);
  return { list: due, totalResult: due.length, next_cursor: null };
};
