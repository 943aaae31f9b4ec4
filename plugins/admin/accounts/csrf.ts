import { createHmac } from "node:crypto";
import { constantTimeEqual } from "#kernel";

/** The CSRF token of a session; derived, so that nothing has to be stored. */
export function csrfToken(sessionId: string, secret: Buffer): string {
  return createHmac("sha256", secret).update(sessionId).digest("base64url");
}

/** True when a request's token is the session's. */
export function isCsrfToken(given: unknown, expected: string): boolean {
  return typeof given === "string" && constantTimeEqual(given, expected);
}
