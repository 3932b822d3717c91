import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { toAlertItem } from '../../functions/alerts/alert-row.ts';
import { updateAlert } from '../../functions/alerts/operations.ts';
import { formType, newAlertForm } from '../../functions/alerts/payload.ts';
import { sha256 } from '../../functions/core/crypto.ts';
import type { Item } from '../../functions/core/table.ts';
import { toRcodeItem } from '../../functions/merchants/site-row.ts';
import { createDelivery, newAlertDeliveryId } from '../../functions/notifications/delivery.ts';
import { toDeliveryItem } from '../../functions/notifications/delivery-row.ts';
import { bundle, bundleName } from '../../lib/build/bundle.ts';
import { alertOf, siteOf, start } from '../alerts/samples.ts';
import { callInFreshProcess, type FreshCall } from '../support/fresh-process.ts';
import { gatewayEvent } from '../support/gateway-event.ts';
import { startTlsAws, type TlsCall } from '../support/tls-dynamo.ts';
import { median } from './measure.ts';

const rcode = 'an-rcode-of-32-random-characters';
const site = siteOf({ rcodes: [{ digest: sha256(rcode), sealed: '', validUntil: null }] });
const alert = alertOf({}, site);
const { alertId } = alert;

/** What update-alert reads: the site's rcode, its alert, and the notification of it that is still owed. */
export const rowsOfUpdate = (): Item[] => [
  toAlertItem(alert),
  ...site.rcodes.map((one) => toRcodeItem(site, one)),
  toDeliveryItem(
    createDelivery({
      id: newAlertDeliveryId(alertId),
      kind: 'new_alert',
      sid: site.sid,
      mid: site.mid,
      rid: site.rid,
      alertId,
      contentType: formType,
      body: newAlertForm(alert),
      at: start,
    }),
  ),
];

/** A merchant's answer: it closes the alert, cancels the notification that is owed and owes another one. */
export const updateEvent = gatewayEvent({
  path: updateAlert.path,
  headers: { 'Content-Type': 'application/json', rcode },
  body: Buffer.from(
    JSON.stringify({
      alert_id: String(alertId),
      status: 'RESOLVED',
      reason_code: '100.001',
      alert_outcome_amount: '361.56',
      alert_outcome_currency: 'USD',
      alert_outcome_action_date: '2026-05-02T12:00:00Z',
      comments: 'Refunded in full',
      tx_details: [{ userid: '17', username: 'someone' }],
    }),
  ).toString('base64'),
  isBase64Encoded: true,
});

/** Bundles the hand-written operation as esbuild does by default for ES modules on Node. */
export const bundleBaseline = async (folder: string): Promise<string> => {
  const outfile = join(folder, 'baseline.mjs');
  await build({
    entryPoints: ['test/bench/baseline/update-alert.ts'],
    outfile,
    bundle: true,
    platform: 'node',
    target: 'node24',
    format: 'esm',
    mainFields: ['module', 'main'],
    // Some of the SDK's own dependencies are CommonJS.
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
    logLevel: 'silent',
  });
  return outfile;
};

/** Both implementations, ready to be called in new processes. */
export const buildBoth = async (): Promise<{ ours: FreshCall; baseline: FreshCall; remove: () => void }> => {
  const folder = mkdtempSync(join(tmpdir(), 'forewarn-bench-'));
  const { bundles } = await bundle({ outdir: join(folder, 'dist'), functions: [updateAlert] });
  const { dir } = bundles.get(bundleName(updateAlert)) ?? { dir: '' };
  const code = await bundleBaseline(folder);
  return {
    ours: { code: join(dir, 'index.js'), event: updateEvent },
    baseline: { code, event: updateEvent },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
};

export type ColdStart = { cpuMilliseconds: number; wallMilliseconds: number };
type Name = 'ours' | 'baseline';

/** Calls one implementation in a new process; answers what it took and what it sent. */
export const coldCall = async (
  call: FreshCall,
): Promise<ColdStart & { sent: readonly TlsCall[]; loaded: string[] }> => {
  await using aws = await startTlsAws(rowsOfUpdate());
  const { statuses, ...took } = await callInFreshProcess([call], aws.environment);
  if (statuses[0] !== 200) throw new Error(`${call.code} answered ${statuses[0]}`);
  return { ...took, sent: aws.calls };
};

/** What was sent, without what differs from run to run: times, the identifiers drawn, and where those lead to. */
export const workOf = (sent: readonly TlsCall[]): unknown =>
  JSON.parse(
    JSON.stringify(sent, (name, value: unknown) => (name === 'ClientRequestToken' ? undefined : value))
      .replace(/20\d\d-\d\d-\d\dT\d\d(?::|%3A)\d\d(?::|%3A)\d\d\.\d{3}Z/g, 'time')
      .replace(/ntf_\d{16}/g, 'ntf')
      .replace(/DUE#\d/g, 'DUE'),
  );

/** Medians of `runs` cold starts of each, one after the other in turn. */
export const measureColdStarts = async (
  runs: number,
  progress: (done: number) => void,
): Promise<Record<Name, ColdStart>> => {
  const { remove, ...calls } = await buildBoth();
  const taken: Record<Name, ColdStart[]> = { ours: [], baseline: [] };
  try {
    for (let run = 0; run <= runs; run += 1) {
      const order: Name[] = run % 2 === 0 ? ['ours', 'baseline'] : ['baseline', 'ours'];
      for (const name of order) {
        const took = await coldCall(calls[name]);
        // The first one fills the file cache.
        if (run > 0) taken[name].push(took);
      }
      progress(run);
    }
  } finally {
    remove();
  }
  const mediansOf = (all: readonly ColdStart[]): ColdStart => ({
    cpuMilliseconds: median(all.map(({ cpuMilliseconds }) => cpuMilliseconds)),
    wallMilliseconds: median(all.map(({ wallMilliseconds }) => wallMilliseconds)),
  });
  return { ours: mediansOf(taken.ours), baseline: mediansOf(taken.baseline) };
};
