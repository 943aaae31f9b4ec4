/** A row of `site_users`; lists are JSON texts, times Unix ms. */
export interface UserRow {
  id: string;
  email: string;
  username: string | null;
  username_key: string | null;
  name: string | null;
  avatar_url: string | null;
  password_hash: string | null;
  roles: string;
  provider: string;
  provider_id: string | null;
  linked_providers: string;
  created_at: number;
  updated_at: number;
  last_seen_at: number;
  payment_customer_id: string | null;
  enabled: number;
  version: number;
}
/** A row of `site_authz_users`; `ended_at` is Unix ms, `ended_by` a JSON list or null. */
export interface AuthzRow {
  user_id: string;
  fingerprint: string | null;
  version: number;
  ended_at: number | null;
  ended_by: string | null;
}
/** The tables for accounts and tuples. */
export interface Tables {
  site_users: UserRow;
  site_user_identities: { provider: string; provider_id: string; user_id: string };
  site_authz_users: AuthzRow;
  site_authz_tuples: { user_id: string; relation: string; object: string; hmac: string | null };
}
