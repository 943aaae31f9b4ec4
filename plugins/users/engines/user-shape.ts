import { z } from "zod";
import type { User } from "../contract.js";

const optionalText = z.string().optional();

/** Schema of a stored record; keeps unknown fields, absent lists become empty. */
export const userShape: z.ZodType<User> = z.looseObject({
  id: z.string().regex(/^[A-Za-z0-9_-]{1,128}$/),
  email: z.string(),
  name: optionalText,
  avatarUrl: optionalText,
  username: optionalText,
  passwordHash: optionalText,
  roles: z.array(z.string()).default([]),
  provider: z.string(),
  providerId: optionalText,
  linkedProviders: z
    .array(z.object({ provider: z.string(), providerId: z.string(), linkedAt: z.number() }))
    .default([]),
  createdAt: z.number(),
  updatedAt: z.number(),
  lastSeenAt: z.number(),
  paymentCustomerId: optionalText,
  enabled: z.boolean().optional(),
});

/** Parses a JSON text; null if it is not an account. */
export function parseUser(text: string): User | null {
  try {
    const parsed = userShape.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

/** Ids of records, which are also file names. */
export function isUserId(id: string): boolean {
  return /^[A-Za-z0-9_-]{1,128}$/.test(id);
}

/** Oldest first, then by id. */
export function byAge(a: User, b: User): number {
  return a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1);
}

/** Restores the fields that a change must not touch. */
export function keepIdentity(before: User, after: User): User {
  return after === before ? before : { ...after, id: before.id, createdAt: before.createdAt };
}
