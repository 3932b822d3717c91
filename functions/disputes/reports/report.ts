import { formatAmount } from '#core/kernel/money/money.ts';
import { makeRecord } from '#core/kernel/record-of.ts';
import { alertTypes } from '#disputes/providers/provider-alert.ts';
import { type AmountFigure, type Answerer, alertFates, answerClasses, type Figures, figureName } from './alert-day.ts';

const addUp = (days: readonly Figures[]): Figures => {
  const sums = new Map<string, number>();
  for (const figures of days) for (const [name, n] of figures) sums.set(name, (sums.get(name) ?? 0) + n);
  return sums;
};

const figureSums = (figures: Figures, what: AmountFigure) =>
  [...figures]
    .flatMap(([name, n]) => {
      const [word, currency = ''] = name.split('|');
      return word === what && n !== 0 ? [{ currency, amount: formatAmount({ minor: BigInt(n), currency }) }] : [];
    })
    .sort((left, right) => (left.currency < right.currency ? -1 : 1));

const classCounts = (figures: Figures) =>
  answerClasses.map((upper) => ({ upper, n: figures.get(figureName.answered(upper)) ?? 0 }));

/** From a day's figures, those of alerts that one answerer has answered, under their plain names. */
const figuresBy = (figures: Figures, who: Answerer): Figures => {
  const start = figureName.by(who, '');
  return new Map([...figures].flatMap(([name, n]) => (name.startsWith(start) ? [[name.slice(start.length), n]] : [])));
};

const answererDto = (figures: Figures, who: Answerer) => {
  const own = figuresBy(figures, who);
  return {
    answered: classCounts(own).reduce((sum, { n }) => sum + n, 0),
    resolved: own.get(figureName.fate('resolved')) ?? 0,
    declined: own.get(figureName.fate('declined')) ?? 0,
    in_time: own.get(figureName.inTime) ?? 0,
    refunded: figureSums(own, 'refunded'),
    refunded_elsewhere: figureSums(own, 'refunded_elsewhere'),
    median_minutes: medianTime(own),
  };
};

/** The upper end of the class that contains the median answer; null if nothing was answered. */
const medianTime = (figures: Figures): number | null => {
  const counts = classCounts(figures);
  const all = counts.reduce((sum, { n }) => sum + n, 0);
  let seen = 0;
  for (const { upper, n } of counts) {
    seen += n;
    if (n > 0 && seen * 2 >= all) return upper;
  }
  return null;
};

/** Figures as they are answered. */
const toReportDto = (figures: Figures) => {
  const n = (name: string) => figures.get(name) ?? 0;
  const byType = alertTypes
    .map((type) => [type, n(figureName.received(type))] as const)
    .filter(([, count]) => count > 0);
  const fates = makeRecord(alertFates, (fate) => n(figureName.fate(fate)));
  return {
    received: byType.reduce((sum, [, count]) => sum + count, 0),
    by_type: Object.fromEntries(byType),
    ...fates,
    in_time: n(figureName.inTime),
    by_rule: n(figureName.byRule),
    answered_by: { rule: answererDto(figures, 'rule'), person: answererDto(figures, 'person') },
    refunded: figureSums(figures, 'refunded'),
    refunded_elsewhere: figureSums(figures, 'refunded_elsewhere'),
    prevented: figureSums(figures, 'prevented'),
    lost: figureSums(figures, 'lost'),
    median_minutes: medianTime(figures),
  };
};

type Day = { day: string; figures: Figures };

/** Days, or months of them, as a report lists them; and all of them together. */
export const alertReportOf = (days: readonly Day[], group: 'day' | 'month') => {
  const groups = new Map<string, Figures[]>();
  for (const { day, figures } of days) {
    const date = group === 'day' ? day : day.slice(0, 'YYYY-MM'.length);
    groups.set(date, [...(groups.get(date) ?? []), figures]);
  }
  return {
    list: [...groups].map(([date, some]) => ({ date, ...toReportDto(addUp(some)) })),
    totals: toReportDto(addUp(days.map(({ figures }) => figures))),
  };
};
