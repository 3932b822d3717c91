/** Screens on which things are set up. Loaded together: one file of them is a fifth smaller than one for each. */
export { Account } from './account.tsx';
export { Enrollments } from './enrollments.tsx';
export { People } from './people.tsx';
export { RulePage } from './rule.tsx';
export { Rules } from './rules.tsx';
export { SitePage } from './site.tsx';
export { Sites } from './sites.tsx';
export { Unmatched } from './unmatched.tsx';
