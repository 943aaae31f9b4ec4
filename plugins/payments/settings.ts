import { z } from "zod";
import { httpUrl, type Settings, type SettingsProblem } from "#kernel";
import { isExposedUrl } from "#lib/urls";

const product = z.strictObject({
  id: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,64}$/, { error: "a name of letters, digits, `-` and `_`" })
    .describe("Name of the product in the URL of its checkout"),
  name: z.string().min(1).describe("Name shown to visitors"),
  price_id: z.string().min(1).describe("The provider's id of the price"),
  role: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/, { error: "a role of letters, digits, `_` and `-`" })
    .describe("Role that a payment grants")
    .meta({ grantsRole: true }),
  mode: z
    .enum(["subscription", "payment"])
    .describe("Recurring subscription or single payment")
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
  secret_key: z
    .string()
    .min(1)
    .meta({ secret: true })
    .describe("Secret key issued by the provider"),
  webhook_secret: z
    .string()
    .min(1)
    .meta({ secret: true })
    .describe("Signing secret of the provider's webhooks"),
  api_url: httpUrl()
    .describe("URL of the API, if not the provider's default")
    .meta({ outbound: true })
    .optional(),
  products: products.describe("Products for sale").default([]),
});

export const settings = {
  site: z.object({
    payments: payments
      .describe("Paid roles; disabled without it")
      .meta({ privileged: true })
      .optional(),
  }),
};

/** Payments grant roles: this requires visitors, and a store for their roles. */
export function checkPayments({ site: { auth, payments } }: Settings): readonly SettingsProblem[] {
  if (payments === undefined) return [];
  const problems: SettingsProblem[] = [];
  if (auth?.mode === "external-jwt" && auth.authzStore === undefined) {
    problems.push({
      file: "site",
      key: "auth.authzStore",
      received: undefined,
      expected: "a store for the roles that payments give",
      fix: "set it to local",
    });
  }
  // The secret key is sent there.
  if (isExposedUrl(payments.api_url)) {
    problems.push({
      file: "site",
      key: "payments.api_url",
      received: payments.api_url,
      expected: "an https address, or http on this machine",
      fix: "write https://",
    });
  }
  return problems;
}
