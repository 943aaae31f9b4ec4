import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";

/** A proxy between a client and a real server that simulates failures of the server. */
export interface TcpProxy {
  /** The server's address with the port of the proxy. */
  readonly url: string;
  /** Closes every connection and rejects new ones. */
  cut(): Promise<void>;
  /** Accepts connections, but forwards nothing. */
  freeze(): void;
  /** Forwards everything this many ms later. */
  slow(ms: number): void;
  /** Answers every request of HTTP with this status and an empty body; the server gets none. */
  answer(status: string): void;
  /** Closes connections once this many bytes came from the client, after the server got them. */
  cutAfter(bytes: number): void;
  /** Forwards again, and without delay. */
  restore(): Promise<void>;
  close(): Promise<void>;
}

/** Starts a proxy on 127.0.0.1 in front of the server of `target`. */
export async function startTcpProxy(target: string): Promise<TcpProxy> {
  const proxy = new Proxy(new URL(target));
  await proxy.restore();
  return proxy;
}

class Proxy implements TcpProxy {
  readonly #target: URL;
  readonly #sockets = new Set<Socket>();
  #server: Server | null = null;
  #port = 0;
  #isFrozen = false;
  #delayMs = 0;
  #answer: string | null = null;
  #maxBytes = Infinity;

  constructor(target: URL) {
    this.#target = target;
  }

  get url(): string {
    const url = new URL(this.#target);
    url.port = String(this.#port);
    return url.href;
  }

  async cut(): Promise<void> {
    const server = this.#server;
    this.#server = null;
    const closed = server && once(server, "close");
    server?.close();
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  freeze(): void {
    this.#isFrozen = true;
    for (const socket of this.#sockets) socket.pause();
  }

  slow(ms: number): void {
    this.#delayMs = ms;
  }

  answer(status: string): void {
    this.#answer = `HTTP/1.1 ${status}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`;
  }

  cutAfter(bytes: number): void {
    this.#maxBytes = bytes;
  }

  async restore(): Promise<void> {
    this.#isFrozen = false;
    this.#answer = null;
    this.#maxBytes = Infinity;
    this.#delayMs = 0;
    for (const socket of this.#sockets) socket.resume();
    if (this.#server) return;
    this.#server = createServer((client) => this.#join(client)).listen(this.#port, "127.0.0.1");
    await once(this.#server, "listening");
    const address = this.#server.address();
    if (address !== null && typeof address === "object") this.#port = address.port;
  }

  close(): Promise<void> {
    return this.cut();
  }

  #join(client: Socket): void {
    const server = connect(Number(this.#target.port), this.#target.hostname);
    let received = 0;
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
      this.#sockets.add(from);
      from.on("data", (chunk) => {
        if (from === client) {
          received += chunk.length;
          if (this.#answer !== null) {
            client.end(this.#answer);
            return;
          }
          if (received > this.#maxBytes) {
            to.write(chunk.subarray(0, this.#maxBytes));
            client.destroy();
            return;
          }
        }
        if (this.#delayMs === 0) to.write(chunk);
        else setTimeout(() => to.write(chunk), this.#delayMs);
      });
      from.on("error", () => to.destroy());
      from.on("close", () => {
        this.#sockets.delete(from);
        to.destroy();
      });
      if (this.#isFrozen) from.pause();
    }
  }
}
