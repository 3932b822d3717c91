import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { webhookUrlRules } from '#accounts/merchants/settings/url-rules.ts';
import { checkWebhookUrl, webhookUrlRefusals } from '#core/kernel/webhook-url.ts';
import { notPublicHosts } from '#test/support/hostile-receiver.ts';

const deployed = { allowLoopbackHttp: false, extraPorts: [] };
const local = { allowLoopbackHttp: true, extraPorts: [] };
const readReason = (
  text: string,
  rules: typeof deployed | { allowLoopbackHttp: boolean; extraPorts: number[] } = deployed,
) => {
  const checked = checkWebhookUrl(text, rules);
  return checked.ok ? 'accepted' : checked.reason;
};

describe('a webhook URL', () => {
  it.each([
    'https://merchant.example/hook',
    'https://merchant.example:443/hook',
    'https://merchant.example:8443/hook?site=1&x=%20',
    'https://sub.domain.merchant.co.uk./',
    'https://bücher.example/',
    'https://8.8.8.8/hook',
    'https://[2606:4700:4700::1111]/hook',
    'HTTPS://MERCHANT.EXAMPLE',
    'https://localhost.merchant.example/',
    'https://internal.merchant.example/',
  ])('%s is accepted', (text) => {
    expect(readReason(text)).toBe('accepted');
  });

  it.each(notPublicHosts)('is refused when its host is %s', (host) => {
    expect(readReason(`https://${host}/hook`)).toMatch(/^host|malformed$/);
    expect(readReason(`https://${host}:8443/hook`)).toMatch(/^host|malformed$/);
  });

  it.each([
    'http://merchant.example/',
    'ftp://merchant.example/',
    'file:///etc/passwd',
    'gopher://merchant.example/',
    'data:,x',
    'javascript:1',
  ])('%s is refused, as it is not https', (text) => {
    expect(readReason(text)).toBe('scheme');
  });

  it.each([
    'https://user@merchant.example/',
    'https://user:pass@merchant.example/',
    'https://:pass@merchant.example/',
    'https://merchant.example@8.8.8.8/',
  ])('%s is refused for its credentials', (text) => {
    expect(readReason(text)).toBe('credentials');
  });

  it.each(['22', '25', '80', '6379', '8080', '9200', '65535', '0'])('is refused on port %s', (port) => {
    expect(readReason(`https://merchant.example:${port}/`)).toBe('port');
  });

  it('may use the further ports a deployment allows, and no others', () => {
    const rules = { allowLoopbackHttp: false, extraPorts: [9443] };
    expect(readReason('https://merchant.example:9443/', rules)).toBe('accepted');
    expect(readReason('https://merchant.example:8443/', rules)).toBe('accepted');
    expect(readReason('https://merchant.example:9444/', rules)).toBe('port');
    expect(readReason('https://127.0.0.1:9443/', rules)).toBe('host');
  });

  it.each([
    [undefined, []],
    ['', []],
    ['9443', [9443]],
    ['9443, 10443,x', [9443, 10443]],
  ])('may use the ports that EXTRA_WEBHOOK_PORTS names if it is %j', (variable, extraPorts) => {
    vi.stubEnv('EXTRA_WEBHOOK_PORTS', variable);
    expect(webhookUrlRules()).toEqual({ allowLoopbackHttp: false, extraPorts });
    vi.unstubAllEnvs();
  });

  it.each([
    '',
    'merchant.example/hook',
    '//merchant.example/hook',
    'https://',
    'https:// merchant.example/',
    ' https://merchant.example/',
    'https://merchant.example/\r\nx-injected: 1',
    'https://merch\tant.example/',
    'https:\\\\merchant.example\\hook',
    'https://merchant.example\\@8.8.8.8/',
    'https://merchant\u200b.example/',
    'https://merchant.example/\u202e',
    'https://[fe80::1%25eth0]/',
    `https://merchant.example/${'a'.repeat(2048)}`,
  ])('%j is malformed', (text) => {
    expect(readReason(text)).toBe('malformed');
  });

  it('is returned without its fragment, which is never sent', () => {
    expect(checkWebhookUrl('https://merchant.example/a?b=c#@8.8.8.8/d', deployed)).toMatchObject({
      ok: true,
      url: { href: 'https://merchant.example/a?b=c', hostname: 'merchant.example' },
    });
  });

  it('is refused with words for its owner that do not repeat it', () => {
    const checked = checkWebhookUrl('https://user:hunter2@merchant.example/', deployed);
    expect(checked).toEqual({ ok: false, reason: 'credentials', message: webhookUrlRefusals.credentials });
  });

  it('never throws, and accepts nothing but https on an allowed port, whatever the text', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string({ unit: 'binary' }), fc.webUrl({ withFragments: true }), fc.ipV4Extended(), fc.ipV6()),
        (text) => {
          for (const candidate of [text, `https://${text}/`, `https://[${text}]/`]) {
            const checked = checkWebhookUrl(candidate, deployed);
            if (!checked.ok) continue;
            expect(checked.url).toMatchObject({ protocol: 'https:', username: '', password: '', hash: '' });
            expect(['', '8443']).toContain(checked.url.port);
          }
        },
      ),
    );
  });
});

describe("the local stack's setting", () => {
  it.each([
    'http://127.0.0.1:3000/_local/sink/demo',
    'http://127.0.0.2/',
    'http://[::1]:3000/',
    'http://localhost:3000/',
    'http://localhost.:3000/',
    'http://shop.localhost:3000/',
    'https://localhost:3000/',
    'https://merchant.example/',
  ])('allows %s', (text) => {
    expect(readReason(text, local)).toBe('accepted');
  });

  it.each([
    ['http://merchant.example/', 'scheme'],
    ['http://10.0.0.1/', 'scheme'],
    ['http://169.254.169.254/', 'scheme'],
    ['http://0.0.0.0:3000/', 'scheme'],
    ['http://[::ffff:127.0.0.1]/', 'scheme'],
    ['http://127.0.0.1.nip.example/', 'scheme'],
    ['https://10.0.0.1/', 'host'],
    ['https://169.254.169.254/', 'host'],
    ['https://merchant.example:3000/', 'port'],
    ['ftp://127.0.0.1/', 'scheme'],
    ['http://user@127.0.0.1/', 'credentials'],
  ])('does not allow %s', (text, reason) => {
    expect(readReason(text, local)).toBe(reason);
  });
});
