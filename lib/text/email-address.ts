/** Maximum length of an address, and of its part before the @ (RFC 5321 4.5.3.1). */
const MAX_LENGTH = 254;
const MAX_LOCAL_LENGTH = 64;
const LOCAL = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;
const LABEL = /^[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/;

/**
 * A plain ASCII address in lower case, or null: no quotes, comments, groups, lists or control
 * characters, which could inject headers. International domains only as punycode, so that no two
 * spellings look or fold alike.
 */
export function parseEmailAddress(value: unknown): string | null {
  if (typeof value !== "string" || value.length > MAX_LENGTH) return null;
  const at = value.indexOf("@");
  if (at < 1 || at > MAX_LOCAL_LENGTH || !LOCAL.test(value.slice(0, at))) return null;
  const labels = value.slice(at + 1).split(".");
  // ASCII letters only: no locale, no case folding of other scripts.
  return labels.every((label) => LABEL.test(label)) ? value.toLowerCase() : null;
}
