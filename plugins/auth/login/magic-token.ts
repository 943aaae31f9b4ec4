import { createHmac, randomBytes } from "node:crypto";
import { z } from "zod";
import { constantTimeEqual } from "#kernel";
import { sha256 } from "#kernel/internal";

/** How long a magic link is valid. */
export const MAGIC_SECONDS = 900;
const MAX_LENGTH = 6_000;
const SHAPE = /^([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]{43})$/;

const payload = z.object({
  purpose: z.literal("magic"),
  site: z.string(),
  email: z.string(),
  next: z.string(),
  nonce: z.string(),
  /** Unix ms. */
  expiresAt: z.number(),
});
/** The payload of a magic link. */
export type MagicPayload = z.infer<typeof payload>;

/** A token for one login: payload and HMAC-SHA256, both base64url. */
export function createMagicToken(
  link: Pick<MagicPayload, "site" | "email" | "next">,
  { key, now }: { key: Buffer; now: number },
): string {
  const nonce = randomBytes(16).toString("base64url");
  const expiresAt = now + MAGIC_SECONDS * 1000;
  const said: MagicPayload = { purpose: "magic", ...link, nonce, expiresAt };
  const text = Buffer.from(JSON.stringify(said)).toString("base64url");
  return `${text}.${sign(text, key)}`;
}

/** Verifies a token; null when it is forged, expired or of another site. */
export function readMagicToken(
  token: string,
  { key, now, site }: { key: Buffer; now: number; site: string },
): MagicPayload | null {
  const [, text = "", signature = ""] = token.length > MAX_LENGTH ? [] : (SHAPE.exec(token) ?? []);
  // Compare text, not bytes: several base64url spellings decode to the same signature.
  if (!constantTimeEqual(signature, sign(text, key))) return null;
  const said = payload.safeParse(JSON.parse(Buffer.from(text, "base64url").toString("utf8")));
  if (!said.success || said.data.site !== site || said.data.expiresAt <= now) return null;
  return said.data;
}

/** The claim name that marks a token as used. */
export function magicClaim(token: string): string {
  return `magic:${sha256(token)}`;
}

function sign(text: string, key: Buffer): string {
  return createHmac("sha256", key).update(`magic.${text}`).digest("base64url");
}
