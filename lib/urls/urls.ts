import * as z from "zod";

/**
 * Schema of an address that the site requests or prints: http or https, without credentials, spaces or
 * fragment.
 */
export function httpUrl(): z.ZodString {
  return z
    .string()
    .refine(isHttpUrl, {
      error: "an http(s) URL without credentials",
      params: { fix: "write it as https://example.org/path" },
    })
    .meta({ format: "uri" });
}

/** True for an http(s) address without credentials, spaces, backslashes and fragment. */
export function isHttpUrl(value: string): boolean {
  if (!/^https?:\/\/[^/\s\\]/i.test(value) || /[\s\\#]/.test(value) || !canParseUrl(value))
    return false;
  const { username, password } = new URL(value);
  return username === "" && password === "";
}

/** True for an http address of another machine: secrets must not be sent to it. */
export function isExposedUrl(value: unknown): boolean {
  if (typeof value !== "string" || !canParseUrl(value)) return false;
  return new URL(value).protocol === "http:" && !isLoopbackUrl(value);
}

/** True for an address of this machine. */
export function isLoopbackUrl(value: string): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(value).hostname);
}

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

/** Decodes percent signs; a text with a stray one stays as it is. */
export function decodeAddress(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
