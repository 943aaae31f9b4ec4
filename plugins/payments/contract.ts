/** Settings of payments. */

/** One of `payments.products`. */
export interface ProductSection {
  /** Used in the URL of the checkout. */
  id: string;
  name: string;
  price_id: string;
  role: string;
  mode: "subscription" | "payment";
}
/** Section `payments` of site.yaml. */
export interface PaymentsSection {
  provider: "stripe";
  secret_key: string;
  webhook_secret: string;
  /** Default: the provider's own. */
  api_url?: string | undefined;
  products: ProductSection[];
}

declare module "#kernel" {
  interface SiteSettings {
    /** Undefined: payments are disabled. */
    payments: PaymentsSection | undefined;
  }
}
