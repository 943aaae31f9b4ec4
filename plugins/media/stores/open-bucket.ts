import { SiteError, type SiteContext, type BucketSection } from "#kernel";
import type { ObjectBucket } from "../contract.js";
import { S3Objects } from "../engines/s3-objects.js";
import { GuardedBucket } from "./guarded-bucket.js";

/** The keys to buckets, and the prefix of a section with its slash; null when the keys are not set. */
export function bucketOptions(
  { runtime: { env } }: SiteContext,
  { bucket, region, endpoint, prefix }: BucketSection,
) {
  const accessKeyId = env.get("SITE_S3_ACCESS_KEY_ID");
  const secretAccessKey = env.get("SITE_S3_SECRET_ACCESS_KEY");
  if (bucket === null || accessKeyId === undefined || secretAccessKey === undefined) return null;
  const withSlash = prefix === "" || prefix.endsWith("/") ? prefix : `${prefix}/`;
  return { bucket, region, endpoint, accessKeyId, secretAccessKey, prefix: withSlash };
}

/** The error of a bucket without keys. `setting`: the key of its section. */
export function noCredentials(setting: string): SiteError {
  return new SiteError(
    "ERR_MEDIA_S3_CREDENTIALS",
    `\`${setting}.type\` is "s3" and its credentials are not set`,
    { fix: "set SITE_S3_ACCESS_KEY_ID and SITE_S3_SECRET_ACCESS_KEY, or use `type: files`" },
  );
}

/** Opens a folder of a bucket. @throws ERR_MEDIA_S3_CREDENTIALS. */
export function openBucket(
  site: SiteContext,
  { setting, folder, section }: { setting: string; folder: string; section: BucketSection },
): ObjectBucket {
  const options = bucketOptions(site, section);
  if (options === null) throw noCredentials(setting);
  const objects = new S3Objects({ ...options, prefix: `${options.prefix}${folder}/` });
  const bucket = new GuardedBucket(objects, { log: site.log, name: options.bucket });
  const health = site.use("health", { optional: true });
  health?.addCheck(setting, () =>
    bucket.isDown ? `the bucket of ${setting} does not respond` : null,
  );
  site.lifecycle.onClose(() => objects.close());
  return bucket;
}
