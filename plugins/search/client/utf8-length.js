/** Replaces `Buffer.byteLength` in the browser script. */
export function utf8Length(text) {
  return new TextEncoder().encode(text).length;
}
