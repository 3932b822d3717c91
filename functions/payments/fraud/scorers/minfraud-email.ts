import { createHash } from 'node:crypto';

/**
 * How MaxMind names an e-mail address: the digest of the mailbox behind its spellings. The domains are facts of its own library, npm
 * @maxmind/minfraud-api-node 6.1.0 (2026-08-17), with which a test compares the digests.
 * https://dev.maxmind.com/minfraud/normalizing-email-addresses-for-minfraud (2026-11-28)
 */

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** Domains that are written with a mistake, by the domain that is meant. */
const misspelt: Readonly<Record<string, ReadonlySet<string>>> = {
  'gmail.com': words(`
  gmai.com gamil.com gmali.com gmial.com gmil.com gmaill.com gmailm.com gmailo.com gmailyhoo.com yahoogmail.com`),
  'outlook.com': words('putlook.com'),
};

/** Ends of a domain that mean `com`. */
const misspeltCom = words(`
  comm commm commmm comn cbm ccm cdm cem cfm cgm chm cim cjm ckm clm cmm cnm cpm cqm crm csm ctm cum cvm cwm cxm cym
  czm col con dom don som son vom von xom xon clam colm comcom`);

/** Domains of one provider whose mailboxes are the same, by the first of them. */
const equivalent: Readonly<Record<string, ReadonlySet<string>>> = {
  'gmail.com': words('googlemail.com'),
  'protonmail.com': words('pm.me proton.me'),
  'yandex.ru': words('yandex.by yandex.com yandex.kz yandex.ua ya.ru'),
};

/** Yahoo's domains, after `yahoo.`: their aliases begin at a hyphen. */
const yahooEnds = words(`
  at be bg ca cl co.id co.il co.in co.kr co.nz co.th co.uk co.za com com.ar com.au com.br com.co com.hk com.hr com.mx
  com.my com.pe com.ph com.sg com.tr com.tw com.ua com.ve com.vn cz de dk ee es fi fr gr hu ie in it lt lv nl no pl pt
  ro se sk`);

/** Fastmail's domains, at which an alias may be a subdomain. */
const fastmail = words(`
  123mail.org 150mail.com 150ml.com 16mail.com 2-mail.com 4email.net 50mail.com airpost.net allmail.net bestmail.us
  cluemail.com elitemail.org emailcorner.net emailengine.net emailengine.org emailgroups.net emailplus.org
  emailuser.net eml.cc f-m.fm fast-email.com fast-mail.org fastem.com fastemail.us fastemailer.com fastest.cc
  fastimap.com fastmail.cn fastmail.co.uk fastmail.com fastmail.com.au fastmail.de fastmail.es fastmail.fm fastmail.fr
  fastmail.im fastmail.in fastmail.jp fastmail.mx fastmail.net fastmail.nl fastmail.org fastmail.se fastmail.to
  fastmail.tw fastmail.uk fastmail.us fastmailbox.net fastmessaging.com fea.st fmail.co.uk fmailbox.com fmgirl.com
  fmguy.com ftml.net h-mail.us hailmail.net imap-mail.com imap.cc imapmail.org inoutbox.com internet-e-mail.com
  internet-mail.org internetemails.net internetmailing.net jetemail.net justemail.net letterboxes.org mail-central.com
  mail-page.com mailandftp.com mailas.com mailbolt.com mailc.net mailcan.com mailforce.net mailftp.com mailhaven.com
  mailingaddress.org mailite.com mailmight.com mailnew.com mailsent.net mailservice.ms mailup.net mailworks.org ml1.net
  mm.st myfastmail.com mymacmail.com nospammail.net ownmail.net petml.com postinbox.com postpro.net proinbox.com
  promessage.com realemail.net reallyfast.biz reallyfast.info rushpost.com sent.as sent.at sent.com speedpost.net
  speedymail.org ssl-mail.com swift-mail.com the-fastest.net the-quickest.com theinternetemail.com veryfast.biz
  veryspeedy.net warpmail.net xsmail.com yepmail.net your-mail.com`);

const meant = (names: Readonly<Record<string, ReadonlySet<string>>>, domain: string): string =>
  Object.entries(names).find(([, all]) => all.has(domain))?.[0] ?? domain;

const fixDomain = (text: string): string => {
  const plain = text.normalize('NFC');
  const ascii = (URL.parse(`http://${plain}`)?.hostname || plain)
    .replace(/(?:\.com){2,}$/, '.com')
    .replace(/^\d+gmail?\.com$/, 'gmail.com');
  const [, name, end = ''] = /^(.*)\.([^.]*)$/.exec(ascii) ?? [];
  const spelt = name !== undefined && misspeltCom.has(end) ? `${name}.com` : ascii;
  return meant(equivalent, meant(misspelt, spelt));
};

const isYahoo = (domain: string): boolean =>
  ['y7mail.com', 'ymail.com'].includes(domain) ||
  (domain.startsWith('yahoo.') && yahooEnds.has(domain.slice('yahoo.'.length)));

/** The address of the mailbox: without dots at Gmail, without what follows a plus sign (Yahoo: a hyphen), or the subdomain's at Fastmail. */
const fixMailbox = (email: string): string => {
  const address = email.trim().toLowerCase();
  const at = address.lastIndexOf('@');
  const domain = fixDomain(address.slice(at + 1));
  const local = address.slice(0, at).normalize('NFC');
  const alias = local.indexOf(isYahoo(domain) ? '-' : '+');
  const own = alias > 0 ? local.slice(0, alias) : local;
  const name = domain === 'gmail.com' ? own.replaceAll('.', '') : own;
  const [first = '', ...rest] = domain.split('.');
  if (!fastmail.has(rest.join('.'))) return `${name}@${domain}`;
  return `${name === '' ? name : first}@${rest.join('.')}`;
};

/** The digest by which MaxMind knows an address. */
export const emailDigest = (email: string): string => createHash('md5').update(fixMailbox(email)).digest('hex');
