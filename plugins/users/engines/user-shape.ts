import { z } from "zod";
import type { User } from "../contract.js";

const optionalText = z.string().optional();

/** A record as a store may hold it; further fields stay with it, absent lists are empty. */
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

/** The account in a JSON text, or null when there is none in it. */
export function parseUser(text: string): User | null {
  try {
    const parsed = userShape.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

/** Ids of records: also the names of their files. */
export function isUserId(id: string): boolean {
  return /^[A-Za-z0-9_-]{1,128}$/.test(id);
}

/** Oldest first; ties by id. */
export function byAge(a: User, b: User): number {
  return a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1);
}

/** What may not change whatever a change answers. */
export function keepIdentity(before: User, after: User): User {
  return after === before ? before : { ...after, id: before.id, createdAt: before.createdAt };
}
