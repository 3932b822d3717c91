import type { ComponentProps } from 'preact';
import { useFetched } from '../parts/fetched.tsx';

const held: { value?: typeof import('./first-steps.tsx') } = {};

/** The steps from an empty account to the first answer: fetched when they are shown, as most accounts have done them. */
export const FirstSteps = (props: ComponentProps<typeof import('./first-steps.tsx')['FirstSteps']>) => {
  const { value: module } = useFetched(held, () => import('./first-steps.tsx'));
  return module ? <module.FirstSteps {...props} /> : null;
};
