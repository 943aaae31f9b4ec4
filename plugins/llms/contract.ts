/** Settings of the pages as Markdown. */

/** Section `llms` of site.yaml. */
export interface LlmsSection {
  enabled: boolean;
  /** True: `Accept: text/markdown` selects the Markdown at the address of a page. */
  negotiate: boolean;
}

declare module "#kernel" {
  interface SiteSettings {
    llms: LlmsSection;
  }
}
