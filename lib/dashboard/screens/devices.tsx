import { useState } from 'preact/hooks';
import { deviceObstacle, keepDevice, presentDevice, subscribe, unsubscribe } from '../app/device.ts';
import { say } from '../app/messages.tsx';
import { user } from '../app/session.ts';
import { compose, translate } from '../language/translate.ts';
import { Button } from '../parts/button.tsx';
import { Card } from '../parts/card.tsx';
import { useLoad } from '../parts/load.ts';
import { Time } from '../parts/time.tsx';
import { Trouble } from '../parts/trouble.tsx';
import { Waiting } from '../parts/waiting.tsx';
import { setOwnSettings } from './own-settings-operation.ts';

type DeviceChange = NonNullable<NonNullable<Parameters<typeof setOwnSettings>[0]['body']>['device']>;
const change = async (device: DeviceChange) => (await setOwnSettings({ body: { device } })).devices;

/** Turns notifications on in this browser; false if the person does not permit them. */
const turnOn = async (): Promise<boolean> => {
  const { public_key: key } = await change({ action: 'prepare' });
  const subscription = key === null ? undefined : await subscribe(key);
  if (!subscription) return false;
  // The service checks the language, which is one of the dashboard's.
  const { list } = await change({ action: 'add', ...subscription } as DeviceChange);
  keepDevice(list[0]?.id ?? '', user.peek()?.username ?? '');
  return true;
};

const remove = async (id: string): Promise<void> => {
  await change({ action: 'remove', id });
  if (id === presentDevice()) await unsubscribe();
};

/** The browsers that show the signed-in user what is e-mailed to them about alerts. */
export const Devices = () => {
  const { data, error, reload } = useLoad('devices', (signal) => setOwnSettings({ body: {}, signal }));
  const [failure, setFailure] = useState<unknown>();
  const list = data?.devices.list ?? [];
  const isOn = list.some(({ id }) => id === presentDevice());
  const obstacle = deviceObstacle();
  const run = async (work: () => Promise<string | undefined>) => {
    setFailure(undefined);
    try {
      const words = await work();
      if (words !== undefined) say(words);
    } catch (thrown) {
      setFailure(thrown);
    }
    reload();
  };
  const begin = () =>
    run(async () => ((await turnOn()) ? translate('This device shows notifications now.') : undefined));
  const end = (id: string) =>
    run(async () => {
      await remove(id);
      return translate('The device was removed.');
    });
  return (
    <Card title={translate('Notifications on this device')}>
      <p>
        {translate(
          'You are notified of alerts, assignments and mentions as your e-mail settings say, even while the dashboard is closed. Notifications show the amount, the site and the time left, and never a card number.',
        )}
      </p>
      {obstacle && !isOn && <p class="note">{obstacle}</p>}
      <Trouble error={error ?? failure} {...(error ? { onRetry: reload } : {})} />
      {!data && !error && <Waiting rows={1} />}
      {list.length > 0 && (
        <ul class="plain-list">
          {list.map(({ id, name, created_at: added }) => (
            <li key={id}>
              <strong>{id === presentDevice() ? translate('{name} (this device)', { name }) : name}</strong>
              <p class="quiet small">{compose('Added {added}', { added: <Time at={added} /> })}</p>
              <div class="buttons">
                <Button aria-label={translate('Remove {name}', { name })} onPress={() => end(id)}>
                  {translate('Remove')}
                </Button>
              </div>
            </li>
          ))}
        </ul>
      )}
      {data && !isOn && (
        <div class="buttons">
          <Button onPress={begin} disabled={obstacle !== undefined}>
            {translate('Turn on')}
          </Button>
        </div>
      )}
    </Card>
  );
};
