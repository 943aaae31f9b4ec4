/** Settings of uploads, and where they are stored. */
import type { BucketSection } from "#kernel";
import type { Request, Response } from "express";

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

/** A place for uploads: a folder, or a bucket. */
export interface UploadFiles {
  /** Stores all bytes, or nothing. */
  put(name: string, bytes: AsyncIterable<Buffer>, type: string): Promise<void>;
  delete(name: string): Promise<void>;
  /** Returns the size of all uploads. */
  totalBytes(): Promise<number>;
  /** Removes leftovers of uploads that a crash interrupted. */
  sweep(): Promise<void>;
  /** False: there is no such upload. */
  send(name: string, to: SendTo): Promise<boolean>;
}
/** The request for an upload, and what its response says. */
export interface SendTo {
  readonly req: Request;
  readonly res: Response;
  /** MIME type. */
  readonly type: string;
  readonly headers: Readonly<Record<string, string>>;
}

declare module "#kernel" {
  interface SystemSettings {
    uploadStore: BucketSection;
  }
  interface SiteSettings {
    /** Undefined: visitors cannot upload. */
    uploads: UploadsSection | undefined;
  }
}
