import { createSecret, isSecretOf, sha256 } from "#kernel/internal";

/** `once_`: the log redacts such texts. The id finds the record, the secret proves the link. */
const TOKEN = /^once_([0-9A-Za-z]{16,26})_[A-Za-z0-9_-]{43}$/;

/** The token of a link that works once, and the digest to store. */
export function createLinkToken(id: string): { token: string; hash: string } {
  const token = `once_${id}_${createSecret()}`;
  return { token, hash: sha256(token) };
}

/** The id in a well-formed token; null for any other text. */
export function linkIdOf(token: string): string | null {
  return TOKEN.exec(token)?.[1] ?? null;
}

/** True for the token of a stored digest; takes the same time for any text. */
export function isLinkToken(token: string, hash: string): boolean {
  return isSecretOf(token, hash);
}
