/** Error codes of tracing and metrics: what each means, and the fix. */
export const tracingErrors = {
  ERR_TRACING_PACKAGES:
    "tracing is enabled but its packages are not installed; run the command of the fix",
} as const;
