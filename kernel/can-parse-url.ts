/**
 * True when `new URL(url, base)` would not throw. Node 20's own `URL.canParse` answers wrongly for
 * letters beyond ASCII once it has been called often: its fast path takes Latin-1 for UTF-8.
 */
export function canParseUrl(url: string, base?: string): boolean {
  try {
    return new URL(url, base).href !== "";
  } catch {
    return false;
  }
}
