/** The parts of a shop that only letters to banks show. They are not in its profile, which is read with each payment and kept with each order. */
export type Letterhead = {
  sid: number;
  /** The way customers agree to the terms at checkout, and the promises about delivery. */
  checkoutTerms: string | null;
  deliveryTerms: string | null;
  /** A picture in base64. */
  logo: string | null;
};

export const noLetterhead = (sid: number): Letterhead => ({
  sid,
  checkoutTerms: null,
  deliveryTerms: null,
  logo: null,
});

const maxLogoBytes = 32 * 1024;
const maxLogoPixels = 1000;

export type Logo = { type: 'image/png' | 'image/jpeg'; bytes: Buffer };

/** Returns the picture of a logo, or what is wrong with it. Base64, a PNG or JPEG of at most 32 KB; a PNG of at most 1000 × 1000 pixels. */
export const readLogo = (base64: string): Logo | string => {
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.length === 0 || bytes.toString('base64') !== base64) return 'must be base64';
  if (bytes.length > maxLogoBytes) return 'must have at most 32 KB';
  if (bytes.length > 2 && bytes.readUInt16BE(0) === 0xffd8) return { type: 'image/jpeg', bytes };
  const isPng = bytes.length > 24 && bytes.readUInt32BE(0) === 0x89504e47;
  if (!isPng) return 'must be a PNG or JPEG';
  const isSmall = bytes.readUInt32BE(16) <= maxLogoPixels && bytes.readUInt32BE(20) <= maxLogoPixels;
  return isSmall ? { type: 'image/png', bytes } : 'must have at most 1000 × 1000 pixels';
};

type Changes = { [K in 'checkout_terms' | 'delivery_terms' | 'logo']?: string | null | undefined };

/** The letterhead after a change, or what is wrong with it, in words that begin with the field's name. Absent fields stay. */
export const changeLetterhead = (before: Letterhead, changes: Changes): Letterhead | string => {
  const logo = typeof changes.logo === 'string' ? readLogo(changes.logo) : undefined;
  if (typeof logo === 'string') return `logo: ${logo}`;
  const { checkout_terms = before.checkoutTerms, delivery_terms = before.deliveryTerms } = changes;
  const kept = changes.logo === undefined ? before.logo : changes.logo;
  return { sid: before.sid, checkoutTerms: checkout_terms, deliveryTerms: delivery_terms, logo: kept };
};

/** On the wire: a logo is named by its type. */
export const toLetterheadDto = ({ checkoutTerms, deliveryTerms, logo }: Letterhead) => {
  const read = logo === null ? null : readLogo(logo);
  return {
    ...(checkoutTerms !== null && { checkout_terms: checkoutTerms }),
    ...(deliveryTerms !== null && { delivery_terms: deliveryTerms }),
    logo_type: read === null || typeof read === 'string' ? null : read.type,
  };
};
