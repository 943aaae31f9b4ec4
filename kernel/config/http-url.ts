import * as z from "zod";
import { canParseUrl } from "../can-parse-url.js";

/**
 * Schema of an address that the site calls or prints: http or https, without credentials, spaces or
 * fragment. Anything else is a config problem with a fix.
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
