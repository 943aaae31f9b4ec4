/**
 * The bytes, copied when they are a slice of larger memory. Node allocates small buffers in blocks of 8 KB and compressed
 * ones in blocks of 16 KB; caching a slice keeps its whole block.
 */
export function unpooled(bytes: Buffer): Buffer {
  if (bytes.buffer.byteLength === bytes.length) return bytes;
  const own = Buffer.allocUnsafeSlow(bytes.length);
  bytes.copy(own);
  return own;
}
