import { mkdtempSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CreateBucketCommand, S3Client } from "@aws-sdk/client-s3";
import { MissingServiceError } from "./missing-service.js";
import { freePort, startServer, type ServerProcess } from "./server-process.js";

/** A running server that speaks the protocol of S3. It knows one access key and ignores the secret. */
export interface S3Server extends ServerProcess {
  readonly endpoint: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Creates an empty bucket. */
  createBucket(name: string): Promise<void>;
}

const keys = { accessKeyId: "S3RVER", secretAccessKey: "S3RVER" };

/** Starts `s3rver` on a free port of 127.0.0.1. @throws MissingServiceError. */
export async function startS3(): Promise<S3Server> {
  const folder = mkdtempSync(join(tmpdir(), "site-s3-"));
  const port = await freePort();
  const options = ["--directory", folder, "--address", "127.0.0.1", "--port", String(port)];
  const server = await startServer({
    command: process.execPath,
    // Its tokens of further pages are encrypted with DES.
    args: ["--openssl-legacy-provider", program(), ...options, "--silent"],
    ready: "listening",
    folder,
    stopSignal: "SIGTERM",
  });
  const endpoint = `http://127.0.0.1:${port}`;
  const place = { endpoint, region: "us-east-1", forcePathStyle: true };
  return {
    ...server,
    ...keys,
    endpoint,
    createBucket: async (Bucket) => {
      const client = new S3Client({ ...place, credentials: keys });
      await client.send(new CreateBucketCommand({ Bucket }));
      client.destroy();
    },
  };
}

function program(): string {
  const require = createRequire(import.meta.url);
  try {
    return require.resolve("s3rver/bin/s3rver.js");
  } catch (cause) {
    throw new MissingServiceError("S3", "s3rver is not installed, run npm ci", cause);
  }
}
