import { createHmac } from "node:crypto";
import { constantTimeEqual } from "#kernel";

/** The CSRF token of a session: derived, so that nothing need be kept. */
export function csrfToken(sessionId: string, secret: Buffer): string {
  return createHmac("sha256", secret).update(sessionId).digest("base64url");
}

/** True when what a request carries is the session's token. */
export function isCsrfToken(given: unknown, expected: string): boolean {
  return typeof given === "string" && constantTimeEqual(given, expected);
}
