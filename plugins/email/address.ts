import { parseEmailAddress } from "#lib/text";

const NAMED = /^"?([^"<>]*?)"?\s*<([^<>]*)>$/;

/** `address` or `Name <address>`; null for anything else. */
export function parseSender(value: string): { name: string; address: string } | null {
  const [, name = "", bracketed] = NAMED.exec(value.trim()) ?? [];
  const address = parseEmailAddress(bracketed ?? value.trim());
  return address === null ? null : { name: oneLine(name), address };
}

/** Removes line breaks and other control characters, for use in a header. */
export function oneLine(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, " ").trim();
}
