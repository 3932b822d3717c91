import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { minute } from '../app/clock.ts';
import { zone } from '../app/preferences.ts';
import { translate } from '../language/translate.ts';
import { useRowKeys } from './table.tsx';
import { dayIn, longDayText } from './times.ts';

/** A row of a list by days. `failed`: what is wrong, and the next step; such rows are on top. */
export type Entry = {
  key: string;
  at: string;
  href?: string;
  title: ComponentChildren;
  text?: ComponentChildren;
  /** At the end of the first line: its state and its time. */
  side?: ComponentChildren;
  failed?: ComponentChildren;
  /** Numbers, last and small. */
  numbers?: ComponentChildren;
};

type DayListProps = { caption: string; failedTitle?: string; entries: readonly Entry[] };

/** Rows under their days, newest first as they come; those that failed are on top under a heading of their own. */
export const DayList = ({ caption, failedTitle, entries }: DayListProps) => {
  const place = useRef<HTMLElement>(null);
  useRowKeys(place, '.entry');
  const failed = entries.filter((one) => one.failed);
  const days = Map.groupBy(
    entries.filter((one) => !one.failed),
    ({ at }) => dayIn(at, zone.value),
  );
  return (
    <section class="days" ref={place} aria-label={caption}>
      {failed.length > 0 && <Part title={failedTitle ?? translate('Failed')} entries={failed} />}
      {[...days].map(([day, own]) => (
        <Part key={day} title={longDayText(own[0]?.at ?? day, zone.value, minute.value)} entries={own} />
      ))}
    </section>
  );
};

const Part = ({ title, entries }: { title: string; entries: readonly Entry[] }) => (
  <section>
    <h2>{title}</h2>
    <ul>
      {entries.map(({ key, href, title: name, text, side, failed, numbers }) => (
        <li key={key} class="entry">
          <p class="leading">
            {href === undefined ? <strong>{name}</strong> : <a href={href}>{name}</a>}
            <span class="ending">{side}</span>
          </p>
          {text && <div class="quiet small">{text}</div>}
          {failed && <p class="small failed">{failed}</p>}
          {numbers && <p class="numbers">{numbers}</p>}
        </li>
      ))}
    </ul>
  </section>
);
