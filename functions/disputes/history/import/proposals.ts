import type { DescriptorClaim } from '#core/kernel/descriptor.ts';
import { longestDescriptor } from '#core/kernel/descriptor.ts';
import { shortestPrefix } from '#disputes/enrollments/enrollment.ts';
import { enrolledProviders, isEnrolledByNetwork } from '#disputes/providers/providers.ts';
import type { ChargeStatistics } from './charge-statistics.ts';

type EnrolledProvider = (typeof enrolledProviders)[number];

/** An item to enroll, as `enrollment/create` takes it, with the charges that speak for it. */
export type EnrollmentProposal = {
  provider: EnrolledProvider[];
  descriptor: string | null;
  match_type: 'Exact' | 'Starts with' | null;
  network_bin: string | null;
  network_caid: string | null;
  charges: number;
  last_charge_at: string;
};

/** The number of descriptors, and of acceptors, that are proposed: those with the most charges. */
const maxProposals = 20;

const namesByCharges = (names: ChargeStatistics['descriptors']) =>
  Object.entries(names)
    .sort(([, one], [, other]) => other.charges - one.charges)
    .slice(0, maxProposals);

const byDescriptor = enrolledProviders.filter((one) => !isEnrolledByNetwork(one));
const byNetwork = enrolledProviders.filter(isEnrolledByNetwork);

/** Everything that charges of an import were made under, whether or not it is enrolled. */
export const proposeAll = ({ descriptors, acceptors }: ChargeStatistics): EnrollmentProposal[] => [
  ...namesByCharges(descriptors).flatMap(([descriptor, { charges, last }]) => {
    const isPrefix = descriptor.endsWith('*');
    const length = [...descriptor].length;
    if (length > longestDescriptor || (isPrefix && length < shortestPrefix)) return [];
    const match_type = isPrefix ? ('Starts with' as const) : ('Exact' as const);
    const named = { descriptor, match_type, network_bin: null, network_caid: null };
    return [{ provider: [...byDescriptor], ...named, charges, last_charge_at: last }];
  }),
  ...namesByCharges(acceptors).map(([pair, { charges, last }]) => {
    const [network_bin = '', network_caid = ''] = pair.split('/');
    const named = { descriptor: null, match_type: null, network_bin, network_caid };
    return { provider: [...byNetwork], ...named, charges, last_charge_at: last };
  }),
];

/** The claim that an enrollment of a proposal would make. */
export const toClaim = ({ descriptor, match_type, network_bin, network_caid }: EnrollmentProposal): DescriptorClaim =>
  descriptor === null
    ? { rule: 'BIN_CAID', text: `${network_bin}/${network_caid}` }
    : { rule: match_type === 'Exact' ? 'EXACT' : 'PREFIX', text: descriptor };
