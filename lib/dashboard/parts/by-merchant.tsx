import type { ComponentChildren } from 'preact';
import { isOperator, presentMid } from '../app/merchant.ts';
import { translate } from '../language/translate.ts';

type Props = {
  what: string;
  /** The heading of a list with a pane, which the list shows otherwise. */
  heading?: ComponentChildren;
  children: ComponentChildren;
};

/** A list for one merchant at a time; an operator who has chosen none is asked to. `what`: plural, at the beginning of a sentence. */
export const ByMerchant = ({ what, heading, children }: Props) =>
  isOperator() && presentMid() === undefined ? (
    <div class="empty">
      {heading}
      <p>{translate('{what} are listed merchant by merchant. Choose one at the top of the page.', { what })}</p>
    </div>
  ) : (
    children
  );
