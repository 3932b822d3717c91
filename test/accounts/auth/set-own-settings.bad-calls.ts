import type { BadCalls } from '#test/support/bad-calls.ts';

const device = {
  action: 'add',
  endpoint: 'https://updates.push.services.mozilla.com/wpush/v2/gAAA',
  // The browser's keys of RFC 8291, section 5.
  p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  auth: 'BTBZMqHH6r4Tts7J_aSIgg',
  name: 'Phone',
  language: 'en',
};

export const badCalls = (): BadCalls => ({
  body: {},
  wrongBody: { time_zone: ['Mars/Olympus', '+02:00', 'x'.repeat(61)], alert_emails: ['hourly'] },
  wrong: [
    { body: { device: { action: 'sell' } }, names: 'device.action' },
    { body: { device: { action: 'remove' } }, names: 'device.id' },
    { body: { device: { ...device, endpoint: 'https://shop.example/hook' } }, names: 'device.endpoint' },
    { body: { device: { ...device, p256dh: 'B'.repeat(87) } }, names: 'device.p256dh' },
    { body: { device: { ...device, auth: 'short' } }, names: 'device.auth' },
    { body: { device: { ...device, name: '' } }, names: 'device.name' },
    { body: { device: { ...device, language: 'la' } }, names: 'device.language' },
  ],
  refused: { changed_meanwhile: 'race' },
});
