/** Settings of feeds and sitemap. */

/** Section `feed` of site.yaml. */
export interface FeedSection {
  enabled: boolean;
  /** Number of most recent dated pages. */
  items: number;
  content: "summary" | "full";
}
/** Section `sitemap` of site.yaml. */
export interface SitemapSection {
  /** Route prefixes. */
  exclude: string[];
  /** Route to frequency; the longest prefix wins. */
  changefreq: Record<
    string,
    "always" | "hourly" | "daily" | "weekly" | "monthly" | "yearly" | "never"
  >;
}

declare module "#kernel" {
  interface SiteSettings {
    feed: FeedSection;
    sitemap: SitemapSection;
  }
}
