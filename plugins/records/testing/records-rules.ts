import type { SuiteRules } from "#testing";

/** The rules of stores by the title of their check, which `recordsContract` states. */
export const RECORDS_RULES: SuiteRules = {
  "stores, replaces, lists and deletes values by key":
    "a collection returns what `put` stored last; `list` starts with the greatest key; `delete` says whether there was a value",
  "stores, replaces and deletes bytes by key and number":
    "bytes are returned as they were put, also none and several MB; `delete` removes all numbers of a key, and `keys` lists the others",
  "has nothing at a key that does not match":
    "`get` and `delete` return null and false for a key that `key` does not match, whatever it is",
  "counts every one of many updates at once, and creates no deleted value":
    "`update` reads, changes and writes in one step: updates at the same time all take effect, and null from `change` changes nothing",
  "lists and prunes by day":
    "with `byDay`, `list` returns the keys from `since` on, and `prune` deletes the days before the one of its moment",
  "stores text of any kind":
    "texts may contain every character; only NUL and halves of surrogate pairs may be replaced, without an error",
  "lists a log from its newest entry, by what entries contain":
    "`list` of a log starts with the newest entry; `match` selects entries that contain its object, and `total` counts all of them",
  "follows a log, oldest first, and starts again when old entries were deleted":
    "`follow` passes the entries after the cursor, oldest first, and returns null without passing any when entries before it were deleted; a log stays below `maxBytes`",
  "appends to a journal in one order, and reads it from a number on":
    "entries of a journal get growing numbers in the order in which they arrive, and `read` returns them from a number on, as they were appended",
  "prunes a journal by size and by age, but never its newest entry":
    "`prune` of a journal leaves `maxEntries` and at most a tenth more, deletes entries that were followed by another one before its moment, and never the newest",
};
