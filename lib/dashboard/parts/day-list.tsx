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

/** Entries under a heading. `more`: what can be done with all of them. */
export type Group = { key: string; title?: string; more?: ComponentChildren; entries: readonly Entry[] };

type DayListProps = { caption: string; failedTitle?: string; entries: readonly Entry[] };

/** Rows under their days, newest first as they come; those that failed are on top under a heading of their own. */
export const DayList = ({ caption, failedTitle, entries }: DayListProps) => {
  const failed = entries.filter((one) => one.failed);
  const days = Map.groupBy(
    entries.filter((one) => !one.failed),
    ({ at }) => dayIn(at, zone.value),
  );
  const groups = [...days].map(([key, own]) => ({
    ...{ key, entries: own },
    title: longDayText(own[0]?.at ?? key, zone.value, minute.value),
  }));
  const first = { key: 'failed', title: failedTitle ?? translate('Failed'), entries: failed };
  return <Groups caption={caption} groups={failed.length > 0 ? [first, ...groups] : groups} />;
};

/** Rows under headings; the row keys move from one to the next. */
export const Groups = ({ caption, groups }: { caption: string; groups: readonly Group[] }) => {
  const place = useRef<HTMLElement>(null);
  useRowKeys(place, '.entry');
  return (
    <section class="days" ref={place} aria-label={caption}>
      {groups.map(({ key, title, more, entries }) => (
        <section key={key} aria-label={title}>
          {title && (
            <header class="leading">
              <h2>{title}</h2>
              {more}
            </header>
          )}
          <ul>{entries.map(toRow)}</ul>
        </section>
      ))}
    </section>
  );
};

const toRow = ({ key, href, title, text, side, failed, numbers }: Entry) => (
  <li key={key} class="entry">
    <p class="leading">
      {href === undefined ? <strong>{title}</strong> : <a href={href}>{title}</a>}
      <span class="ending">{side}</span>
    </p>
    {(text || numbers) && (
      <div class="quiet small">
        {text}
        {numbers && (
          <span class="numbers">
            {text && ' · '}
            {numbers}
          </span>
        )}
      </div>
    )}
    {failed && <p class="small failed">{failed}</p>}
  </li>
);
