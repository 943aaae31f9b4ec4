import type { SuiteRules } from "#testing";

/** The rules of session stores by the title of their check, which `sessionStoreContract` states. */
export const SESSION_STORE_RULES: SuiteRules = {
  "returns null for an unknown id": "`get` returns null for an unknown id",
  "returns stored data, including Unicode and nested values":
    "`get` returns the record as `set` got it, with Unicode and nested values in `data`",
  "replaces a record of the same id": "`set` replaces a record of the same id",
  "deletes a destroyed record, and ignores a second destroy":
    "`destroy` deletes the record, and ignores an unknown id",
  "keeps the kinds apart":
    "the id is the key: ids of visitors, accounts and requests begin with their kind and never name one record",
  "sweeps expired records and keeps live ones":
    "`sweep` deletes the records whose `expiresAt` is before `now`, and returns how many; optional",
  "deletes every session of one user and no others":
    "`destroyUser` deletes all records of the user, of every kind, and no others; it returns how many",
  "accepts any text as a user's id":
    "the `userId` of a record may be any text, also one with slashes, quotes or a null character",
  "lets exactly one of many concurrent callers claim a key":
    "of several `claim` of one key at the same time, exactly one is true; optional",
};
