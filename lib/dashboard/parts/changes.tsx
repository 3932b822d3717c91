import type { ChangeLine } from './change-line.ts';
import { Time } from './time.tsx';

/** Old and new values, a line for each. */
export const Changes = ({ lines }: { lines: readonly ChangeLine[] }) =>
  lines.length === 0 ? null : (
    <ul class="plain-list small tight">
      {lines.map(({ label, from, to, isTime = false }) => (
        <li key={label}>
          <span class="quiet">{label}:</span>{' '}
          {from !== undefined && (
            <>
              <s class="quiet">{isTime ? <Time at={from} /> : from}</s> →{' '}
            </>
          )}
          {isTime && to !== '–' ? <Time at={to} /> : to}
        </li>
      ))}
    </ul>
  );
