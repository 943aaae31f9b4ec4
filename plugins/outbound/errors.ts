/** Error codes of outgoing requests: what each means, and the fix. */
export const outboundErrors = {
  ERR_OUTBOUND_URL:
    "the address is not an http or https URL without credentials; correct it where it is configured",
  ERR_OUTBOUND_ADDRESS:
    "the host leads to an address that the site does not call; use a public host, or see `outbound.deny_private`",
  ERR_OUTBOUND_TIMEOUT: "the other side did not answer in full within the time; look at it there",
  ERR_OUTBOUND_NETWORK: "the other side could not be reached or broke off; look at it there",
  ERR_OUTBOUND_TOO_LARGE: "the answer is larger than what the site reads of it",
} as const;

/** A code of `outboundErrors`. */
export type OutboundErrorCode = keyof typeof outboundErrors;
