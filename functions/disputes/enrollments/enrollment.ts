import { binCaidText, type DescriptorClaim, longestDescriptor, normaliseDescriptor } from '#core/kernel/descriptor.ts';
import { type EnrolledProvider, enrolledProviders, isEnrolledByNetwork } from '#disputes/providers/providers.ts';
import type { itemStatuses, matchTypes, ProviderName } from './enrollment-vocabulary.ts';

export type DescriptorProvider = EnrolledProvider;
export type MatchType = (typeof matchTypes)[number];
export type ItemStatus = (typeof itemStatuses)[number];
export type OverallStatus = ItemStatus | 'PARTIALLY ENROLLED';

export type EnrollmentItem = {
  /** From 0, in the order of the request; an item sent for two providers becomes two of these. */
  number: number;
  provider: DescriptorProvider;
  /** As sent; empty if the item is enrolled by network and has none. */
  descriptor: string;
  /** Null only if it is enrolled by network: a descriptor is then matched exactly. */
  matchType: MatchType | null;
  mcc: string | null;
  networkBin: string | null;
  networkCaid: string | null;
  networkArn: string | null;
  rdrRuleset: string | null;
  status: ItemStatus;
  lastActivity: string;
  /** Since when (ISO) it has been ENROLLED without a break; null while it is not. */
  enrolledAt: string | null;
  /** The status it gets automatically, and when (ISO); null: it stays until a person sets another. */
  next: { status: ItemStatus; at: string } | null;
};

export type Enrollment = {
  enrollmentId: number;
  sid: number;
  mid: number;
  rid: number;
  merchantName: string;
  siteName: string;
  emailCcList: readonly string[];
  /** The provider that enrolls its items. */
  providedBy: ProviderName;
  createdAt: string;
  updatedAt: string;
  items: readonly EnrollmentItem[];
  /** Goes up with every write. */
  version: number;
};

/** One item as sent; see the schema NewItem. */
export type SentItem = {
  provider: readonly DescriptorProvider[];
  descriptor?: string | null | undefined;
  match_type?: MatchType | null | undefined;
  mcc?: string | null | undefined;
  network_bin?: string | null | undefined;
  network_caid?: string | null | undefined;
  network_arn?: string | null | undefined;
  rdr_ruleset?: string | null | undefined;
};

/** A shorter prefix would match many merchants' descriptors. */
export const shortestPrefix = 4;
/** An item counts once for each of its providers: every prefix of its descriptor is looked up. */
export const maxItemsOfRequest = 100;

export type FieldProblem = { field: keyof SentItem; words: string };

/**
 * Describes the problems of one item beyond each field's form: the requirements of its providers, and the length of the normalised
 * descriptor.
 */
export const fieldProblems = (item: SentItem): FieldProblem[] => {
  const { provider, descriptor, match_type, network_bin, network_caid, network_arn } = item;
  const problems: FieldProblem[] = [];
  const add = (field: keyof SentItem, words: string) => void problems.push({ field, words });
  if (provider.some((one) => !isEnrolledByNetwork(one))) {
    const need = `is required for ${providerNames(false)}`;
    if (!descriptor) add('descriptor', need);
    if (!match_type) add('match_type', need);
  }
  if (provider.some(isEnrolledByNetwork) && !network_arn) {
    const need = `is required for ${providerNames(true)}, with the other one of network_bin and network_caid, unless network_arn is given`;
    if (!network_bin) add('network_bin', need);
    if (!network_caid) add('network_caid', need);
  }
  if (descriptor && match_type === 'Starts with' && normaliseDescriptor(descriptor).length < shortestPrefix) {
    add('descriptor', `must have at least ${shortestPrefix} characters with match_type Starts with`);
  }
  if (descriptor && [...normaliseDescriptor(descriptor)].length > longestDescriptor) {
    add('descriptor', `must have at most ${longestDescriptor} characters in upper case`);
  }
  return problems;
};

/** The providers that are enrolled by network, or those that are not, in words. */
const providerNames = (byNetwork: boolean): string =>
  new Intl.ListFormat('en-GB').format(enrolledProviders.filter((one) => isEnrolledByNetwork(one) === byNetwork));

const itemId = (item: SentItem, provider: DescriptorProvider): string =>
  JSON.stringify([
    provider,
    normaliseDescriptor(item.descriptor ?? ''),
    ...(isEnrolledByNetwork(provider)
      ? [item.network_bin ?? '', item.network_caid ?? '', item.network_arn ?? '']
      : [item.match_type]),
  ]);

/** Which items repeat an earlier one, each named by its place; empty if none does. */
export const repeatedItems = (items: readonly SentItem[]): string[] => {
  const seen = new Map<string, number>();
  return items.flatMap((item, index) =>
    item.provider.flatMap((provider) => {
      const identity = itemId(item, provider);
      const first = seen.get(identity);
      if (first !== undefined) {
        return `enrollment_items.${index}.provider: repeats enrollment_items.${first} for ${provider}`;
      }
      seen.set(identity, index);
      return [];
    }),
  );
};

