/** A copy of a part of a larger text, which would otherwise stay in memory as long as the part. */
export function detached(text: string): string {
  return Buffer.from(text).toString();
}
