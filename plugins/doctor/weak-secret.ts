import type { Finding } from "#lib/diagnostics";

/** Texts of examples. */
const EXAMPLE =
  /^(?:(?:change[-_ ]?me|my|your|secret|password|passw0rd|example|test|token|key|admin|default|\d)[-_ ]?)+$/i;
/** Lengths that can be guessed, and that can be tried offline, in characters. */
const GUESSED = 12;
const SHORT = 20;
const MIN_DISTINCT = 6;

/**
 * A finding about a secret that can be guessed; null for one that is long and irregular enough. The text
 * never contains the secret. `name`: of the variable or the key.
 */
export function secretFinding(name: string, secret: string): Finding | null {
  const fix = `set ${name} to the output of: openssl rand -base64 48`;
  if (EXAMPLE.test(secret))
    return { level: "error", seen: `${name} is the text of an example`, fix };
  if (new Set(secret).size < MIN_DISTINCT) {
    return { level: "error", seen: `${name} repeats a few characters`, fix };
  }
  const seen = `${name} has ${secret.length} characters`;
  if (secret.length < GUESSED) return { level: "error", seen, fix };
  return secret.length < SHORT ? { level: "warning", seen, fix } : null;
}
