/** Returns a short key for an English text: built catalogues have it in place of the text, which the code has already. */
export const shortKey = (text: string): string => {
  let hash = 0;
  for (let at = 0; at < text.length; at += 1) hash = (Math.imul(hash, 31) + text.charCodeAt(at)) | 0;
  return (hash >>> 0).toString(36);
};
