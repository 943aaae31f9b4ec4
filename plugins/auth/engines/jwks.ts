import { createPublicKey, type KeyObject } from "node:crypto";
import { z } from "zod";
import type { ProviderCalls } from "../providers/provider-calls.js";
import type { FetchedKeys } from "../tokens/token-keys.js";

/** RFC 7518 3.3. */
const MIN_BITS = 2_048;
const LIMITS = { timeoutMs: 5_000, maxBytes: 65_536 };

const jwk = z.looseObject({
  kty: z.literal("RSA"),
  kid: z.string().optional(),
  use: z.literal("sig").optional(),
  alg: z.literal("RS256").optional(),
  key_ops: z
    .array(z.string())
    .refine((operations) => operations.includes("verify"))
    .optional(),
  n: z.string(),
  e: z.string(),
});
const jwks = z.object({ keys: z.array(z.unknown()).max(100) });

/**
 * Fetches the RS256 keys published at a URL; ignores other keys.
 * @throws when the response is not a key set.
 */
export async function fetchJwks(jwksUri: string, calls: ProviderCalls): Promise<FetchedKeys> {
  const { JwksClient } = (await import("jwks-rsa")).default;
  let maxAgeSeconds: number | null = null;
  const client = new JwksClient({
    jwksUri,
    cache: false,
    rateLimit: false,
    fetcher: async (address) => {
      const request = { headers: { Accept: "application/json" } };
      const response = await calls.fetch(address, request, LIMITS);
      if (response.status !== 200) throw new TypeError(`responded with status ${response.status}`);
      maxAgeSeconds = maxAge(response.headers.get("cache-control"));
      const { keys } = jwks.parse(await response.json());
      return { keys: keys.filter((key) => jwk.safeParse(key).success) };
    },
  });
  const found = await client.getSigningKeys();
  const keys = new Map<string, KeyObject>();
  for (const one of found) {
    const key = createPublicKey(one.getPublicKey());
    const bits = key.asymmetricKeyDetails?.modulusLength ?? 0;
    if (bits >= MIN_BITS) keys.set(one.kid ?? "", key);
  }
  return { keys, maxAgeSeconds };
}

function maxAge(cacheControl: string | null): number | null {
  const found = /(?:^|[\s,])max-age=(\d{1,9})/i.exec(cacheControl ?? "")?.[1];
  return found === undefined ? null : Number(found);
}
