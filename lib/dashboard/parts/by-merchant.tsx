import type { ComponentChildren } from 'preact';
import { isOperator, presentMid } from '../app/merchant.ts';

/** A list that there is for one merchant at a time; an operator who has chosen none is told so. `what`: plural, as a sentence begins. */
export const ByMerchant = ({ what, children }: { what: string; children: ComponentChildren }) =>
  isOperator() && presentMid() === undefined ? (
    <div class="empty">
      <p>{what} are listed merchant by merchant. Choose one at the top of the page.</p>
    </div>
  ) : (
    children
  );
