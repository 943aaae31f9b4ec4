/** Longest address a mail server takes (RFC 5321 4.5.3.1.3). */
const LONGEST = 254;
const LOCAL = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;
const DOMAIN =
  /^([A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)*[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/;

/**
 * One plain ASCII address in lower case, or null: no quotes, comments, groups or lists, and
 * international domains as punycode only, so that no two spellings look or fold alike.
 */
export function parseEmail(value: unknown): string | null {
  if (typeof value !== "string" || value.length > LONGEST) return null;
  const at = value.indexOf("@");
  const local = value.slice(0, at);
  const domain = value.slice(at + 1);
  if (at < 1 || local.length > 64 || !LOCAL.test(local) || !DOMAIN.test(domain)) return null;
  // Of ASCII letters only: no locale, no folding of other scripts.
  return value.toLowerCase();
}
