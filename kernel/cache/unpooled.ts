/**
 * The same bytes in memory of their own. Small buffers and compressed ones are parts of larger memory (8 and 16 KB in
 * Node), which a cache would keep as a whole for each of them.
 */
export function ownBytes(bytes: Buffer): Buffer {
  if (bytes.buffer.byteLength === bytes.length) return bytes;
  const own = Buffer.allocUnsafeSlow(bytes.length);
  bytes.copy(own);
  return own;
}
