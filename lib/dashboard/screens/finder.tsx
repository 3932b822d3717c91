import { useEffect, useState } from 'preact/hooks';
import { link } from '../app/address.ts';
import type { Choice as Chosen, FinderProps } from '../app/finder-open.ts';
import { cutCards, markWords, mayBecomeCard } from '../app/finder-text.ts';
import { isOperator, ofMerchant, presentMid } from '../app/merchant.ts';
import { findTargets, type Target } from '../app/palette-targets.ts';
import { theme } from '../app/preferences.ts';
import { translate } from '../language/translate.ts';
import { useLoad } from '../parts/load.ts';
import { Ring } from '../parts/ring.tsx';
import { Trouble } from '../parts/trouble.tsx';
import { type FinderGroup, type FinderHit, toGroups, tokenWords } from './finder-hits.ts';
import { searchEverything } from './finder-operation.ts';
import { createRule } from './rule-operations.ts';
import { createTestAlert } from './test-alert.tsx';

/** Waits until nothing was typed for a moment, so that not every letter is a request. */
const useSettled = (text: string, milliseconds: number): string => {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), milliseconds);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
};

const pauseMilliseconds = 180;
const shortest = 2;

type Choice = Chosen & Pick<FinderHit, 'title'> & Partial<FinderHit>;
type Group = Omit<FinderGroup, 'hits'> & { hits: readonly Choice[] };

/** What can be done from anywhere. Each only opens its screen or dialog, but for the appearance. */
const listActions = (): Choice[] => {
  const isDark =
    theme.value === 'dark' || (theme.value === 'system' && matchMedia('(prefers-color-scheme: dark)').matches);
  return [
    ...(createTestAlert.isAllowed()
      ? [{ key: 'test', href: link('/deliveries', { do: 'test-alert' }), title: translate('Send a test alert') }]
      : []),
    ...(createRule.isAllowed() ? [{ key: 'rule', href: link('/rules/new'), title: translate('New rule') }] : []),
    {
      key: 'theme',
      href: '#',
      title: isDark ? translate('Switch to light') : translate('Switch to dark'),
      act: () => {
        theme.value = isDark ? 'light' : 'dark';
      },
    },
  ];
};

const goGroup = (text: string, screens: readonly Target[]): Group => {
  const words = text.trim().toLowerCase();
  const targets = findTargets(text, screens, isOperator() && presentMid() === undefined);
  const actions = listActions().filter(({ title }) => title.toLowerCase().includes(words));
  return {
    key: 'go',
    label: translate('Go to, or do'),
    count: '',
    hits: [...targets.map(({ label, path }) => ({ key: path, href: link(path), title: label })), ...actions],
  };
};

/** Sends a text once nothing was typed for a moment. `isSent`: the reader has pressed Enter on what may be a card number. */
const useSearch = (text: string, isSent: boolean) => {
  const cut = cutCards(text);
  const settled = useSettled(cut.text, pauseMilliseconds);
  const mayAsk = presentMid() !== undefined;
  const isLong = settled.trim().length >= shortest;
  const isHeld = mayAsk && isLong && !isSent && !cut.isCut && mayBecomeCard(cut.text);
  // A card number typed with a pause is sent by its ends alone, never by the part before the pause.
  const isPart = !isSent && mayBecomeCard(settled) && !(cut.isCut && settled === cut.text);
  const isAsked = mayAsk && isLong && !isHeld && !isPart;
  const { data, error, isLoading, reload } = useLoad(
    isAsked ? JSON.stringify([settled, presentMid()]) : null,
    (signal) => searchEverything({ body: { text: settled.trim(), size: 5, ...ofMerchant() }, signal }),
  );
  const isSettled = settled === cut.text;
  const isWaiting = mayAsk && !isHeld && cut.text.trim().length >= shortest && (isLoading || !isSettled);
  // A text that was held back is sent by Enter, and not opened as well.
  const isAnswered = isSettled && data !== undefined && (cut.isCut || !mayBecomeCard(cut.text));
  return { ...cut, data, error, reload, isHeld, isWaiting, isAnswered, isUnasked: !mayAsk && isLong };
};

type Searched = ReturnType<typeof useSearch>;

/** The results as groups in their order. A screen whose name begins with the text comes before them. */
const orderGroups = ({ data, text }: Searched, screens: readonly Target[]): Group[] => {
  const go = goGroup(text, screens);
  const words = text.trim().toLowerCase();
  const isScreen = words !== '' && go.hits.some(({ title }) => title.toLowerCase().startsWith(words));
  const found = data ? toGroups(data) : [];
  return (isScreen ? [go, ...found] : [...found, go]).filter(({ hits }) => hits.length > 0);
};

