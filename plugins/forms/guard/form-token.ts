import { createHmac } from "node:crypto";
import { z } from "zod";
import { constantTimeEqual } from "#kernel";

const MAX_LENGTH = 4_096;
const payloadShape = z.tuple([z.string(), z.string(), z.number()]);

/** What a token says. */
export interface FormToken {
  /** What is sent with it: `form:contact`. */
  readonly subject: string;
  /** Path of the page that shows the form; empty for a program. */
  readonly page: string;
  /** Unix ms at which the page was made. */
  readonly at: number;
}

/** `<payload>.<HMAC-SHA256>`, both base64url. */
export function signToken({ subject, page, at }: FormToken, key: Buffer): string {
  const payload = Buffer.from(JSON.stringify([subject, page, at])).toString("base64url");
  return `${payload}.${signatureOf(payload, key)}`;
}

/** What a token of this site says; null for any other text. */
export function readToken(text: unknown, key: Buffer): FormToken | null {
  if (typeof text !== "string" || text.length > MAX_LENGTH) return null;
  const [payload = "", signature = "", ...rest] = text.split(".");
  if (rest.length > 0 || !constantTimeEqual(signature, signatureOf(payload, key))) return null;
  const said = payloadShape.safeParse(JSON.parse(Buffer.from(payload, "base64url").toString()));
  if (!said.success) return null;
  const [subject, page, at] = said.data;
  return { subject, page, at };
}

function signatureOf(payload: string, key: Buffer): string {
  return createHmac("sha256", key).update(payload).digest("base64url");
}
