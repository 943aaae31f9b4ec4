import { mkdtempSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AwsClient } from "aws4fetch";
import { MissingServiceError } from "./missing-service.js";
import { freePort, startServer, type ServerProcess } from "./server-process.js";

/** A running server that speaks the protocol of S3. It knows one access key and ignores the secret. */
export interface S3Server extends ServerProcess {
  readonly endpoint: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Creates an empty bucket. */
  createBucket(name: string): Promise<void>;
  /** Sends a signed request about `{bucket}/{key}`. @throws when the server reports a failure. */
  fetch(path: string, init?: RequestInit): Promise<Response>;
  /** The keys of all objects of a bucket, at most 1,000. */
  keys(bucket: string): Promise<string[]>;
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
    // Buckets are named in the path: the host name, which may be that of a proxy, never names one.
    args: ["--openssl-legacy-provider", program(), ...options, "--no-vhost-buckets", "--silent"],
    ready: "listening",
    folder,
    stopSignal: "SIGTERM",
  });
  const endpoint = `http://127.0.0.1:${port}`;
  const client = new AwsClient({ ...keys, service: "s3", region: "us-east-1", retries: 0 });
  const fetchSigned = async (path: string, init: RequestInit = {}): Promise<Response> => {
    const response = await client.fetch(`${endpoint}/${path}`, init);
    if (!response.ok) throw new Error(`the server responded: ${await response.text()}`);
    return response;
  };
  return {
    ...server,
    ...keys,
    endpoint,
    fetch: fetchSigned,
    createBucket: async (name) => void (await fetchSigned(name, { method: "PUT" })),
    keys: async (bucket) => {
      const list = await (await fetchSigned(`${bucket}?list-type=2`)).text();
      return [...list.matchAll(/<Key>([^<]*)<\/Key>/g)].map(([, key = ""]) => key);
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
