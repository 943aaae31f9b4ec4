import { createHash } from "node:crypto";
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import { errorCode } from "#lib/errors";

/** A bucket of a service that speaks the protocol of S3, and the keys to it. */
export interface S3Bucket {
  readonly bucket: string;
  readonly region: string;
  /** Null: that of the region at AWS. */
  readonly endpoint: string | null;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** A request about an object or, without `key`, about the bucket. */
export interface S3Request {
  readonly method: "GET" | "HEAD" | "PUT" | "POST" | "DELETE";
  readonly key?: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** A stream is sent once only: a failed request with a stream is not repeated. */
  readonly body?: Buffer | { readonly stream: Readable; readonly size: number };
  /** Ends the request and the response. */
  readonly signal?: AbortSignal;
}

/** An object of a list. */
export interface ListedObject {
  readonly key: string;
  readonly size: number;
}

/** Attempts of a request; a variant that cannot be read is generated instead. */
const ATTEMPTS = 3;
/** The upper limit of the first pause between attempts, in ms; each further limit is twice as long. */
const PAUSE_MS = 100;
const CONNECT_MS = 1_000;
/** After this time without a byte, a connection is closed. */
const IDLE_MS = 10_000;
/** Failures after which the same request may succeed. */
const PASSING_STATUS: ReadonlySet<number> = new Set([429, 500, 502, 503, 504]);
const PASSING_CODES: ReadonlySet<string> = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ETIMEDOUT",
  "RequestTimeout",
]);
/** Codes of responses to HEAD, which have no body. */
const STATUS_CODES: Readonly<Record<number, string>> = {
  301: "PermanentRedirect",
  400: "BadRequest",
  403: "Forbidden",
  404: "NotFound",
};

/** A failure that the service reports: its code is the name, such as `NoSuchKey`. */
export class S3Error extends Error {
  readonly code: string;
  readonly status: number;

  /** `code`: the name of the failure, or of the HTTP status. */
  constructor(status: number, code: string, message: string) {
    super(message);
    this.name = code;
    this.code = code;
    this.status = status;
  }
}

/** Options of a list of objects. */
export interface S3ListOptions {
  /** Objects per page. Default: as many as the service sends. */
  readonly pageSize?: number | undefined;
  /** Called for each request; aborts it. */
  readonly signal?: () => AbortSignal;
}

/** Signs and sends requests about one bucket. Connects with the first request. */
export class S3Client {
  readonly #bucket: S3Bucket;
  readonly #address: string;
  readonly #agent: HttpAgent;
  /** Signing keys by day. */
  readonly #signingKeys = new Map<string, ArrayBuffer>();

  constructor(bucket: S3Bucket) {
    this.#bucket = bucket;
    this.#address = addressOf(bucket);
    this.#agent = this.#address.startsWith("https:")
      ? new HttpsAgent({ keepAlive: true })
      : new HttpAgent({ keepAlive: true });
  }

  /**
   * The response, whose body the caller reads.
   * @throws S3Error for any status but 2xx, and the error of the connection.
   */
  async send(request: S3Request): Promise<IncomingMessage> {
    const isRepeatable = request.body === undefined || Buffer.isBuffer(request.body);
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#sendOnce(request);
      } catch (error) {
        const isLast = attempt === ATTEMPTS || !isRepeatable || request.signal?.aborted === true;
        if (isLast || !isPassing(error)) throw error;
        await delay(Math.random() * PAUSE_MS * 2 ** (attempt - 1));
      }
    }
  }

  /** The text of the response. @throws as `send` does. */
  async text(request: S3Request): Promise<string> {
    return text(await this.send(request));
  }

  /** The root element of the response. @throws as `send` does. */
  async xml(request: S3Request): Promise<XmlElement> {
    return parseXml(await this.text(request));
  }

  /**
   * The objects whose keys begin with `prefix`, page by page.
   */
  async *list(
    prefix: string,
    { pageSize, signal }: S3ListOptions = {},
  ): AsyncGenerator<readonly ListedObject[]> {
    let next: string | undefined;
    do {
      const page = await this.xml({
        method: "GET",
        query: {
          "list-type": "2",
          prefix,
          ...(pageSize !== undefined && { "max-keys": String(pageSize) }),
          ...(next !== undefined && { "continuation-token": next }),
        },
        ...(signal !== undefined && { signal: signal() }),
      });
      yield page.children
        .filter(({ name }) => name === "Contents")
        .map((entry) => ({
          key: childText(entry, "Key") ?? "",
          size: Number(childText(entry, "Size") ?? 0),
        }));
      next = childText(page, "NextContinuationToken");
    } while (next !== undefined);
  }

  /** Closes the connections. */
  close(): void {
    this.#agent.destroy();
  }

  async #sendOnce(request: S3Request): Promise<IncomingMessage> {
    const { method, key, query = {}, body, signal } = request;
    const { accessKeyId, secretAccessKey, region } = this.#bucket;
    const { AwsV4Signer } = await import("aws4fetch");
    const search = new URLSearchParams(query).toString();
    const signer = new AwsV4Signer({
      method,
      url: `${this.#address}/${encodeKey(key ?? "")}${search === "" ? "" : `?${search}`}`,
      headers: { ...request.headers, ...bodyHeaders(body) },
      service: "s3",
      region,
      accessKeyId,
      secretAccessKey,
      cache: this.#signingKeys,
    });
    const { url, headers } = await signer.sign();
    signal?.throwIfAborted();
    const response = await exchange(
      { url, method, headers: Object.fromEntries(headers), agent: this.#agent },
      { body, signal },
    );
    const { statusCode: status = 0 } = response;
    if (status >= 200 && status <= 299) return response;
    throw await readError(status, response);
  }
}

