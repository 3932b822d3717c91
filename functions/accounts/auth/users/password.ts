import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';

/** OWASP's smallest recommended cost of scrypt with r = 8 and p = 3: 32 MiB, about 100 ms. */
const cost = { N: 2 ** 15, r: 8, p: 3 } as const;
const keyBytes = 32;
const saltBytes = 16;

type Cost = { N: number; r: number; p: number };

const derive = (password: string, salt: Buffer, { N, r, p }: Cost): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    // The same password in two Unicode spellings must give the same key.
    scrypt(password.normalize('NFC'), salt, keyBytes, { N, r, p, maxmem: 256 * N * r }, (error, key) =>
      error ? reject(error) : resolve(key),
    );
  });

/** `scrypt$N$r$p$salt$key`, base64url: it states its own cost, so that the cost may change later. */
export const hashPassword = async (password: string): Promise<string> => {
  const salt = randomBytes(saltBytes);
  const key = await derive(password, salt, cost);
  return ['scrypt', cost.N, cost.r, cost.p, salt.toString('base64url'), key.toString('base64url')].join('$');
};

/** Takes as long as any comparison and never matches: no password has a key of zeros. */
const nobody = ['scrypt', cost.N, cost.r, cost.p, '', Buffer.alloc(keyBytes).toString('base64url')].join('$');

/** Compares a password with a stored hash. Without a hash (no such user) it takes the same time and returns false. */
export const verifyPassword = async (password: string, hash: string | undefined): Promise<boolean> => {
  const [, N, r, p, salt = '', key = ''] = (hash ?? nobody).split('$');
  const made = await derive(password, Buffer.from(salt, 'base64url'), { N: Number(N), r: Number(r), p: Number(p) });
  return timingSafeEqual(made, Buffer.from(key, 'base64url')) && hash !== undefined;
};
