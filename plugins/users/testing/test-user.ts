import type { User } from "../contract.js";

/** A minimal account with overrides. */
export function testUser(id: string, part: Partial<User> = {}): User {
  return {
    id,
    email: `${id}@example.org`,
    roles: [],
    provider: "github",
    linkedProviders: [],
    createdAt: 1_000,
    updatedAt: 1_000,
    lastSeenAt: 1_000,
    ...part,
  };
}
