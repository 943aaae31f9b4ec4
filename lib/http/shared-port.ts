/** The port of a server that is replaced while it serves. */
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { createServer, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { listenOn } from "./listen.js";

/** Limit of open connections, for all servers on the port. */
const MAX_CONNECTIONS = 4_000;
const POLL_MS = 20;

/** What serves behind a port. */
export interface Resident {
  readonly server: Server;
  /** Serves a request that has arrived on a connection of an earlier resident. */
  adopt(req: IncomingMessage, res: ServerResponse): void;
}

/**
 * Listens on a port and passes each connection to the resident that serves now. Connections of earlier ones
 * stay open for one more request, which the present one serves: no request on its way is lost.
 */
export class SharedPort {
  // The options of `http.createServer`.
  readonly #port = createServer({ allowHalfOpen: true, noDelay: true });
  readonly #open = new Map<Server, Set<Socket>>();
  #resident: Resident | null = null;

  constructor() {
    this.#port.maxConnections = MAX_CONNECTIONS;
    this.#port.on("connection", (socket) => this.#pass(socket));
    this.#port.on("drop", (data) => this.#resident?.server.emit("drop", data));
  }

  /** @throws ERR_PORT_IN_USE. */
  listen(port: number, host: string): Promise<number> {
    return listenOn(this.#port, port, host);
  }

  /** Passes all requests to this resident from now on, except those that another one is serving. */
  serve(resident: Resident): void {
    const { server } = resident;
    const last = this.#resident?.server;
    this.#resident = resident;
    this.#open.set(server, new Set());
    // Starts its time limits for slow clients, as listening itself would.
    server.emit("listening");
    if (last === undefined) return;
    last.removeAllListeners("request");
    last.on("request", (req, res) => this.#resident?.adopt(req, res));
    this.#dropWhenIdle(last);
  }

  isServing(server: Server): boolean {
    return this.#resident?.server === server;
  }

  /**
   * Call it when a server closes. The last one closes the port; one that was replaced waits for its own
   * requests, and its connections stay.
   */
  async leave(
    server: Server,
    { limitMs, openRequests }: { limitMs: number; openRequests(): number },
  ): Promise<void> {
    if (this.isServing(server)) return this.close(limitMs);
    const until = performance.now() + limitMs;
    while (openRequests() > 0 && performance.now() < until) await delay(POLL_MS);
  }

  /** Closes the port and idle connections; resolves when all requests have ended, after `limitMs` at the latest. */
  async close(limitMs: number): Promise<void> {
    this.#port.close();
    const until = performance.now() + limitMs;
    while (this.#sockets().length > 0 && performance.now() < until) {
      for (const server of this.#open.keys()) server.closeIdleConnections();
      await delay(POLL_MS);
    }
    this.cutOff();
    for (const server of this.#open.keys()) this.#drop(server);
  }

  /** Ends all connections at once. */
  cutOff(): void {
    for (const socket of this.#sockets()) socket.destroy();
  }

  #sockets(): Socket[] {
    return [...this.#open.values()].flatMap((sockets) => [...sockets]);
  }

  #pass(socket: Socket): void {
    const server = this.#resident?.server;
    const sockets = server === undefined ? undefined : this.#open.get(server);
    if (server === undefined || sockets === undefined) return void socket.destroy();
    sockets.add(socket);
    socket.once("close", () => {
      sockets.delete(socket);
      if (!this.isServing(server)) this.#dropWhenIdle(server);
    });
    server.emit("connection", socket);
  }

  #dropWhenIdle(server: Server): void {
    if (this.#open.get(server)?.size === 0) this.#drop(server);
  }

  /** It never listened itself: this stops its timer. */
  #drop(server: Server): void {
    this.#open.delete(server);
    server.close(() => undefined);
  }
}
