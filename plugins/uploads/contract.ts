/** What others may know of uploads: their settings. */

/** Section `uploads` of site.yaml. */
export interface UploadsSection {
  /** Megabytes of one file. */
  max_size_mb: number;
  /** Megabytes of all files. */
  max_total_mb: number;
  /** MIME types. */
  allowed_types: string[];
  require_auth: boolean;
}

declare module "#kernel" {
  interface SiteSettings {
    /** Undefined: visitors cannot upload. */
    uploads: UploadsSection | undefined;
  }
}
