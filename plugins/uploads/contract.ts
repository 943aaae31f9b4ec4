/** What others may know of uploads: their settings. */

/** Section `uploads` of site.yaml. */
export interface UploadsSection {
  /** Megabytes. */
  max_size_mb: number;
  allowed_types: string[];
  require_auth: boolean;
}

declare module "#kernel" {
  interface SiteSettings {
    /** Undefined: visitors cannot upload. */
    uploads: UploadsSection | undefined;
  }
}
