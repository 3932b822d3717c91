import * as v from 'valibot';
import type { Clock } from '../clock.ts';
import { number, type State, text } from '../state.ts';

/** The answer of a sink; without `times`, until it is changed. */
export const SinkAnswer = v.object({
  status: v.optional(v.pipe(v.number(), v.integer(), v.minValue(200), v.maxValue(599)), 200),
  body: v.optional(v.string(), ''),
  delayMs: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(600_000)), 0),
  times: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1))),
  headers: v.optional(v.record(v.string(), v.string()), {}),
});
export type SinkAnswer = v.InferOutput<typeof SinkAnswer>;

/** A request that came to a sink, the body as it was sent. */
export type SinkRequest = {
  method: string;
  path: string;
  headers: Readonly<Record<string, string>>;
  body: string;
  time: string;
};

/** Endpoints of pretended merchants: they record what they receive and answer as configured. */
export type Sinks = {
  /** Records a request and says how to answer it. */
  take(name: string, request: Omit<SinkRequest, 'time'>): SinkAnswer;
  list(name: string): SinkRequest[];
  tell(name: string, answer: SinkAnswer): void;
  /** Forgets what came and how to answer. */
  clear(name: string): void;
  clearAll(): void;
};

const schema = `
  CREATE TABLE IF NOT EXISTS sink_requests (
    id INTEGER PRIMARY KEY AUTOINCREMENT, sink TEXT NOT NULL, request TEXT NOT NULL) STRICT;
  CREATE INDEX IF NOT EXISTS sink_requests_sink ON sink_requests (sink, id);
  CREATE TABLE IF NOT EXISTS sink_answers (
    sink TEXT PRIMARY KEY, answer TEXT NOT NULL, times INTEGER) STRICT`;

const usual: SinkAnswer = { status: 200, body: 'ok', delayMs: 0, times: undefined, headers: {} };

/** Opens the sinks as they were left. */
export const openSinks = (state: State, clock: Clock): Sinks => {
  state.database.exec(schema);
  const sql = {
    insert: state.database.prepare('INSERT INTO sink_requests (sink, request) VALUES (?, ?)'),
    list: state.database.prepare('SELECT request FROM sink_requests WHERE sink = ? ORDER BY id'),
    forget: state.database.prepare('DELETE FROM sink_requests WHERE sink = ?'),
    answer: state.database.prepare('SELECT answer, times FROM sink_answers WHERE sink = ?'),
    tell: state.database.prepare('INSERT OR REPLACE INTO sink_answers (sink, answer, times) VALUES (?, ?, ?)'),
    use: state.database.prepare('UPDATE sink_answers SET times = times - 1 WHERE sink = ?'),
    untell: state.database.prepare('DELETE FROM sink_answers WHERE sink = ?'),
  };
  const answerOf = (name: string): SinkAnswer => {
    const row = sql.answer.get(name);
    if (!row) return usual;
    // With `times` gone the row goes too, and the sink answers as usual again.
    if (row['times'] !== null) sql.use.run(name);
    if (row['times'] !== null && number(row, 'times') <= 1) sql.untell.run(name);
    return JSON.parse(text(row, 'answer'));
  };
  return {
    take: (name, request) =>
      state.together(() => {
        sql.insert.run(name, JSON.stringify({ ...request, time: new Date(clock.now()).toISOString() }));
        return answerOf(name);
      }),
    list: (name) => sql.list.all(name).map((row) => JSON.parse(text(row, 'request'))),
    tell: (name, answer) => void sql.tell.run(name, JSON.stringify(answer), answer.times ?? null),
    clear: (name) => {
      sql.forget.run(name);
      sql.untell.run(name);
    },
    clearAll: () => state.database.exec('DELETE FROM sink_requests; DELETE FROM sink_answers'),
  };
};
