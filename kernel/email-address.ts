/** Longest address that a mail server takes, and longest part before the @ (RFC 5321 4.5.3.1). */
const LONGEST = 254;
const LONGEST_LOCAL = 64;
const LOCAL = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;
const LABEL = /^[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/;

/**
 * One plain ASCII address in lower case, or null: no quotes, comments, groups, lists or control
 * characters, so that nothing but an address reaches a header, and international domains as
 * punycode only, so that no two spellings look or fold alike.
 */
export function parseEmailAddress(value: unknown): string | null {
  if (typeof value !== "string" || value.length > LONGEST) return null;
  const at = value.indexOf("@");
  if (at < 1 || at > LONGEST_LOCAL || !LOCAL.test(value.slice(0, at))) return null;
  const labels = value.slice(at + 1).split(".");
  // Of ASCII letters only: no locale, no folding of other scripts.
  return labels.every((label) => LABEL.test(label)) ? value.toLowerCase() : null;
}
