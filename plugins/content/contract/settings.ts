/** Settings of the content. */
import type { CacheSection, LanguagesSection } from "../settings.js";

/** Section `content` of system.yaml. */
export interface ContentSection {
  dir: string;
  /** `poll`: for network file systems that send no events. */
  watch: "events" | "poll";
}

declare module "#kernel" {
  interface SiteSettings {
    taxonomies: string[];
    routes: Record<string, string>;
    redirects: Record<string, string>;
    redirect_status: 301 | 302;
    home: string | null;
  }
  interface SystemSettings {
    content: ContentSection;
    cache: CacheSection;
    languages: LanguagesSection;
  }
}
