import type { SuiteRules } from "#testing";

/** The rules of authorization stores by the title of their check, which `authzStoreContract` states. */
export const AUTHZ_STORE_RULES: SuiteRules = {
  "returns null for a user without a record":
    "`get` returns null for a user without a record, whatever the id is; `users` is then empty",
  "starts with an empty record and stores the result of the change":
    "`update` gives `change` the stored record, or `{ user, fingerprint: null, tuples: [] }`; it stores and returns what `change` returns, with every field of each tuple, and `users` lists the user",
  "stores when the identity provider deleted the user":
    "`endedAt` and `endedBy` are stored, and stay until a change replaces them",
  "removes tuples without touching other users":
    "an `update` changes the record of its user and no other",
  "does not change the record when the change throws":
    "`update` rejects and writes nothing when `change` throws",
  "loses no concurrent update":
    "`update` reads, changes and writes in one step: updates at the same time all take effect",
};
