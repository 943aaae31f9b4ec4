/** Stands for `Buffer.byteLength` in the script for browsers. */
export function utf8Length(text) {
  return new TextEncoder().encode(text).length;
}
