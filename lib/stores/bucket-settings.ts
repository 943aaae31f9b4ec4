import { z } from "zod";
import { httpUrl } from "#lib/urls";

/** A bucket of a service that speaks the protocol of S3, in the configuration. */
export interface BucketSection {
  type: "files" | "s3";
  /** Null only for `files`. */
  bucket: string | null;
  region: string;
  /** Null: AWS. */
  endpoint: string | null;
  /** Begins the names of all objects. */
  prefix: string;
}

/** The texts of a store's settings that differ between plugins. */
export interface BucketTexts {
  /** The description of the key `type`. */
  type: string;
  /** An example of a bucket name, for the fix of a missing one. */
  example: string;
}

/** The schema of the settings of a store that is either `files` or a bucket. */
export function bucketSettings({ type, example }: BucketTexts) {
  return z
    .strictObject({
      type: z.enum(["files", "s3"]).describe(type).default("files"),
      bucket: z
        .string()
        .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, { error: "the name of a bucket" })
        .nullable()
        .describe("Name of the bucket, for `type: s3`; it must exist")
        .default(null),
      region: z
        .string()
        .regex(/^[a-z0-9-]+$/, { error: "the name of a region" })
        .describe("Region of the bucket")
        .default("us-east-1"),
      endpoint: httpUrl()
        .nullable()
        .describe("Address of a service other than AWS, such as MinIO, Garage or R2")
        .meta({ outbound: true })
        .default(null),
      prefix: z
        .string()
        .regex(/^(?!\/)[\w!.*'()/-]{0,200}$/, { error: "letters, digits and `-_.!*'()/`" })
        .describe("Begins the names of the objects; sites that share a bucket need different ones")
        .default(""),
    })
    .superRefine((value, context) => {
      if (value.type !== "s3" || value.bucket !== null) return;
      context.addIssue({
        code: "custom",
        path: ["bucket"],
        message: "the name of a bucket",
        params: { fix: `add \`bucket: ${example}\`, or use \`type: files\`` },
      });
    })
    .meta({ privileged: true });
}