function addressOf({ bucket, region, endpoint }: S3Bucket): string {
  // Other services do not know host names per bucket.
  if (endpoint !== null) return `${endpoint.replace(/\/+$/, "")}/${encodeKey(bucket)}`;
  const host = `s3.${region}.amazonaws.com${region.startsWith("cn-") ? ".cn" : ""}`;
  // A certificate covers one label before the host.
  return bucket.includes(".") ? `https://${host}/${bucket}` : `https://${bucket}.${host}`;
}

/** The characters of RFC 3986, which the signature is calculated with. */
function encodeKey(key: string): string {
  return encodeURIComponent(key)
    .replaceAll("%2F", "/")
    .replaceAll(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
}

function bodyHeaders(body: S3Request["body"]): Record<string, string> {
  if (body === undefined) return {};
  // Without a digest the signer declares the payload as unsigned: a stream is not read twice.
  if (!Buffer.isBuffer(body)) return { "content-length": String(body.size) };
  return {
    "content-length": String(body.length),
    "x-amz-content-sha256": createHash("sha256").update(body).digest("hex"),
  };
}

interface SignedRequest {
  readonly url: URL;
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly agent: HttpAgent;
}

/** Sends one request; resolves with the response once its head has arrived. */
function exchange(
  { url, ...options }: SignedRequest,
  { body, signal }: Pick<S3Request, "body" | "signal">,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const send = url.protocol === "https:" ? httpsRequest : httpRequest;
    let response: IncomingMessage | null = null;
    const end = (error: Error): void => void (response ?? request).destroy(error);
    const request = send(url, options, (incoming) => {
      response = incoming;
      resolve(incoming);
    });
    const onAbort = (): void => end(abortReason(signal));
    signal?.addEventListener("abort", onAbort, { once: true });
    request.on("close", () => signal?.removeEventListener("abort", onAbort));
    request.on("error", reject);
    request.setTimeout(IDLE_MS, () => end(timedOut(`no byte for ${IDLE_MS} ms`)));
    request.on("socket", (socket) => {
      if (!socket.connecting) return;
      const timer = setTimeout(
        () => end(timedOut(`no connection within ${CONNECT_MS} ms`)),
        CONNECT_MS,
      );
      for (const event of ["connect", "close"]) socket.once(event, () => clearTimeout(timer));
    });
    if (body === undefined || Buffer.isBuffer(body)) {
      request.end(body);
      return;
    }
    const { stream } = body;
    stream.on("error", end);
    request.on("close", () => stream.destroy());
    stream.pipe(request);
  });
}

function abortReason(signal: AbortSignal | undefined): Error {
  const reason: unknown = signal?.reason;
  return reason instanceof Error ? reason : new Error("the request was aborted");
}

function timedOut(what: string): Error {
  return Object.assign(new Error(`the service does not respond: ${what}`), { code: "ETIMEDOUT" });
}

async function readError(status: number, response: IncomingMessage): Promise<S3Error> {
  const body = await text(response);
  const named = STATUS_CODES[status] ?? `HTTP ${status}`;
  const message = `the service responded with ${status}`;
  if (body === "") return new S3Error(status, named, message);
  try {
    const document = await parseXml(body);
    const code = childText(document, "Code") ?? named;
    return new S3Error(status, code, childText(document, "Message") ?? message);
  } catch {
    // The page of a proxy.
    return new S3Error(status, named, message);
  }
}

function isPassing(error: unknown): boolean {
  if (error instanceof S3Error && PASSING_STATUS.has(error.status)) return true;
  return PASSING_CODES.has(errorCode(error));
}

/** The XML of responses: elements and their text. Attributes, comments and namespaces are left out. */
interface XmlElement {
  readonly name: string;
  text: string;
  readonly children: XmlElement[];
}

/** Responses of S3 are three elements deep. */
const MAX_DEPTH = 10;

/** The root element. Entities other than those of XML itself are rejected. @throws for malformed XML. */
async function parseXml(xml: string): Promise<XmlElement> {
  const { SaxesParser } = await import("saxes");
  const parser = new SaxesParser();
  const root: XmlElement = { name: "", text: "", children: [] };
  const open: XmlElement[] = [root];
  parser.on("opentag", ({ name }) => {
    if (open.length > MAX_DEPTH) throw new Error("the XML is nested too deep");
    const element: XmlElement = { name, text: "", children: [] };
    open.at(-1)?.children.push(element);
    open.push(element);
  });
  const addText = (text: string): void => {
    const element = open.at(-1);
    if (element !== undefined) element.text += text;
  };
  parser.on("text", addText);
  parser.on("cdata", addText);
  parser.on("closetag", () => void open.pop());
  parser.write(xml).close();
  return root.children[0] ?? root;
}

/** The text of the first child with a name. */
export function childText(element: XmlElement, name: string): string | undefined {
  return element.children.find((child) => child.name === name)?.text;
}
