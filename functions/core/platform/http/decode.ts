import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync, zstdDecompressSync } from 'node:zlib';

type Decoder = (bytes: Uint8Array, options: { maxOutputLength: number }) => Buffer;

const inflate: Decoder = (bytes, options) => {
  try {
    return inflateSync(bytes, options);
  } catch {
    // Some servers send the raw format under this name (RFC 9110, 8.4.1.2).
    return inflateRawSync(bytes, options);
  }
};

const decoders: Readonly<Record<string, Decoder>> = {
  gzip: gunzipSync,
  'x-gzip': gunzipSync,
  br: brotliDecompressSync,
  deflate: inflate,
  zstd: zstdDecompressSync,
};

/** Undoes a Content-Encoding; undefined for an unknown one, for bytes that are not in it, and beyond `maxBytes`. */
export const decompress = (bytes: Uint8Array, contentEncoding: string, maxBytes: number): Uint8Array | undefined => {
  const encodings = contentEncoding
    .toLowerCase()
    .split(',')
    .map((one) => one.trim());
  const applied = encodings.filter((one) => one !== '' && one !== 'identity');
  let decoded = bytes;
  for (const encoding of applied.toReversed()) {
    const decode = Object.hasOwn(decoders, encoding) ? decoders[encoding] : undefined;
    if (!decode || applied.length > 2) return undefined;
    try {
      decoded = decode(decoded, { maxOutputLength: maxBytes });
    } catch {
      return undefined;
    }
  }
  return decoded;
};

const charsetName = /;\s*charset\s*=\s*["']?([^\s;"']+)/i;

const readByteOrderMark = (bytes: Uint8Array): string | undefined => {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : undefined;
};

/** JSON and forms begin with an ASCII character, half of whose bytes in UTF-16 are zero. */
const guessUtf16 = (bytes: Uint8Array): string | undefined => {
  if (bytes.length < 2 || bytes.length % 2 !== 0) return undefined;
  if (bytes[0] !== 0 && bytes[1] === 0) return 'utf-16le';
  return bytes[0] === 0 && bytes[1] !== 0 ? 'utf-16be' : undefined;
};

const decodeAs = (charset: string, bytes: Uint8Array): string | undefined => {
  try {
    return new TextDecoder(charset, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
};

/**
 * Text in the charset that its byte order mark, its bytes or its content type show, else in UTF-8, else in windows-1252, which has a character for
 * every byte and contains Latin-1 (https://encoding.spec.whatwg.org/#names-and-labels). Without the byte order mark.
 */
export const decodeText = (bytes: Uint8Array, contentType = ''): string => {
  const [, named = ''] = charsetName.exec(contentType) ?? [];
  const shown = readByteOrderMark(bytes) ?? guessUtf16(bytes);
  const charsets = [shown, 'utf-8', named, 'windows-1252'].filter((one) => one !== undefined && one !== '');
  for (const charset of charsets) {
    const text = charset === undefined ? undefined : decodeAs(charset, bytes);
    if (text !== undefined) return text;
  }
  return Buffer.from(bytes).toString('latin1');
};
