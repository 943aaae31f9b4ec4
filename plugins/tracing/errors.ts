/** Error codes of tracing and metrics: what each means, and the fix. */
export const tracingErrors = {
  ERR_TRACING_PACKAGES:
    "tracing is switched on and its packages are not installed; the fix names the command that installs them",
} as const;
