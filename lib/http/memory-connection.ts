import { Duplex } from "node:stream";

/** Takes connections: an HTTP server, or a site. */
export interface Acceptor {
  accept(connection: Duplex): void;
}
/** A request over a connection in memory. */
export interface MemoryRequest {
  /** Default GET. */
  method?: string;
  /** Path and query as in a request line. */
  target: string;
  /** Values without line breaks. */
  headers?: Readonly<Record<string, string>>;
  body?: Buffer;
}
/** A response as received over the connection. */
export interface RawAnswer {
  status: number;
  /** Names in lower case; the last of duplicates wins. */
  headers: Readonly<Record<string, string>>;
  body: Buffer;
}

const END_OF_HEAD = Buffer.from("\r\n\r\n");

/**
 * The server's end of a connection without sockets: one request, one response. HTTP/1.0, so that
 * the end of the body is the end of the stream.
 */
export class MemoryConnection extends Duplex {
  readonly remoteAddress: string;
  /** The error behind a response with a status of 500 or more; undefined: none. */
  failure: unknown;
  readonly #parts: Buffer[] = [];
  #isOver = false;

  /** Servers apply rate limits by `remoteAddress`. */
  constructor(remoteAddress: string) {
    super({ allowHalfOpen: true });
    this.remoteAddress = remoteAddress;
  }

  /** Sends a request and resolves with its response. */
  send(server: Acceptor, request: MemoryRequest): Promise<RawAnswer> {
    return new Promise((resolve, reject) => {
      this.once("error", reject);
      this.once("close", () => {
        if (this.#isOver) resolve(toAnswer(Buffer.concat(this.#parts)));
        else reject(new Error("the answer was cut off"));
      });
      server.accept(this);
      this.push(toBytes(request));
    });
  }

  override _read(): void {
    // All data to read has been pushed.
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.#parts.push(chunk);
    done();
  }

  override _final(done: () => void): void {
    this.#isOver = true;
    done();
    this.destroy();
  }

  /** The part of a socket that a server needs. */
  setTimeout(): this {
    return this;
  }

  setNoDelay(): this {
    return this;
  }

  setKeepAlive(): this {
    return this;
  }
}

/** @throws TypeError for a header that would start another one. */
function toBytes({ method = "GET", target, headers = {}, body }: MemoryRequest): Buffer {
  const length = body === undefined ? {} : { "content-length": String(body.length) };
  const rows = Object.entries({ host: "localhost", ...headers, ...length }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  const lines = [`${method} ${target} HTTP/1.0`, ...rows];
  if (lines.some((line) => /[\r\n]/.test(line))) throw new TypeError("a header has a line break");
  return Buffer.concat([
    Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1"),
    body ?? Buffer.alloc(0),
  ]);
}

function toAnswer(bytes: Buffer): RawAnswer {
  const end = bytes.indexOf(END_OF_HEAD);
  const [line = "", ...rows] = bytes.subarray(0, end).toString("latin1").split("\r\n");
  const headers: Record<string, string> = {};
  for (const row of rows) {
    const colon = row.indexOf(":");
    headers[row.slice(0, colon).toLowerCase()] = row.slice(colon + 1).trim();
  }
  const body = bytes.subarray(end + END_OF_HEAD.length);
  return { status: Number(line.split(" ")[1] ?? 0), headers, body };
}
