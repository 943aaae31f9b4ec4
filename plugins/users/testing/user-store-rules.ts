import type { SuiteRules } from "#testing";

/** The rules of user stores by the title of their check: `userStoreContract` states one when a check fails. */
export const USER_STORE_RULES: SuiteRules = {
  "returns every stored field":
    "`create` and `get` return every field of the account as it was given",
  "returns null for missing accounts":
    "`get`, the `find…` methods, `update` and `delete` return null for an unknown account, whatever the id is",
  "changes a record, but neither its id nor its creation time":
    "`update` keeps the stored `id` and `createdAt`, whatever `change` returns",
  "does not change the record when the change throws":
    "`update` rejects and writes nothing when `change` throws",
  "lists by age, in pages, and counts":
    "`list` sorts by `createdAt`, then by id, and returns `limit` accounts from `offset`; `count` counts all",
  "returns the deleted record once and frees its keys":
    "`delete` returns the record, then null, and frees its e-mail address, username and identities",
  "finds by e-mail and username in any case":
    "`findByEmail` and `findByUsername` ignore upper and lower case",
  "finds by the signup identity and by every linked one":
    "`findByIdentity` finds by `provider` and `providerId` of the account and of each of `linkedProviders`",
  "finds by a changed e-mail address, and by an identity only while it is linked":
    "lookups follow each `update`: they find by new keys, and no longer by old ones",
  "accepts long and odd keys":
    "keys may have any characters and several hundred of them: hash them for names of files",
  "rejects a key that another account has":
    "`create` rejects with ERR_USER_EMAIL_TAKEN, ERR_USER_USERNAME_TAKEN or ERR_USER_IDENTITY_TAKEN, and stores nothing",
  "rejects a change to a key of another account, and changes nothing":
    "`update` rejects a key that another account has, with the codes of `create`, and writes nothing",
  "creates one record when many are created with one e-mail address":
    "of several `create` at the same time with one key, exactly one succeeds",
  "loses no concurrent update":
    "`update` reads, changes and writes in one step: updates at the same time all take effect",
  "links an identity to only one of many concurrent accounts":
    "of several `update` at the same time that link one identity, those of one account succeed",
  "agrees with a second process on the same data":
    "two stores on the same data see each other's writes at once, and keep keys unique together",
};
