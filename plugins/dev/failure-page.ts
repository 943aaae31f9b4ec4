import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Failure } from "#kernel";
import { reloadClient, listenOn } from "#lib/http";
import { escapeHtml } from "#lib/html";

const STYLE = `:root{color-scheme:light dark}body{margin:0;font:1rem/1.6 system-ui,sans-serif}
main{max-width:60rem;margin:0 auto;padding:2rem 1.25rem}h1{font-size:1.4rem}h2{font-size:1rem;margin:1.5rem 0 .25rem;overflow-wrap:anywhere}
p{margin:.25rem 0;white-space:pre-wrap;overflow-wrap:anywhere}pre{overflow:auto;padding:1rem;border:1px solid #8886;border-radius:.5rem;font-size:.875rem}`;

/** Serves the port of a site that cannot start: the reason, and a reload once it starts. */
export class FailurePage {
  readonly #server: Server;
  readonly #streams = new Set<ServerResponse>();
  readonly #failure: Failure;

  constructor(failure: Failure) {
    this.#failure = failure;
    this.#server = createServer((req, res) => this.#answer(req, res));
  }

  /** Resolves with the port. */
  listen(port: number, host: string): Promise<number> {
    return listenOn(this.#server, port, host);
  }

  /** Frees the port; open pages then reconnect and reload. */
  async close(): Promise<void> {
    for (const stream of this.#streams) stream.end();
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await closed;
  }

  #answer(req: IncomingMessage, res: ServerResponse): void {
    const accepted = req.headers.accept ?? "";
    if (req.url === reloadClient.events) return this.#stream(res);
    if (accepted.includes("text/html")) return sendHtml(res, this.#failure);
    const [reason] = this.#failure.reasons;
    const body = {
      error: `the site cannot start: ${reason?.cause}`,
      details: this.#failure.reasons,
    };
    res.writeHead(500, { ...HEADERS, "Content-Type": "application/json; charset=utf-8" });
    res.end(JSON.stringify(body));
  }

  #stream(res: ServerResponse): void {
    res.writeHead(200, { ...HEADERS, "Content-Type": "text/event-stream; charset=utf-8" });
    res.write(reloadClient.opening);
    this.#streams.add(res);
    res.once("close", () => this.#streams.delete(res));
  }
}

const HEADERS = { "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff" };

function sendHtml(res: ServerResponse, { reasons, stack }: Failure): void {
  const nonce = randomBytes(16).toString("base64url");
  const policy = `default-src 'none'; connect-src 'self'; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'`;
  const trace = stack.length === 0 ? "" : `<h2>Stack</h2>${pre(stack.join("\n"))}`;
  const html = [
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">`,
    `<title>The site cannot start</title><style nonce="${nonce}">${STYLE}</style></head>`,
    `<body><main><h1>The site cannot start</h1>${reasons.map(reasonHtml).join("")}${trace}`,
    `<p>This page reloads when a saved file fixes the problem.</p></main>`,
    `<script nonce="${nonce}">${reloadClient.script}</script></body></html>`,
  ].join("");
  const type = "text/html; charset=utf-8";
  res.writeHead(500, { ...HEADERS, "Content-Type": type, "Content-Security-Policy": policy });
  res.end(html);
}

function reasonHtml({ place, cause, fix, excerpt }: Failure["reasons"][number]): string {
  const heading = place === undefined ? "" : `<h2>${escapeHtml(place)}</h2>`;
  const remedy = fix === undefined ? "" : `<p>Fix: ${escapeHtml(fix)}</p>`;
  return `${heading}<p>${escapeHtml(cause)}</p>${remedy}${excerpt === undefined ? "" : pre(excerpt)}`;
}

function pre(text: string): string {
  return `<pre>${escapeHtml(text)}</pre>`;
}
