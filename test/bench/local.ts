import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import * as v from 'valibot';
import { readEndpoints } from '#lib/local/endpoints.ts';
import { barePost, measureRate, type Sink, startSink } from './deliveries.ts';
import { type Load, loadWithAlerts, notify } from './local-load.ts';
import { bytesHeld, type LocalProcess, startLocal } from './local-process.ts';
import { storePending } from './local-stored.ts';
import { median } from './measure.ts';
import { progress, ratio, step, whole } from './report.ts';
import type { Finding } from './table.ts';

/**
 * `npm start`'s stack on a data folder of its own: alerts from 16 clients, 10,000 webhooks due at one slot, a restart with them.
 */

const most = { cpu: 0.06, webhooks: 3, counts: 5, first: 2, restart: 5, kilobytes: 30, ready: 10 } as const;
const minRate = 150;
const seconds = (value: number) => `${value.toFixed(1)} s`;

/** The least that answers for an alert: a webhook signed, sent and taken, in this process. */
type Bare = { cpuSeconds: number; aSecond: number };

const measureBare = async (sink: Sink): Promise<Bare> => {
  step('Webhooks of a bare loop');
  const bare = barePost(sink.url);
  await measureRate(bare.post, 100);
  const before = process.cpuUsage();
  const aSecond = await measureRate(bare.post, 300);
  const { user, system } = process.cpuUsage(before);
  await bare.close();
  return { aSecond, cpuSeconds: (user + system) / 1e6 / 3000 };
};

type Slot = { count: number; first: number; aSecond: number };

/** Moves the clock to just before the slot and waits for what is due at it. */
const measureSlot = async (stack: LocalProcess, sink: Sink, dataFolder: string, count: number, slot: number) => {
  step(`${whole(count)} webhooks at one slot`);
  await sink.begin();
  const move = { method: 'POST', body: JSON.stringify({ set: new Date(slot - 3000).toISOString() }) };
  const moved = await fetch(`${stack.url}/_local/clock`, move);
  if (!moved.ok) throw new Error(`The clock was not moved: ${await moved.text()}`);
  const begins = slot - (readEndpoints(dataFolder)?.clockOffsetMilliseconds ?? 0);
  for (;;) {
    const { taken, firstAt, lastAt } = await sink.seen();
    progress(`${whole(taken)} of ${whole(count)} webhooks`);
    if (taken >= count)
      return { count, first: (firstAt - begins) / 1000, aSecond: (taken * 1000) / (lastAt - firstAt) };
    await wait(500);
  }
};

/** An hour before a slot: all else is done by then, and there is not much for the clock to pass on its way. */
const startTime = '2026-05-02T11:00:00Z';

/** Twelve o'clock or midnight. */
const slotAfter = (instant: number): number => {
  const half = 43_200_000;
  return (Math.floor(instant / half) + 1) * half;
};

const readClock = async ({ url }: LocalProcess): Promise<number> => {
  const { now } = v.parse(v.object({ now: v.string() }), await (await fetch(`${url}/_local/clock`)).json());
  return Date.parse(now);
};

type Loaded = {
  load: Load;
  /** Per alert: while the stack runs, and when it has stopped. */
  kilobytes: { running: number; stopped: number };
  megabytes: number;
  url: string;
  readyCpu: number;
  now: number;
  sid: number;
  table: string;
};

const measureLoad = async (dataFolder: string, sink: Sink, forSeconds: number): Promise<Loaded> => {
  step('Starting npm start on a new data folder');
  const first = await startLocal(dataFolder, { startTime });
  const readyCpu = first.cpuSeconds();
  await notify(first, sink);
  step('Waiting until it has built its functions');
  await first.untilCalm();
  await first.stop();
  const atRest = bytesHeld(dataFolder);
  const stack = await startLocal(dataFolder, { url: first.url });
  await stack.untilCalm();
  step('Alerts from 16 clients, to warm up');
  const { alerts: before } = await loadWithAlerts(stack, sink, { run: 'WARMUP', seconds: 3 });
  const bytes = bytesHeld(dataFolder);
  step(`Alerts from 16 clients for ${forSeconds} s`);
  const load = await loadWithAlerts(stack, sink, { run: 'BENCH', seconds: forSeconds }, (sent) =>
    progress(`${whole(sent)} alerts sent`),
  );
  const running = (bytesHeld(dataFolder) - bytes) / load.alerts / 1024;
  const measured = { load, megabytes: stack.peakMegabytes(), readyCpu, now: await readClock(stack) };
  const { environment } = stack.endpoints;
  await stack.stop();
  return {
    ...measured,
    kilobytes: { running, stopped: (bytesHeld(dataFolder) - atRest) / (before + load.alerts) / 1024 },
    url: stack.url,
    sid: stack.credentials.site.sid,
    table: environment['TABLE_NAME'] ?? '',
  };
};

