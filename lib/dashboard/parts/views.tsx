import { signal } from '@preact/signals';
import { address } from '../app/address.ts';
import { remember, rememberedJson } from '../app/storage.ts';
import { translate } from '../language/translate.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { Field } from './field.tsx';
import { Form } from './form.tsx';

/** A view: the filters of a list under a name. They are kept in this browser. */
type View = { list: string; name: string; query: string };

const isView = (value: unknown): value is View =>
  typeof value === 'object' && value !== null && 'list' in value && 'name' in value && 'query' in value;
const areViews = (value: unknown): value is View[] => Array.isArray(value) && value.every(isView);

const maxViews = 20;
const views = signal<readonly View[]>(rememberedJson('views', areViews, []));

const keep = (next: readonly View[]): void => {
  views.value = next;
  remember('views', JSON.stringify(next));
};

const presentQuery = (): string => {
  const query = new URLSearchParams(address.value.query);
  for (const name of ['cursor', 'after']) query.delete(name);
  return query.toString();
};

/** The saved views of a list: links to them, and the way to save what is seen. */
export const ViewsDialog = ({ name: list, onClose }: { name: string; onClose: () => void }) => {
  const own = views.value.filter((view) => view.list === list);
  const remove = (view: View) => keep(views.value.filter((one) => one !== view));
  const save = ({ name = '' }: Record<string, string>) => {
    const others = views.value.filter((view) => view.list !== list || view.name !== name);
    if (others.length >= maxViews)
      throw new Error(translate('There are {maxViews} views already: remove one first.', { maxViews }));
    keep([...others, { list, name, query: presentQuery() }]);
    onClose();
  };
  return (
    <Dialog title={translate('Saved views')} onClose={onClose}>
      {own.length === 0 && (
        <p class="quiet">{translate('A view keeps the filters of this list under a name, in this browser.')}</p>
      )}
      <ul class="views">
        {own.map((view) => (
          <li key={view.name}>
            <a href={`#${address.value.path}${view.query && `?${view.query}`}`} onClick={onClose}>
              {view.name}
            </a>
            <Button
              look="bare"
              aria-label={translate('Remove the view {name}', { name: view.name })}
              onPress={() => remove(view)}
            >
              {translate('Remove')}
            </Button>
          </li>
        ))}
      </ul>
      <Form onSend={save} send={translate('Save the current view')}>
        {() => <Field label={translate('Name')} name="name" required maxLength={60} />}
      </Form>
    </Dialog>
  );
};
