import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Button } from './button.tsx';
import { Card } from './card.tsx';
import { useLoad } from './load.ts';
import { Trouble } from './trouble.tsx';
import { Waiting } from './waiting.tsx';

type EditableProps<T> = {
  title: string;
  hint: string;
  /** Names what is loaded. */
  name: string;
  load: (signal: AbortSignal) => Promise<T>;
  /** The words of the button that begins a change; absent: who looks may not change it. */
  change: string | false;
  show: (shown: T) => ComponentChildren;
  edit: (shown: T, over: { onDone: () => void; onCancel: () => void }) => ComponentChildren;
};

/** A card that shows what is set, and in its place a form while it is changed. */
export const Editable = <T,>({ title, hint, name, load, change, show, edit }: EditableProps<T>) => {
  const { data, error, reload } = useLoad(name, load);
  const [isEdited, setEdited] = useState(false);
  const onCancel = () => setEdited(false);
  const onDone = () => {
    onCancel();
    reload();
  };
  return (
    <Card
      title={title}
      actions={data && change && !isEdited && <Button onPress={() => setEdited(true)}>{change}</Button>}
    >
      <p class="small quiet">{hint}</p>
      <Trouble error={error} onRetry={reload} />
      {!data && !error && <Waiting rows={3} />}
      {data && (isEdited ? edit(data, { onDone, onCancel }) : show(data))}
    </Card>
  );
};