/** The results beneath the field, which has the focus and knows by `handle` what can be chosen. */
export const FinderResults = ({ text, sent, active, screens, handle, onChoose }: FinderProps) => {
  const isEntered = sent !== '' && sent === text;
  const searched = useSearch(text, isEntered);
  const groups = orderGroups(searched, screens);
  const choices = groups.flatMap(({ hits }) => hits);
  // While results of an earlier text are shown, Enter waits for those of this one.
  const isStale = searched.isWaiting && groups[0]?.key !== 'go';
  handle.current = { choices: isStale ? [] : choices, isHeld: searched.isHeld };
  const first = isEntered && searched.isAnswered ? choices[0] : undefined;
  useEffect(() => {
    if (first) onChoose(first);
  }, [first?.key]);
  return (
    <>
      <Notes {...searched} />
      <FinderHits {...{ groups, active, onChoose }} query={searched.text} />
      <Keys />
    </>
  );
};

const Notes = ({ data, text, error, reload, isCut, isHeld, isUnasked, isWaiting }: Searched) => {
  const isNone = data !== undefined && !isWaiting && toGroups(data).length === 0;
  return (
    <>
      {data && <Tokens understood={data.understood} strange={data.not_understood} />}
      {isCut && (
        <p class="tip">
          {translate('The full number was not sent. Forewarn searches for its first six and last four digits.')}
        </p>
      )}
      {isHeld && (
        <p class="tip">
          {translate('This may become a card number, so it is not sent. Press Enter to search for it.')}
        </p>
      )}
      {isUnasked && (
        <p class="tip">{translate('Choose a merchant to search its alerts, payments, orders and customers.')}</p>
      )}
      <Trouble error={error} onRetry={reload} />
      <p class="tip quiet" role="status">
        {isWaiting && translate('Searching …')}
        {isNone && translate('Nothing has “{text}”. Whole words and numbers are found.', { text: text.trim() })}
      </p>
    </>
  );
};

const Tokens = ({
  understood,
  strange,
}: {
  understood: readonly { filter: string; value: string }[];
  strange: readonly string[];
}) =>
  understood.length + strange.length === 0 ? null : (
    <p class="tokens">
      {understood.map((one) => {
        const { name, value } = tokenWords(one);
        return (
          <span class="token" key={`${name} ${value}`}>
            <b>{name}</b> {value}
          </span>
        );
      })}
      {strange.map((text) => (
        <span class="token strange" key={text}>
          {translate('“{text}” is not understood and was left out', { text })}
        </span>
      ))}
    </p>
  );

const Marked = ({ text, query }: { text: string; query: string }) => (
  <>{markWords(text, query).map((part, at) => (part.isHit ? <mark key={at}>{part.text}</mark> : part.text))}</>
);

const Mark = ({ mark }: { mark: Choice['mark'] }) => {
  if (mark === undefined) return <span class="dot" aria-hidden="true" />;
  return 'until' in mark ? (
    <Ring {...mark} />
  ) : (
    <span class="avatar" aria-hidden="true">
      {mark.initials}
    </span>
  );
};

type HitsProps = Pick<FinderProps, 'active' | 'onChoose'> & { groups: readonly Group[]; query: string };

/** The results by kind; the field has the focus, and says which one is active. */
const FinderHits = ({ groups, active, query, onChoose }: HitsProps) => {
  let at = -1;
  return (
    <div class="hits" id="finder-hits" role="listbox" aria-label={translate('Results')}>
      {groups.map(({ key, label, count, hits }) => (
        // biome-ignore lint/a11y/useSemanticElements: a listbox has groups of options, not of fields
        <div role="group" aria-label={label} key={key}>
          <p class="kind" role="presentation">
            {label} {count && <span>{count}</span>}
          </p>
          {hits.map((hit) => {
            at += 1;
            return (
              <a
                key={hit.key}
                id={`finder-${at}`}
                class={`hit${at === active ? ' on' : ''}`}
                role="option"
                aria-selected={at === active}
                tabIndex={-1}
                href={hit.href}
                onClick={(event) => {
                  if (event.ctrlKey || event.metaKey) return;
                  event.preventDefault();
                  onChoose(hit);
                }}
              >
                <Mark mark={hit.mark} />
                <span class="t">
                  <Marked text={hit.title} query={query} />
                  {hit.detail && (
                    <small>
                      <Marked text={hit.detail} query={query} />
                    </small>
                  )}
                </span>
                <span class="r">
                  {hit.right && <Marked text={hit.right} query={query} />}
                  {hit.status && <small>{hit.status}</small>}
                </span>
              </a>
            );
          })}
        </div>
      ))}
    </div>
  );
};

const enter = 'Enter';
/** As they are typed, which no language translates. */
const filterExamples = [
  { name: 'card', value: '4242', words: translate('last digits') },
  { name: 'amount', value: '45.20', words: translate('exactly') },
  { name: 'from', value: '2026-11-01', words: translate('since a day') },
  { name: 'in', value: 'alerts', words: translate('one kind') },
] as const;

const Keys = () => (
  <p class="keys" aria-hidden="true">
    <span>
      <kbd>↑</kbd> <kbd>↓</kbd> {translate('move')}
    </span>
    <span>
      <kbd>{enter}</kbd> {translate('open')}
    </span>
    {filterExamples.map(({ name, value, words }) => (
      <span key={name}>
        <kbd>
          {name}:{value}
        </kbd>{' '}
        {words}
      </span>
    ))}
  </p>
);
