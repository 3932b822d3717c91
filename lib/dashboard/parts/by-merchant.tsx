import type { ComponentChildren } from 'preact';
import { isOperator, presentMid } from '../app/merchant.ts';
import { translate } from '../language/translate.ts';

/** A list for one merchant at a time; an operator who has chosen none is asked to. `what`: plural, at the beginning of a sentence. */
export const ByMerchant = ({ what, children }: { what: string; children: ComponentChildren }) =>
  isOperator() && presentMid() === undefined ? (
    <div class="empty">
      <p>{translate('{what} are listed merchant by merchant. Choose one at the top of the page.', { what })}</p>
    </div>
  ) : (
    children
  );
