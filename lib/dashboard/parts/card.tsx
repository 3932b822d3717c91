import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

/** A part of a screen with a heading of its own. */
export const Card = ({
  title,
  actions,
  children,
}: {
  title: string;
  actions?: ComponentChildren;
  children: ComponentChildren;
}) => {
  const id = useId();
  return (
    <section class="card" aria-labelledby={id}>
      <header>
        <h2 id={id}>{title}</h2>
        {actions && <div class="buttons">{actions}</div>}
      </header>
      {children}
    </section>
  );
};