/** The items of a new request: one per provider, PENDING. `at` is ISO. */
export const newItems = (items: readonly SentItem[], at: string): EnrollmentItem[] =>
  items
    .flatMap((item) => item.provider.map((provider) => ({ item, provider })))
    .map(({ item, provider }, number) => ({
      number,
      provider,
      descriptor: item.descriptor ?? '',
      matchType: item.match_type ?? null,
      mcc: item.mcc ?? null,
      networkBin: (isEnrolledByNetwork(provider) && item.network_bin) || null,
      networkCaid: (isEnrolledByNetwork(provider) && item.network_caid) || null,
      networkArn: (isEnrolledByNetwork(provider) && item.network_arn) || null,
      rdrRuleset: (isEnrolledByNetwork(provider) && item.rdr_ruleset) || null,
      status: 'PENDING',
      lastActivity: at,
      enrolledAt: null,
      next: null,
    }));

/** Returns the claims of an item once it is ENROLLED. */
export const claimsOfItem = (item: EnrollmentItem): DescriptorClaim[] => {
  const { descriptor, matchType, networkBin, networkCaid, networkArn } = item;
  const text = normaliseDescriptor(descriptor);
  return [
    ...(networkBin && networkCaid ? [{ rule: 'BIN_CAID', text: binCaidText(networkBin, networkCaid) } as const] : []),
    ...(networkArn ? [{ rule: 'ARN', text: networkArn } as const] : []),
    ...(text === '' ? [] : [{ rule: matchType === 'Starts with' ? 'PREFIX' : 'EXACT', text } as const]),
  ];
};

/** The name of items of a request: all given fields must match. */
export type ItemName = Pick<SentItem, 'descriptor' | 'network_bin' | 'network_caid' | 'network_arn'> & {
  provider: DescriptorProvider;
};

/** Why this cannot name an item; undefined if it can. */
export const itemNameProblem = (name: ItemName): string | undefined => {
  if (name.descriptor) return undefined;
  if (!isEnrolledByNetwork(name.provider)) return 'descriptor: is required';
  if (name.network_arn || (name.network_bin && name.network_caid)) return undefined;
  return 'descriptor: is required, or network_bin with network_caid, or network_arn';
};

/** Checks whether an item is one of those named. */
export const isNamed = (item: EnrollmentItem, name: ItemName): boolean =>
  item.provider === name.provider &&
  (!name.descriptor || normaliseDescriptor(item.descriptor) === normaliseDescriptor(name.descriptor)) &&
  (!name.network_bin || item.networkBin === name.network_bin) &&
  (!name.network_caid || item.networkCaid === name.network_caid) &&
  (!name.network_arn || item.networkArn === name.network_arn);

/** The item with another status, which no longer changes by itself. `at` is ISO. */
export const withStatus = (item: EnrollmentItem, status: ItemStatus, at: string): EnrollmentItem => ({
  ...item,
  status,
  lastActivity: at,
  enrolledAt: status === 'ENROLLED' ? (item.enrolledAt ?? at) : null,
  next: null,
});

/** From the least advanced to the most. */
const advancement: readonly ItemStatus[] = [
  'PENDING',
  'WAITING FOR ACTION',
  'WAITING FOR PROVIDER',
  'FAILED',
  'UNENROLLED',
  'ENROLLED',
];

/** One status for a request: its items' if they share it, PARTIALLY ENROLLED if some are, else the least advanced. */
export const overallStatus = (items: readonly Pick<EnrollmentItem, 'status'>[]): OverallStatus => {
  const present = advancement.filter((status) => items.some((item) => item.status === status));
  const [least = 'PENDING', ...others] = present;
  return others.length > 0 && present.includes('ENROLLED') ? 'PARTIALLY ENROLLED' : least;
};

const isFinal = ({ status }: Pick<EnrollmentItem, 'status'>): boolean =>
  status === 'ENROLLED' || status === 'FAILED' || status === 'UNENROLLED';

/** When (ISO) the last item of a request was decided; null while one is not. */
export const completedAt = (items: readonly EnrollmentItem[]): string | null =>
  items.every(isFinal)
    ? (items
        .map(({ lastActivity }) => lastActivity)
        .sort()
        .at(-1) ?? null)
    : null;

/** When (ISO) any of a request's items last changed. */
export const lastActivity = ({ items, createdAt }: Pick<Enrollment, 'items' | 'createdAt'>): string =>
  items
    .map((item) => item.lastActivity)
    .sort()
    .at(-1) ?? createdAt;

/** The places of the body's items that became the given ones. */
export const namePlaces = (sent: readonly SentItem[], items: readonly EnrollmentItem[]): string[] => {
  const origins = sent.flatMap(({ provider }, index) => provider.map(() => index));
  return items.map(({ number, provider }) => `enrollment_items.${origins[number]} (${provider})`);
};

/** Said whether or not something overlaps: a merchant must not learn what others have enrolled. */
export const createdMessage = 'The enrollment request was created';
