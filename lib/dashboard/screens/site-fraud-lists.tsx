import { useState } from 'preact/hooks';
import { say } from '../app/messages.tsx';
import { inSentence, translate } from '../language/translate.ts';
import { Button } from '../parts/button.tsx';
import { Card } from '../parts/card.tsx';
import { Field, Select } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { useLoad } from '../parts/load.ts';
import { Trouble } from '../parts/trouble.tsx';
import { Waiting } from '../parts/waiting.tsx';
import { fraudLists, type ListsDto, type SiteDto, setFraudLists } from './site-operations.ts';

const listWords = {
  block: {
    title: translate('Always refused'),
    hint: translate('Payments that match this list are refused, even if they also match the next list.'),
  },
  allow: {
    title: translate('Always accepted'),
    hint: translate('Payments of whoever is listed here pass without further checks.'),
  },
  watch: {
    title: translate('Watched'),
    hint: translate('Decides nothing by itself: rules of the fraud template may look it up.'),
  },
} as const;
type ListName = keyof typeof listWords;
const names = ['block', 'allow', 'watch'] as const satisfies readonly ListName[];

const kindWords = {
  emails: { one: translate('E-mail address'), many: translate('E-mail addresses') },
  cards: { one: translate('Card number'), many: translate('Cards') },
  bins: { one: translate('First six digits'), many: translate('Cards that begin with') },
  ips: { one: translate('IP address'), many: translate('IP addresses') },
  countries: { one: translate('Country of the billing address'), many: translate('Countries') },
} as const;
type Kind = keyof typeof kindWords;
const kinds = ['emails', 'cards', 'bins', 'ips', 'countries'] as const satisfies readonly Kind[];
const readKind = (text: string): Kind => kinds.find((kind) => kind === text) ?? 'emails';

/** An entry as it is sent again, and as people read it. */
type Entry = { sent: string; shown: string };
const shownIn = (list: ListsDto[ListName], kind: Kind): readonly Entry[] =>
  kind === 'cards'
    ? list.cards.map(({ token, card }) => ({ sent: token, shown: card }))
    : list[kind].map((text) => ({ sent: text, shown: text }));

/** Whom a payment site refuses, takes and watches. */
export const SiteFraudLists = ({ site: { sid } }: { site: SiteDto }) => {
  const { data, error, reload } = useLoad(`lists ${sid}`, (signal) => fraudLists({ params: { sid }, signal }));
  const [saved, setSaved] = useState<ListsDto>();
  const present = saved !== undefined && saved.version >= (data?.version ?? 0) ? saved : data;
  if (!present) {
    return (
      <Card title={translate('Fraud lists')}>
        <Trouble error={error} onRetry={reload} />
        {!error && <Waiting rows={4} />}
      </Card>
    );
  }
  /** Saves the list with other entries of a kind, on condition that the lists are unchanged since they were read. */
  const change = async (name: ListName, kind: Kind, entries: readonly string[]) => {
    const body = { [name]: { [kind]: [...entries] }, version: present.version };
    try {
      setSaved(await setFraudLists({ params: { sid }, body }));
    } catch (thrown) {
      // Another user's change is shown before a new try.
      reload();
      throw thrown;
    }
  };
  return (
    <div class="stack">
      {names.map((name) => (
        <List key={name} {...{ name, list: present[name], change }} />
      ))}
    </div>
  );
};

type ListProps = {
  name: ListName;
  list: ListsDto[ListName];
  change: (name: ListName, kind: Kind, entries: readonly string[]) => Promise<void>;
};

const List = ({ name, list, change }: ListProps) => {
  const { title, hint } = listWords[name];
  const isManager = setFraudLists.isAllowed();
  const filled = kinds.filter((kind) => list[kind].length > 0);
  const remove = (kind: Kind, gone: Entry) =>
    change(
      name,
      kind,
      shownIn(list, kind)
        .filter(({ sent }) => sent !== gone.sent)
        .map(({ sent }) => sent),
    ).then(
      () => say(translate('{name} was removed.', { name: gone.shown })),
      (error: unknown) => say(error instanceof Error ? error.message : String(error), 'bad'),
    );
  return (
    <Card title={title}>
      <p class="small quiet">{hint}</p>
      {filled.length === 0 && <p>{translate('Nobody.')}</p>}
      {filled.map((kind) => (
        <section key={kind} aria-label={`${title}: ${kindWords[kind].many}`}>
          <h3>{kindWords[kind].many}</h3>
          <ul class="chips">
            {shownIn(list, kind).map((entry) => (
              <li key={entry.sent}>
                <span class="code">{entry.shown}</span>
                {isManager && (
                  <Button
                    look="bare"
                    aria-label={translate('Remove {name}', { name: entry.shown })}
                    onPress={() => remove(kind, entry)}
                  >
                    {translate('Remove')}
                  </Button>
                )}
              </li>
            ))}
          </ul>
        </section>
      ))}
      {isManager && <Add {...{ name, list, change }} />}
    </Card>
  );
};

const Add = ({ name, list, change }: ListProps) => {
  const [kind, setKind] = useState<Kind>('emails');
  const send = async ({ entry = '' }: Record<string, string>, form: HTMLFormElement) => {
    const before = shownIn(list, kind).map(({ sent }) => sent);
    await change(name, kind, [...before, entry]);
    say(translate('It was added to the list.'));
    form.reset();
    setKind(kind);
  };
  return (
    <details class="adding">
      <summary>{translate('Add to “{title}”', { title: inSentence(listWords[name].title) })}</summary>
      <Form onSend={send} send={translate('Add')}>
        {(problems) => (
          <div class="fields">
            <Select
              label={translate('What')}
              choices={kinds.map((value) => ({ value, label: kindWords[value].one }))}
              value={kind}
              onChange={(event) => setKind(readKind(event.currentTarget.value))}
            />
            <Field
              label={kindWords[kind].one}
              name="entry"
              required
              autoComplete="off"
              spellcheck={false}
              hint={
                kind === 'cards' ? translate('Its digits are not stored, only a keyed digest and a mask.') : undefined
              }
              problem={problems[`${name}.${kind}.${list[kind].length}`]}
            />
          </div>
        )}
      </Form>
    </details>
  );
};
