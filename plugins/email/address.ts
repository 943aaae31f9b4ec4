/** Longest address that a mail server takes, and longest part before the @ (RFC 5321 4.5.3.1). */
const LONGEST = 254;
const LONGEST_LOCAL = 64;
const LOCAL = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;
const LABEL = /^[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/;
const NAMED = /^"?([^"<>]*?)"?\s*<([^<>]*)>$/;

/**
 * One plain ASCII address in lower case, or null: no quotes, comments, groups, lists or control
 * characters, so that nothing but an address reaches a header.
 */
export function parseAddress(value: unknown): string | null {
  if (typeof value !== "string" || value.length > LONGEST) return null;
  const at = value.indexOf("@");
  const local = value.slice(0, at);
  const labels = value.slice(at + 1).split(".");
  if (at < 1 || at > LONGEST_LOCAL || !LOCAL.test(local)) return null;
  return labels.every((label) => LABEL.test(label)) ? value.toLowerCase() : null;
}

/** `address` or `Name <address>`; null for anything else. */
export function parseSender(value: string): { name: string; address: string } | null {
  const [, name = "", bracketed] = NAMED.exec(value.trim()) ?? [];
  const address = parseAddress(bracketed ?? value.trim());
  return address === null ? null : { name: oneLine(name), address };
}

/** Without line breaks and other control characters: fit for a header. */
export function oneLine(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, " ").trim();
}
