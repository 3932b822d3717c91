import type { Rates } from './world/faults.ts';

/** The behaviour of those outside of the service, from 0 to 1. */
export type Manners = {
  /** The rate at which endpoints of merchants hang, break off, redirect, or answer garbage. */
  hostility: number;
  /** The rate at which networks fail, lose answers or refuse calls. */
  moods: number;
};
/** `isRelease`: two releases are deployed, the one before this one and this one. */
export type Profile = { rates: Rates; isRelease?: true } & Manners;

const kills = { 'killed before': 0.004, 'killed after': 0.004, 'killed in exchange': 0.04 } as const;
const losses = {
  'request lost': 0.008,
  'answer lost': 0.012,
  throttled: 0.008,
  'transaction throttled': 0.02,
  'call hangs': 0.0005,
} as const;
const disorder = {
  'batch partly refused': 0.02,
  'read partly refused': 0.02,
  'message doubled': 0.06,
  'message lost': 0.03,
  'message late': 0.03,
  'deletion lost': 0.02,
  'function throttled': 0.02,
  'stream doubled': 0.05,
  'stream twice at once': 0.05,
  'stream late': 0.1,
  'shard split': 0.01,
  'sweep missed': 0.1,
  'sweep doubled': 0.15,
  'sweep late': 0.15,
  'schedule lost': 0.3,
  'schedule doubled': 0.3,
  'index stale': 0.2,
  'transaction slow': 0.02,
  'clock skewed': 0.5,
} as const;

const scale = (rates: Rates, factor: number): Rates =>
  Object.fromEntries(Object.entries(rates).map(([fault, rate]) => [fault, rate * factor]));

/**
 * The faults that occur together. In `calm` there are none, except for what AWS does on any day: conflicts, and indexes that lag
 * a little.
 */
export const profiles = {
  calm: { rates: {}, hostility: 0, moods: 0 },
  hostile: { rates: {}, hostility: 1, moods: 1 },
  kills: { rates: kills, hostility: 0.1, moods: 0.1 },
  losses: { rates: losses, hostility: 0.1, moods: 0.1 },
  disorder: { rates: disorder, hostility: 0.2, moods: 0.2 },
  all: { rates: scale({ ...kills, ...losses, ...disorder }, 0.6), hostility: 0.4, moods: 0.4 },
  release: { rates: scale({ ...kills, ...losses, ...disorder }, 0.3), hostility: 0.2, moods: 0.2, isRelease: true },
} as const satisfies Record<string, Profile>;
export type ProfileName = keyof typeof profiles;
export const profileNames = Object.keys(profiles) as ProfileName[];
