/** Versions of EMV 3DS that directory servers and issuers speak, the lowest first; 2.1.0 is known but not supported here. */
export const knownVersions = ['2.1.0', '2.2.0', '2.3.1'] as const;

/**
 * The highest version that both sides speak and that is not above a limit; where there is none, the lowest that they speak, by
 * which the caller sees why it cannot be done. "Highest that all parties support": https://docs.3dsecure.io/versioning.html
 */
export const pickVersion = (versions: readonly string[], limit: string): string => {
  const spoken = versions.toSorted();
  return spoken.findLast((version) => version <= limit) ?? spoken[0] ?? '';
};

/** The versions of EMV 3DS that are spoken, the lowest first. */
export const spokenVersions = ['2.2.0', '2.3.1'] as const;
export type SpokenVersion = (typeof spokenVersions)[number];
export const isSpoken = (version: string): version is SpokenVersion => spokenVersions.some((one) => one === version);
