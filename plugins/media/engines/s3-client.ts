import type { S3Client } from "@aws-sdk/client-s3";

/** A bucket of a service that speaks the protocol of S3, and the keys to it. */
export interface S3Bucket {
  readonly bucket: string;
  readonly region: string;
  /** Null: that of the region at AWS. */
  readonly endpoint: string | null;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** Attempts of a request; a variant that cannot be read is generated instead. */
const ATTEMPTS = 3;
const CONNECT_MS = 1_000;
/** After this time without a byte, a connection is closed. */
const IDLE_MS = 10_000;

/** The package, loaded for the first variant. */
export type S3Package = typeof import("@aws-sdk/client-s3");
export interface LoadedS3 {
  readonly sdk: S3Package;
  readonly client: S3Client;
}

/** Loads the package and its client when first needed; after a failure, the next call tries again. */
export class S3Loader {
  readonly #bucket: S3Bucket;
  #loading: Promise<LoadedS3> | null = null;

  constructor(bucket: S3Bucket) {
    this.#bucket = bucket;
  }

  load(): Promise<LoadedS3> {
    if (this.#loading === null) {
      this.#loading = loadS3(this.#bucket);
      this.#loading.catch(() => (this.#loading = null));
    }
    return this.#loading;
  }

  /** Closes the connections. */
  async close(): Promise<void> {
    const loading = this.#loading;
    this.#loading = null;
    (await loading?.catch(() => null))?.client.destroy();
  }
}

/** Creates a client; connects with the first request. */
export async function loadS3(bucket: S3Bucket): Promise<LoadedS3> {
  const sdk = await import("@aws-sdk/client-s3");
  const { region, endpoint, accessKeyId, secretAccessKey } = bucket;
  const client = new sdk.S3Client({
    region,
    credentials: { accessKeyId, secretAccessKey },
    maxAttempts: ATTEMPTS,
    requestHandler: { connectionTimeout: CONNECT_MS, socketTimeout: IDLE_MS },
    // Other services know neither host names per bucket nor the newer checksums.
    ...(endpoint !== null && { endpoint, forcePathStyle: true }),
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
  });
  return { sdk, client };
}
