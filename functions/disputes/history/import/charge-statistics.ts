import { schemeOf } from '#core/kernel/card/card.ts';
import { networkOfCode } from '#core/kernel/card/scheme-reasons.ts';
import { schemeNamed } from '#core/kernel/card/schemes.ts';
import { normaliseDescriptor } from '#core/kernel/descriptor.ts';
import { countedMinor } from '#core/kernel/money/counted-minor.ts';
import { formatAmount } from '#core/kernel/money/money.ts';
import type { ChargeCandidate } from '#payments/processors/ports/connected-processor.ts';
import type { ProcessorDispute } from '#payments/processors/ports/dispute.ts';

/** Sums over imported charges, from which figures and enrollments are proposed. */
export type ChargeStatistics = {
  /** By month and scheme: `2026-05|VISA`. */
  months: Readonly<Record<string, { settled: number; charged_back: number }>>;
  /** By currency, in minor units. */
  sums: Readonly<Record<string, { charged: number; refunded: number }>>;
  /** By the text to enroll; it ends in `*` where the rest differs from charge to charge. */
  descriptors: Readonly<Record<string, { charges: number; last: string }>>;
  /** By acquirer's BIN and card acceptor's id: `400001/ABC123`. */
  acceptors: Readonly<Record<string, { charges: number; last: string }>>;
};

export const noStatistics: ChargeStatistics = { months: {}, sums: {}, descriptors: {}, acceptors: {} };

/** The number of descriptors, and of acceptors, that are counted: a row has at most 400 KB. */
const maxNames = 100;

/** The number of months with schemes that are counted: three years of every scheme, and more. */
const maxMonths = 1000;

/** The text by which a descriptor is enrolled: what stands before `*` and the star, or all of it. */
export const enrolledTextOf = (descriptor: string): string => {
  const text = normaliseDescriptor(descriptor);
  const star = text.indexOf('*');
  return star > 0 ? text.slice(0, star + 1) : text;
};

/** The acquirer's BIN in an acquirer reference number: its digits 2 to 7. https://docs.stripe.com/refunds#tracing-refunds */
const acquirerBinOf = (arn: string | null): string => (arn !== null && /^\d{23}$/.test(arn) ? arn.slice(1, 7) : '');

const cardNetwork = ({ brand, first6 }: ChargeCandidate): string => brand ?? schemeOf(first6) ?? 'OTHER';

type Names = Readonly<Record<string, { charges: number; last: string }>>;

const withName = (names: Names, name: string, date: string): Names => {
  const known = names[name];
  if (name === '' || (!known && Object.keys(names).length >= maxNames)) return names;
  const last = known && known.last > date ? known.last : date;
  return { ...names, [name]: { charges: (known?.charges ?? 0) + 1, last } };
};

const monthPart = (date: string): string => date.slice(0, 'YYYY-MM'.length);

const withMonth = (
  months: ChargeStatistics['months'],
  name: string,
  by: { settled: number; charged_back: number },
): ChargeStatistics['months'] => {
  if (!Object.hasOwn(months, name) && Object.keys(months).length >= maxMonths) return months;
  const { settled, charged_back } = months[name] ?? { settled: 0, charged_back: 0 };
  return { ...months, [name]: { settled: settled + by.settled, charged_back: charged_back + by.charged_back } };
};

/** A sum of minor units; it stays at the largest number that a row stores exactly. */
const addMinor = (sum: number, minor: bigint): number => Math.min(sum + countedMinor(minor), Number.MAX_SAFE_INTEGER);

/** Adds a charge. `countsLost`: charges that were charged back are counted as such; false where disputes are read for that. */
export const addCharge = (
  { months, sums, descriptors, acceptors }: ChargeStatistics,
  charge: ChargeCandidate,
  countsLost: boolean,
): ChargeStatistics => {
  const { date, money, captured, refunded, descriptor, arn, caid, isChargedBack, chargedBackAt } = charge;
  const scheme = cardNetwork(charge);
  const settled = captured > 0n ? 1 : 0;
  const counted = withMonth(months, `${monthPart(date)}|${scheme}`, { settled, charged_back: 0 });
  const lostIn = `${monthPart(chargedBackAt ?? date)}|${scheme}`;
  const bin = acquirerBinOf(arn);
  const { charged = 0, refunded: given = 0 } = sums[money.currency] ?? {};
  return {
    months: isChargedBack && countsLost ? withMonth(counted, lostIn, { settled: 0, charged_back: 1 }) : counted,
    sums: {
      ...sums,
      [money.currency]: { charged: addMinor(charged, captured), refunded: addMinor(given, refunded) },
    },
    descriptors: withName(descriptors, enrolledTextOf(descriptor), date),
    acceptors: withName(acceptors, bin && caid ? `${bin}/${caid.trim().toUpperCase()}` : '', date),
  };
};

/** Adds a dispute that the processor listed. `network`: in the processor's words. */
export const addDispute = (
  statistics: ChargeStatistics,
  { openedAt, network, reasonCode }: Pick<ProcessorDispute, 'openedAt' | 'network' | 'reasonCode'>,
): ChargeStatistics => {
  const scheme = schemeNamed(network || networkOfCode(reasonCode)) ?? 'OTHER';
  const months = withMonth(statistics.months, `${monthPart(openedAt)}|${scheme}`, { settled: 0, charged_back: 1 });
  return { ...statistics, months };
};

/** The sums of charges and refunds per currency, as the API shows them. */
export const listSums = ({ sums }: ChargeStatistics) =>
  Object.entries(sums)
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([currency, { charged, refunded }]) => ({
      currency,
      charged: formatAmount({ minor: BigInt(charged), currency }),
      refunded: formatAmount({ minor: BigInt(refunded), currency }),
    }));

/** By month and scheme, the oldest first, on the wire. */
export const listMonths = ({ months }: ChargeStatistics) =>
  Object.entries(months)
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, counts]) => {
      const [month = '', scheme = ''] = name.split('|');
      return { month, scheme, ...counts };
    });
