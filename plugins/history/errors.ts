/** Error codes of the history of pages: what each means, and the fix. */
export const historyErrors = {
  ERR_HISTORY_UNKNOWN: "there is no such version of the page; take a number of its history",
} as const;
