import { join, sep } from "node:path";
import type { BucketSection, Diagnostic, Finding } from "#kernel";
import { errorCode } from "#lib/errors";
import { privateFoldersCheck } from "#lib/diagnostics";
import type {} from "./contract.js";

/** Longest wait for a bucket, in ms. */
const BUCKET_MS = 8_000;

/** The package that processes images loads, and works. */
export const imageCheck: Diagnostic = {
  name: "images",
  run: async () => {
    try {
      const { probeSharp } = await import("./engines/sharp.js");
      return [{ level: "ok", seen: `sharp ${await probeSharp()} processes images` }];
    } catch (error) {
      const [line] = (error instanceof Error ? error.message : String(error)).split("\n");
      const fix = "npm install --include=optional sharp, on this kind of machine";
      return [{ level: "error", seen: `sharp cannot process images: ${line}`, fix }];
    }
  },
};

/** Only the owner reads variants: those of gated pages are among them. The kernel checks the cache folder. */
export const imageFolderCheck: Diagnostic = privateFoldersCheck(({ settings, paths }) => {
  const folder = join(paths.root, settings.system.images.cache_dir);
  return folder.startsWith(paths.cache + sep) ? [] : [folder];
});

/** The bucket of image variants responds. */
export const imageStoreCheck: Diagnostic = {
  name: "image store",
  run: ({ settings, env }) => bucketFindings("imageStore", settings.system.imageStore, env.get),
};

/** Asks a bucket for its state. `setting`: the key of its section. */
export async function bucketFindings(
  setting: string,
  section: BucketSection,
  get: (name: string) => string | undefined,
): Promise<readonly Finding[]> {
  const { type, bucket, region, endpoint } = section;
  if (type !== "s3" || bucket === null) return [];
  const accessKeyId = get("SITE_S3_ACCESS_KEY_ID");
  const secretAccessKey = get("SITE_S3_SECRET_ACCESS_KEY");
  const fix = `start the service, or correct ${setting} of system.yaml, SITE_S3_ACCESS_KEY_ID and SITE_S3_SECRET_ACCESS_KEY`;
  if (accessKeyId === undefined || secretAccessKey === undefined) {
    return [{ level: "error", seen: "the keys of the bucket are not set", fix }];
  }
  const { S3Client, S3Error } = await import("./engines/s3-client.js");
  const client = new S3Client({ bucket, region, endpoint, accessKeyId, secretAccessKey });
  try {
    await client.text({ method: "HEAD", signal: AbortSignal.timeout(BUCKET_MS) });
    return [{ level: "ok", seen: `the bucket ${bucket} responds` }];
  } catch (error) {
    const failure =
      error instanceof S3Error
        ? `cannot be used: the service responds ${error.status} (${error.code})`
        : silenceOf(error);
    return [{ level: "error", seen: `the bucket ${bucket} ${failure}`, fix }];
  } finally {
    client.close();
  }
}

/** What a service did that did not respond, as the end of a sentence. */
function silenceOf(error: unknown): string {
  const isLate = error instanceof Error && error.name === "TimeoutError";
  if (isLate) return `does not respond within ${BUCKET_MS / 1_000} seconds`;
  return `does not respond: ${errorCode(error) || "no response"}`;
}
