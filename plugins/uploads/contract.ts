/** Settings of uploads. */

/** Section `uploads` of site.yaml. */
export interface UploadsSection {
  /** Maximum size of a file in megabytes. */
  max_size_mb: number;
  /** Maximum size of all files in megabytes. */
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
