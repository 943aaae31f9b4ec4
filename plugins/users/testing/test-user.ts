import type { User } from "../contract.js";

/** An account as a test needs it, with what differs from the plainest one. */
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
