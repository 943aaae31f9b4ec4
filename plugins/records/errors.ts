/** Error codes of the small stores: what each means, and the fix. */
export const recordErrors = {
  ERR_RECORDS_LOCKED:
    "A log could not be rotated because another process holds its lock: the next entry tries again.",
} as const;
