import type { User } from "../contract.js";
import type { UserRow } from "./database-tables.js";
import { userShape } from "./user-shape.js";

/** Converts a record to a row; the database increments `version`. */
export function toRow(user: User): Omit<UserRow, "version"> {
  return {
    id: user.id,
    email: user.email.toLowerCase(),
    username: user.username ?? null,
    username_key: user.username?.toLowerCase() ?? null,
    name: user.name ?? null,
    avatar_url: user.avatarUrl ?? null,
    password_hash: user.passwordHash ?? null,
    roles: JSON.stringify(user.roles),
    provider: user.provider,
    provider_id: user.providerId ?? null,
    linked_providers: JSON.stringify(user.linkedProviders),
    created_at: user.createdAt,
    updated_at: user.updatedAt,
    last_seen_at: user.lastSeenAt,
    payment_customer_id: user.paymentCustomerId ?? null,
    enabled: user.enabled === false ? 0 : 1,
  };
}

/** Converts a row to a record; null fields become absent. */
export function fromRow(row: UserRow): User {
  const fields: Record<string, unknown> = {
    id: row.id,
    email: row.email,
    name: row.name,
    avatarUrl: row.avatar_url,
    username: row.username,
    passwordHash: row.password_hash,
    roles: JSON.parse(row.roles),
    provider: row.provider,
    providerId: row.provider_id,
    linkedProviders: JSON.parse(row.linked_providers),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    lastSeenAt: row.last_seen_at,
    paymentCustomerId: row.payment_customer_id,
    enabled: row.enabled === 0 ? false : null,
  };
  return userShape.parse(
    Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null)),
  );
}

/** Every identity of an account: the signup identity and the linked ones. */
export function identitiesOf(
  user: User,
): { provider: string; provider_id: string; user_id: string }[] {
  const linked = user.linkedProviders.map(({ provider, providerId }) => ({ provider, providerId }));
  const all =
    user.providerId === undefined
      ? linked
      : [{ provider: user.provider, providerId: user.providerId }, ...linked];
  return all.map(({ provider, providerId }) => ({
    provider,
    provider_id: providerId,
    user_id: user.id,
  }));
}
