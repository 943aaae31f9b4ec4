/**
 * True when `new URL(url, base)` would not throw. `URL.canParse` of Node 20 is wrong for non-ASCII
 * letters once it is optimised: its fast path takes Latin-1 for UTF-8.
 */
export function canParseUrl(url: string, base?: string): boolean {
  try {
    return new URL(url, base).href !== "";
  } catch {
    return false;
  }
}
