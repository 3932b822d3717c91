import multipartBodyParser from '@middy/http-multipart-body-parser';

/**
 * Reads `multipart/form-data`, for the operations that take it; the parser is too heavy to be in every function. Files
 * are not taken: a form of ours has text fields only.
 */
export const multipartParser = () =>
  multipartBodyParser({
    disableContentTypeError: true,
    busboy: { limits: { fields: 50, parts: 50, files: 0, fieldSize: 64 * 1024 } },
  });
