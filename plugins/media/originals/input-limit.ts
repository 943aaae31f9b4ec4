/** Bytes of the largest original that is processed. */
export const MAX_INPUT_BYTES = 25 * 1024 * 1024;

/** The problem of an original with more bytes. */
export const TOO_MANY_BYTES = "the image cannot be processed: it is larger than 25 MB";
