import * as v from 'valibot';

/** A measurement for `writeMetric`. CloudWatch has no unit for minutes. */
type Measured = {
  name: string;
  value: number;
  unit: 'Count' | 'Seconds' | 'None';
  dimensions?: Readonly<Record<string, string>>;
};

type Row = Readonly<Record<string, unknown>> | undefined;
/** A change of a row; undefined if the row did not exist before, or does not exist after. */
type Change = { before: Row; after: Row };

/** The time within which the first webhook of an alert must be attempted. */
const firstWebhookSeconds = 60;

const Alert = v.object({
  providerAlert: v.object({ provider: v.string(), test: v.optional(v.boolean(), false) }),
  owner: v.nullable(v.object({})),
  status: v.string(),
  receivedAt: v.string(),
  updatedAt: v.nullable(v.string()),
  deadlinePassed: v.boolean(),
  late: v.boolean(),
});
const AlertItem = v.object({ entity: v.picklist(['ALERT', 'UNMATCHED']), alert: Alert });
const DeliveryItem = v.object({
  entity: v.literal('DELIVERY'),
  kind: v.string(),
  createdAt: v.string(),
  attempts: v.array(v.object({ at: v.string() })),
});
const OutcomeItem = v.object({
  entity: v.literal('OUTCOME'),
  provider: v.string(),
  isFinal: v.boolean(),
  createdAt: v.string(),
  acceptedAt: v.nullable(v.string()),
  lateAt: v.nullable(v.string()),
});

/**
 * Measures what the merchant notices in changes of the table: alerts received and matched, the time to the first webhook, to the answer and from there to the
 * network, and answers that were late or never came. Counted per provider; test alerts are left out. A change that the stream repeats counts again.
 */
export const measureChanges = (changes: readonly Change[]): Measured[] =>
  changes.flatMap((change) => [...measureAlert(change), ...measureDelivery(change), ...measureOutcome(change)]);

const measureAlert = (change: Change): Measured[] => {
  const after = readRow(AlertItem, change.after)?.alert;
  if (!after || after.providerAlert.test) return [];
  const before = readRow(AlertItem, change.before)?.alert;
  const dimensions = { Provider: after.providerAlert.provider };
  const count = (name: string, happened: boolean): Measured[] =>
    happened ? [{ name, value: 1, unit: 'Count', dimensions }] : [];
  const isAnswered = !isAnswer(before?.status) && isAnswer(after.status) && after.updatedAt !== null;
  return [
    ...count('AlertsReceived', before === undefined),
    ...count('AlertsMatched', after.owner !== null && !before?.owner),
    ...count('AlertsAnsweredLate', after.late && !before?.late),
    ...count('AlertsUnanswered', after.deadlinePassed && !before?.deadlinePassed),
    ...(isAnswered
      ? [{ name: 'MinutesToAnswer', value: minutesBetween(after.receivedAt, after.updatedAt), unit, dimensions }]
      : []),
  ];
};

const unit = 'None' as const;
const isAnswer = (status: string | undefined): boolean => status === 'RESOLVED' || status === 'DECLINED';

const measureDelivery = (change: Change): Measured[] => {
  const after = readRow(DeliveryItem, change.after);
  const before = readRow(DeliveryItem, change.before);
  const [first] = after?.attempts ?? [];
  if (!first || after?.kind !== 'new_alert' || (before?.attempts.length ?? 0) > 0) return [];
  const value = secondsBetween(after.createdAt, first.at);
  return [
    { name: 'SecondsToFirstWebhook', value, unit: 'Seconds' },
    { name: 'FirstWebhooksLate', value: value > firstWebhookSeconds ? 1 : 0, unit: 'Count' },
  ];
};

/** An outcome is on time until `lateAt`, two hours before the deadline; after that it counts as late. */
const measureOutcome = (change: Change): Measured[] => {
  const after = readRow(OutcomeItem, change.after);
  const before = readRow(OutcomeItem, change.before);
  if (!after?.isFinal || after.acceptedAt === null || before?.acceptedAt) return [];
  const dimensions = { Provider: after.provider };
  const value = minutesBetween(after.createdAt, after.acceptedAt);
  const isTimed = Boolean(before?.lateAt && after.acceptedAt <= before.lateAt);
  return [
    { name: 'MinutesToNetwork', value, unit, dimensions },
    ...(isTimed ? [{ name: 'OutcomesOnTime', value: 1, unit: 'Count', dimensions } as const] : []),
  ];
};

const readRow = <S extends v.GenericSchema>(schema: S, item: unknown): v.InferOutput<S> | undefined => {
  const result = v.safeParse(schema, item);
  return result.success ? result.output : undefined;
};

/** Rounded, because more decimals have no meaning and a long row of digits in a log can look like a card number. */
const secondsBetween = (from: string, to: string | null): number =>
  Math.max(0, Math.round((Date.parse(to ?? from) - Date.parse(from)) / 100) / 10);
const minutesBetween = (from: string, to: string | null): number => Math.round(secondsBetween(from, to) / 6) / 10;
