/** Error codes of webhooks: what each means, and the fix. */
export const webhookErrors = {
  ERR_WEBHOOK_UNKNOWN:
    "there is no record of such a delivery; take an id of the list of deliveries",
  ERR_WEBHOOK_ENDPOINT:
    "no endpoint of `admin.webhooks` that is switched on has this label or address; add it there",
} as const;
