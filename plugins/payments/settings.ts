import { httpUrl } from "#kernel";
import { z } from "zod";

const product = z.strictObject({
  id: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,64}$/, { error: "a name of letters, digits, `-` and `_`" })
    .describe("Name of the product in the address of its checkout"),
  name: z.string().min(1).describe("Name shown to visitors"),
  price_id: z.string().min(1).describe("The provider's id of the price"),
  role: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/, { error: "a role of letters, digits, `_` and `-`" })
    .describe("Role that a payment gives"),
  mode: z
    .enum(["subscription", "payment"])
    .describe("Paid again and again, or once")
    .default("subscription"),
});

const products = z.array(product).superRefine((list, context) => {
  for (const [index, { id }] of list.entries()) {
    if (list.findIndex((other) => other.id === id) === index) continue;
    const params = { fix: "give the product another id" };
    context.addIssue({
      code: "custom",
      path: [index, "id"],
      message: "an id that no other product has",
      params,
    });
  }
});

const payments = z.strictObject({
  provider: z.enum(["stripe"]).describe("Payment provider").default("stripe"),
  secret_key: z.string().min(1).meta({ secret: true }).describe("Secret key given by the provider"),
  webhook_secret: z
    .string()
    .min(1)
    .meta({ secret: true })
    .describe("Secret of the signature of the provider's webhooks"),
  api_url: httpUrl()
    .describe("Address of the provider's API, when it is not the provider's own")
    .optional(),
  products: products.describe("What can be bought").default([]),
});

export const settings = {
  site: z.object({
    payments: payments.describe("Paid roles; without it nothing is sold").optional(),
  }),
};
