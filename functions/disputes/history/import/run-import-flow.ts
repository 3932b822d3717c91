import { fromOrderProfileItem } from '#accounts/merchants/settings/order-profile-row.ts';
import { siteEntity } from '#accounts/merchants/site/site.ts';
import { iso, milliseconds, nowIso, nowMilliseconds } from '#core/kernel/clock.ts';
import { readPage } from '#core/platform/lists/listing-store.ts';
import { keyRing } from '#core/platform/secrets/secrets.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItem, getItems, tryTransact } from '#core/platform/table/table.ts';
import { sendOrThrow } from '#core/platform/work/queue-store.ts';
import { noteNews } from '#disputes/chargebacks/look/dispute-news-flow.ts';
import { findManagedMerchant } from '#disputes/chargebacks/look/port-flow.ts';
import { loadConnectedProcessor } from '#disputes/connections/connected-processor-registry-client.ts';
import { type Connection, connectionOfId } from '#disputes/connections/connection.ts';
import { loadConnectionDisputes } from '#disputes/connections/connection-disputes-client.ts';
import { readConnections } from '#disputes/connections/connection-store.ts';
import { saveListedDisputes, saveLostCharges } from '../past/past-dispute-store.ts';
import {
  afterCharges,
  afterDisputes,
  afterNoCharges,
  afterOffer,
  afterSilence,
  failImport,
  type HistoryImport,
  needsOffer,
  readsCharges,
  weekEnd,
} from './history-import.ts';
import { historyImportDue } from './history-import-due.ts';
import { fromImportItem, importWrite } from './history-import-row.ts';
import { saveImportedFigures } from './imported-figures-store.ts';
import { linkOrders } from './order-link-flow.ts';

/** The time for which one message reads; the next one continues. */
const stepMilliseconds = 15 * milliseconds.second;

/**
 * Continues an import. Each page is read, its effects are written, and then the progress: a page whose progress was not written is read
 * again, and its effects change nothing. Of two messages at once, one writes the progress.
 */
export const runImport = async (id: string): Promise<void> => {
  let one = fromImportItem(await getItem(keys.historyImport(id)));
  const until = nowMilliseconds() + stepMilliseconds;
  while (one?.state === 'RUNNING' && one.nextAt <= nowIso()) {
    const after = await readOn(one);
    if (await tryTransact({ import: importWrite(after) })) return;
    one = after;
    if (nowMilliseconds() >= until) break;
  }
  if (one?.state !== 'RUNNING') return;
  await sendOrThrow([historyImportDue.message({ importId: id }, { at: one.nextAt })]);
};

const readOn = async (one: HistoryImport): Promise<HistoryImport> => {
  const connection = connectionOfId(await readConnections(one.mid), one.connection);
  if (!connection) return failImport(one, 'The connection was removed.', nowIso());
  if (needsOffer(one)) return askForOffer(one, connection);
  const after = await (one.reading === 'charges' ? readCharges(one, connection) : readDisputes(one, connection));
  // Before that, the chargebacks of the months are not counted; without the charges, their number is not.
  if (after.state === 'DONE' && readsCharges(after)) await saveImportedFigures(after);
  return after;
};

const readCharges = async (one: HistoryImport, connection: Connection): Promise<HistoryImport> => {
  const connected = await loadConnectedProcessor(connection, { mid: one.mid, ring: await keyRing('encryption') });
  if (!connected) return failImport(one, 'The credentials of the connection cannot be opened.', nowIso());
  const page = (await connected.list?.({ from: one.position, to: weekEnd(one) }, one.cursor)) ?? 'not_offered';
  const without = afterNoCharges(one, page, nowIso());
  if (without || page === 'not_offered' || 'problem' in page) return without ?? one;
  await saveLostCharges(one, page.charges);
  const linked = await linkOrders(one, page.charges, { connected, sids: await sitesWithOrders(one.mid, connection) });
  return afterCharges(one, page, linked, nowIso());
};

/** The number of sites of a merchant whose orders are looked for. */
const maxSites = 80;

/** The sites that the connection is for and that keep orders. */
const sitesWithOrders = async (mid: number, { sids }: Connection): Promise<number[]> => {
  const own = sids ?? (await readSites(mid));
  if (own.length === 0) return [];
  const profiles = await getItems(own.map((sid) => keys.orderProfile(sid)));
  return own.filter((_, index) => fromOrderProfileItem(profiles[index]) !== undefined);
};

const readSites = async (mid: number): Promise<number[]> => {
  const request = { entity: siteEntity, scopeIndex: 2, scope: `M${mid}`, order: 'ASC', size: maxSites } as const;
  return (await readPage<{ sid: number }>(request)).list.map(({ sid }) => sid);
};

/** One call about the last minute tells it. An import that an earlier release began counts what its charges state. */
const askForOffer = async (one: HistoryImport, connection: Connection): Promise<HistoryImport> => {
  if (one.position !== one.from || one.cursor !== null) return afterOffer(one, false, nowIso());
  const port = await loadConnectionDisputes(connection, { mid: one.mid, ring: await keyRing('encryption') });
  const from = iso(nowMilliseconds() - milliseconds.minute);
  const answer = (await port?.since?.(from)) ?? { found: [], isOffered: false };
  if ('unknown' in answer) return afterSilence(one, answer.unknown, nowIso());
  return afterOffer(one, answer.isOffered !== false, nowIso());
};

const readDisputes = async (one: HistoryImport, connection: Connection): Promise<HistoryImport> => {
  const { mid, kind, from, position, connection: id } = one;
  const port = await loadConnectionDisputes(connection, { mid, ring: await keyRing('encryption') });
  const answer = (await port?.since?.(from, position)) ?? { unknown: 'The connection cannot be asked for disputes.' };
  if ('unknown' in answer) return afterSilence(one, answer.unknown, nowIso());
  const within = answer.found.filter(({ openedAt }) => openedAt >= from && openedAt < iso(Date.parse(position)));
  await saveListedDisputes(one, within);
  const account = { mid, processor: kind, connection: id };
  if ((await findManagedMerchant(account)) !== undefined) await noteNews(account, within);
  const { before, unread } = answer;
  return afterDisputes(one, within, { before, unread: unread?.map(({ words }) => words) ?? [], at: nowIso() });
};
