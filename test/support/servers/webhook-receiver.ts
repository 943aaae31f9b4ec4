import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { until } from "../until.js";

/** A recorded request. */
export interface ReceivedHook {
  headers: IncomingHttpHeaders;
  body: Buffer;
  at: number;
}
/** A server that records requests and responds as configured. */
export interface Receiver {
  url: string;
  received: ReceivedHook[];
  /** Maximum number of connections open at the same time. */
  readonly maxConcurrent: number;
  answer: (res: ServerResponse, nth: number) => void;
  /** Resolves once this many requests have arrived. */
  count(n: number): Promise<void>;
  close(): Promise<void>;
}

/** Starts a receiver on the loopback interface; it responds 204 by default. */
export async function startReceiver(answer?: Receiver["answer"]): Promise<Receiver> {
  let open = 0;
  let most = 0;
  const server = createServer((req, res) => {
    open += 1;
    most = Math.max(most, open);
    res.once("close", () => (open -= 1));
    const chunks: Buffer[] = [];
    req.on("data", (chunk: Buffer) => chunks.push(chunk));
    req.on("end", () => {
      receiver.received.push({ headers: req.headers, body: Buffer.concat(chunks), at: Date.now() });
      receiver.answer(res, receiver.received.length);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received: [],
    get maxConcurrent() {
      return most;
    },
    answer: answer ?? ((res) => res.writeHead(204).end()),
    count: (n) => until(() => receiver.received.length >= n),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return receiver;
}
