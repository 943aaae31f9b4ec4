import type { SuiteRules } from "#testing";

/** The rules of rate limits by the title of their check, which `rateLimitContract` states. */
export const RATE_LIMIT_RULES: SuiteRules = {
  "allows requests up to the limit, also concurrent ones, and rejects the rest":
    "`take` allows `limit` requests of a key in a window, also of those at the same time, and no more",
  "returns when to retry: whole seconds, at least one, at most the window":
    "`retryAfterSeconds` of a rejected request is a whole number, from 1 to the length of the window",
  "counts every key separately, whatever its text":
    "each key counts for itself, whatever its text is; upper and lower case differ",
  "keeps windows of different lengths apart":
    "one key with two lengths of the window has two counts",
  "allows requests again after the returned time, and all of them after two windows":
    "a request is allowed again shortly after `retryAfterSeconds`, and `limit` of them after two windows",
  "withdraws the last request of a key, or several, and no other key's":
    "`release` withdraws the last request of a key and window, or `count` of them, and those of no other key or window; optional",
  "withdraws all requests of a key with Infinity, and none of an unknown key":
    "`release` with `Infinity` withdraws all requests; without any, or of an unknown key, it does nothing",
};
