/** Error codes of outgoing requests: meaning and fix. */
export const outboundErrors = {
  ERR_OUTBOUND_URL:
    "the address is not an http or https URL without credentials; correct it where it is configured",
  ERR_OUTBOUND_ADDRESS:
    "the host resolves to an address that the site must not call; use a public host, or see `outbound.deny_private`",
  ERR_OUTBOUND_TIMEOUT: "the other server did not respond completely in time; check that server",
  ERR_OUTBOUND_NETWORK:
    "the other server could not be reached or closed the connection; check that server",
  ERR_OUTBOUND_TOO_LARGE: "the response is larger than the limit",
} as const;

/** A code of `outboundErrors`. */
export type OutboundErrorCode = keyof typeof outboundErrors;
