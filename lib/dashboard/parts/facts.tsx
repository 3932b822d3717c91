import type { ComponentChildren } from 'preact';

export type Fact = readonly [label: string, value: ComponentChildren];

const isEmpty = (value: ComponentChildren): boolean =>
  value === undefined || value === null || value === false || value === '';

/** Names and values; those without a value are left out. */
export const Facts = ({ facts }: { facts: readonly Fact[] }) => (
  <dl class="facts">
    {facts
      .filter(([, value]) => !isEmpty(value))
      .map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
  </dl>
);