export const measureLocal = async (isQuick: boolean): Promise<Finding[]> => {
  const [forSeconds, pending] = isQuick ? [15, 2000] : [60, 10_000];
  const dataFolder = mkdtempSync(join(tmpdir(), 'forewarn-bench-local-'));
  await using sink = await startSink();
  try {
    const bare = await measureBare(sink);
    const loaded = await measureLoad(dataFolder, sink, forSeconds);
    step('Starting it again');
    const { url } = loaded;
    const before = await startLocal(dataFolder, { url });
    const now = await readClock(before);
    await before.stop();
    step(`Storing ${whole(pending)} alerts`);
    const owed = { ...loaded, count: pending, at: new Date(now).toISOString() };
    await storePending(dataFolder, owed, (done) => progress(`${whole(done)} of ${whole(pending)} alerts are stored`));
    step('Starting it with them');
    const stack = await startLocal(dataFolder, { url });
    const restart = { seconds: stack.secondsToReady, without: before.secondsToReady };
    await stack.untilCalm();
    const slot = await measureSlot(stack, sink, dataFolder, pending, slotAfter(now));
    const peak = Math.max(loaded.megabytes, stack.peakMegabytes());
    await stack.stop();
    return [...findingsOfLoad(loaded, bare), ...findingsOfSlot(slot, bare), ...findingsOfStart(restart, pending, peak)];
  } finally {
    rmSync(dataFolder, { recursive: true, force: true });
  }
};

const findingsOfLoad = ({ load, kilobytes, readyCpu }: Loaded, bare: Bare): Finding[] => {
  const cpu = load.cpuSeconds / load.alerts;
  return [
    {
      what: 'local stack: CPU of an alert from its provider to its webhook and counts',
      measured: `${cpu.toFixed(3)} s  (${Math.round(cpu / bare.cpuSeconds)} × a webhook of a bare loop; ${whole(load.alerts)} alerts)`,
      goal: `at most ${most.cpu} s`,
      isMet: cpu <= most.cpu,
    },
    {
      what: 'local stack: how far webhooks and counts were behind',
      measured: `${seconds(load.webhooksBehind)}, ${seconds(load.countsBehind)}  (an alert was answered in ${Math.round(median(load.latencies))} ms)`,
      goal: `at most ${most.webhooks} s, ${most.counts} s`,
      isMet: load.webhooksBehind <= most.webhooks && load.countsBehind <= most.counts,
    },
    {
      what: 'local stack: disk of an alert, when it has stopped',
      measured: `${kilobytes.stopped.toFixed(1)} KB  (${kilobytes.running.toFixed(1)} KB while it runs)`,
      goal: `at most ${most.kilobytes} KB`,
      isMet: kilobytes.stopped <= most.kilobytes,
    },
    {
      what: 'local stack: CPU before it was ready, of a new data folder',
      measured: seconds(readyCpu),
      goal: `at most ${most.ready} s`,
      isMet: readyCpu <= most.ready,
    },
  ];
};

const findingsOfSlot = ({ count, first, aSecond }: Slot, bare: Bare): Finding[] => [
  {
    what: `local stack: webhooks a second, ${whole(count)} owed at one slot`,
    measured: `${Math.round(aSecond)}  (${(aSecond / bare.aSecond).toFixed(3)} of a bare loop's ${whole(Math.round(bare.aSecond))})`,
    goal: `at least ${minRate}`,
    isMet: aSecond >= minRate,
  },
  {
    what: 'local stack: the first of them after the slot',
    measured: seconds(first),
    goal: `at most ${most.first} s`,
    isMet: first <= most.first,
  },
];

type Restart = { seconds: number; without: number };

const findingsOfStart = ({ seconds: taken, without }: Restart, stored: number, megabytes: number): Finding[] => [
  {
    what: `local stack: a restart with ${whole(stored)} alerts`,
    measured: `${seconds(taken)}  (${ratio(taken / without)} of one without them)`,
    goal: `at most ${most.restart} s`,
    isMet: taken <= most.restart,
  },
  {
    what: "local stack: the most memory of the service's process",
    measured: `${Math.round(megabytes)} MB`,
    goal: '',
    isMet: null,
  },
];
