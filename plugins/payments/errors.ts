/** Error codes of payments, with what they mean and what mends them. */
export const paymentErrors = {
  ERR_PAYMENTS_AUTH: "Only logged-in visitors can pay: log in first.",
  ERR_PAYMENTS_ORIGIN: "A checkout was started by a page of another site: start it from here.",
  ERR_PAYMENTS_PRODUCT: "No product of `payments.products` has this id: correct the address.",
  ERR_PAYMENTS_OWNED: "The visitor has this product already: nothing is left to pay.",
  ERR_PAYMENTS_PROVIDER:
    "The payment provider refuses, or answers nonsense: the log says what; check `payments.secret_key` and the `price_id` of the product.",
  ERR_PAYMENTS_AWAY: "The payment provider does not answer: try again later.",
  ERR_PAYMENTS_SIGNATURE:
    "The signature or the time of a webhook is wrong: check `payments.webhook_secret`.",
  ERR_PAYMENTS_EVENT: "A signed webhook is not of a form that is known: check its API version.",
  ERR_PAYMENTS_RECORD:
    "A file below `data/payments` is damaged: the log names it; mend it or bring it back from a backup. The provider sends its events again meanwhile.",
  ERR_PAYMENTS_PACKAGE: "Payments need the package `stripe`: npm install stripe.",
} as const;
