/** Error codes of payments: meaning and fix. */
export const paymentErrors = {
  ERR_PAYMENTS_AUTH: "Only logged-in visitors can pay: log in first.",
  ERR_PAYMENTS_ORIGIN: "The checkout was started by another site: start it from this site.",
  ERR_PAYMENTS_PRODUCT: "No product of `payments.products` has this id: correct the address.",
  ERR_PAYMENTS_OWNED: "The visitor already has this product: nothing is left to pay.",
  ERR_PAYMENTS_PROVIDER:
    "The payment provider rejected the request or returned an invalid response: see the log; check `payments.secret_key` and the `price_id` of the product.",
  ERR_PAYMENTS_AWAY: "The payment provider does not respond: try again later.",
  ERR_PAYMENTS_SIGNATURE:
    "The signature or timestamp of a webhook is invalid: check `payments.webhook_secret`.",
  ERR_PAYMENTS_EVENT: "A signed webhook has an unknown format: check its API version.",
  ERR_PAYMENTS_RECORD:
    "A file below `data/payments` is damaged: the log names it; repair it or restore it from a backup. Until then the provider resends its events.",
} as const;
