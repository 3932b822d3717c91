import type { ComponentChildren } from 'preact';
import { amountText } from './money.ts';

export type Step = {
  key: string;
  /** Steps that move nothing are small. */
  look?: 'lost' | 'won' | 'tiny' | undefined;
  what: ComponentChildren;
  /** When, by whom and why. */
  beneath: readonly ComponentChildren[];
  /** The amount that it moved, with its sign, and the amount that is left afterwards. */
  moved?: string | undefined;
  left?: string | undefined;
};

type StoryProps = {
  title: string;
  /** The headings of the columns of money. */
  heads: readonly [moved: string, left: string];
  currency: string;
  steps: readonly Step[];
};

const signAmount = (amount: string, currency: string): string =>
  `${amount.startsWith('-') ? '' : '+'}${amountText(amount, currency)}`;

/** The past of a payment or an order: each step with its money, the oldest first. */
export const Story = ({ title, heads: [moved, left], currency, steps }: StoryProps) => {
  const hasLeft = steps.some((step) => step.left !== undefined);
  return (
    <section class="fact">
      <header class="story-head">
        <h2>{title}</h2>
        <span>{moved}</span>
        {hasLeft && <span>{left}</span>}
      </header>
      <ol class={`story ${hasLeft ? 'ledgered' : 'summed'}`}>
        {steps.map((step) => (
          <li key={step.key} class={step.look}>
            <span class="mark" aria-hidden="true" />
            <span class="what">
              {step.what}
              {step.beneath.filter(Boolean).map((words, index) => (
                <small key={index}>{words}</small>
              ))}
            </span>
            <span class="sum">{step.moved !== undefined && signAmount(step.moved, currency)}</span>
            {hasLeft && (
              <span class="left">
                {step.left !== undefined && (
                  <>
                    <span class="unseen">{left}: </span>
                    {amountText(step.left, currency)}
                  </>
                )}
              </span>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
};
