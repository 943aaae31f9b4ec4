/** What others may know of payments: their settings. */

/** One of `payments.products`. */
export interface ProductSection {
  /** Used in the address of the checkout. */
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
  /** The provider's own without it. */
  api_url?: string | undefined;
  products: ProductSection[];
}

declare module "#kernel" {
  interface SiteSettings {
    /** Undefined: nothing is sold. */
    payments: PaymentsSection | undefined;
  }
}
