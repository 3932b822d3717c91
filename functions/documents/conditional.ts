/** Whether one of the tags of `if-none-match` is this one; the weak form of it will do (RFC 9110, 13.1.2). */
export const hasTag = (ifNoneMatch: string | undefined, tag: string): boolean =>
  (ifNoneMatch ?? '')
    .split(',')
    .map((one) => one.trim().replace(/^W\//, ''))
    .some((one) => one === '*' || one === tag);

/** Whether a caller takes gzip: named, and not with a quality of nought. */
export const takesGzip = (acceptEncoding: string | undefined): boolean =>
  (acceptEncoding ?? '')
    .split(',')
    .map((one) => one.trim().toLowerCase())
    .some((one) => /^(?:gzip|\*)(?:\s*;\s*q=(?!0(?:\.0+)?$)[\d.]+)?$/.test(one));
