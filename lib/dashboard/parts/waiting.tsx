import { translate } from '../language/translate.ts';

/** Rows that are still to come. */
export const Waiting = ({ rows = 6 }: { rows?: number }) => (
  <div class="waiting" role="status">
    <span class="unseen">{translate('Loading')}</span>
    {Array.from({ length: rows }, (_, index) => (
      <div key={index} />
    ))}
  </div>
);
