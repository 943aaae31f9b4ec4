import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { until } from "../until.js";

/** A recorded call. */
export interface ApiRequest {
  method: string;
  /** Path with query. */
  url: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
}
/** A fake third-party API on the loopback interface. */
export interface ApiStandIn {
  url: string;
  calls: ApiRequest[];
  /** Responds to a call; may be replaced at any time. */
  answer: (res: ServerResponse, call: ApiRequest, nth: number) => void;
  /** Resolves once this many calls have arrived. */
  count(n: number): Promise<void>;
  close(): Promise<void>;
}

/** Starts a stand-in; it responds `{}` by default. */
export async function startApi(answer?: ApiStandIn["answer"]): Promise<ApiStandIn> {
  const server = createServer((req, res) => {
    const chunks: Buffer[] = [];
    req.on("data", (chunk: Buffer) => chunks.push(chunk));
    req.on("end", () => {
      const { method = "", url = "", headers } = req;
      const call = { method, url, headers, body: Buffer.concat(chunks) };
      api.calls.push(call);
      api.answer(res, call, api.calls.length);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const api: ApiStandIn = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls: [],
    answer: answer ?? ((res) => answerJson(res, {})),
    count: (n) => until(() => api.calls.length >= n),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return api;
}

/** Responds with JSON. */
export function answerJson(res: ServerResponse, body: unknown, status = 200): void {
  res.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body));
}
