import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { HTTPParser } from "http-parser-js";

/** A request and its response, as they went over the wire. */
export interface Exchange {
  readonly method: string;
  /** Path and query, as requested. */
  readonly target: string;
  readonly status: number;
  /** The decoded text of a JSON response that is complete; "" for others. */
  readonly json: string;
}

/** Passes bytes between clients and a server of this machine, and reads along. */
export interface WatchingProxy {
  /** `http://127.0.0.1:<port>`. */
  readonly url: string;
  close(): Promise<void>;
}

/** Starts a proxy on 127.0.0.1 in front of `port`; `onExchange` is called before a client has its response. */
export async function startWatchingProxy(
  port: number,
  onExchange: (exchange: Exchange) => void,
): Promise<WatchingProxy> {
  const sockets = new Set<Socket>();
  const server: Server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
    const origin = connect({ port, host: "127.0.0.1", allowHalfOpen: true, noDelay: true });
    const watch = new ConnectionWatch(onExchange);
    client.on("data", (bytes) => watch.request(bytes));
    origin.on("data", (bytes) => watch.response(bytes));
    origin.on("end", () => watch.ended());
    join(client, origin, sockets);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  // Tests of shutdown close only the site: the proxy does not keep their process alive, nor do its sockets.
  server.unref();
  const { port: own } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${own}`,
    close: async () => {
      const closed = once(server, "close");
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/** Passes on bytes, ends and resets in both directions. */
function join(client: Socket, origin: Socket, sockets: Set<Socket>): void {
  for (const [from, to] of [
    [client, origin],
    [origin, client],
  ] as const) {
    sockets.add(from.unref());
    from.pipe(to);
    from.on("error", () => {
      // A reset while the end is on its way fails with EINVAL, and Node never closes that socket: the process
      // then does not exit.
      if (to.writableEnded) to.destroy();
      else to.resetAndDestroy();
    });
    from.on("close", () => {
      sockets.delete(from);
      // What was written still arrives; after that, what the other side sends has no reader.
      to.destroySoon();
    });
  }
}

/** Reads the requests and responses of one connection. */
class ConnectionWatch {
  readonly #onExchange: (exchange: Exchange) => void;
  readonly #requests = new HTTPParser(HTTPParser.REQUEST);
  readonly #responses = new HTTPParser(HTTPParser.RESPONSE);
  /** Requests without a response yet, the oldest first. */
  readonly #open: { method: string; target: string }[] = [];
  #status = 0;
  #headers = new Map<string, string>();
  #chunks: Buffer[] = [];
  #isOver = false;

  constructor(onExchange: (exchange: Exchange) => void) {
    this.#onExchange = onExchange;
    this.#requests.onHeadersComplete = ({ method, url }) => {
      // An index or, whatever the type says, the name itself.
      this.#open.push({ method: HTTPParser.methods[method] ?? String(method), target: url });
    };
    this.#responses.onHeadersComplete = ({ statusCode, headers, upgrade }) => {
      this.#status = statusCode;
      this.#headers = headerMap(headers);
      this.#chunks = [];
      // What follows is not HTTP.
      if (upgrade || statusCode === 101) this.#isOver = true;
      // No body follows, whatever the headers say: RFC 9112, section 6.3.
      const isBodiless = this.#open[0]?.method === "HEAD" || [204, 304].includes(statusCode);
      return isBodiless ? 1 : 0;
    };
    this.#responses.onBody = (bytes, offset, length) => {
      if (this.#isJson()) this.#chunks.push(Buffer.from(bytes.subarray(offset, offset + length)));
    };
    this.#responses.onMessageComplete = () => this.#complete();
  }

  request(bytes: Buffer): void {
    this.#read(this.#requests, bytes);
  }

  response(bytes: Buffer): void {
    this.#read(this.#responses, bytes);
  }

  /** The server ends the connection; so do bodies without a length. */
  ended(): void {
    if (!this.#isOver) this.#responses.finish();
  }

  /** Bytes that are not HTTP, as hostile tests send them, end the watch of their connection. */
  #read(parser: InstanceType<typeof HTTPParser>, bytes: Buffer): void {
    if (this.#isOver) return;
    const result = parser.execute(bytes);
    if (typeof result !== "number") this.#isOver = true;
  }

  #complete(): void {
    // 100 Continue, 103 Early Hints.
    if (this.#status < 200) return;
    const request = this.#open.shift();
    if (request === undefined) return;
    const json = this.#isJson() ? this.#text() : "";
    this.#onExchange({ ...request, status: this.#status, json });
  }

  #isJson(): boolean {
    return /^application\/json\b/.test(this.#headers.get("content-type") ?? "");
  }

  #text(): string {
    const bytes = Buffer.concat(this.#chunks);
    if (bytes.length === 0) return "";
    const encoding = this.#headers.get("content-encoding");
    if (encoding === "gzip") return gunzipSync(bytes).toString();
    return (encoding === "br" ? brotliDecompressSync(bytes) : bytes).toString();
  }
}

/** Names in lower case; the last of equal names counts. */
function headerMap(list: readonly string[]): Map<string, string> {
  const map = new Map<string, string>();
  for (let at = 0; at + 1 < list.length; at += 2) {
    map.set((list[at] ?? "").toLowerCase(), list[at + 1] ?? "");
  }
  return map;
}
