/** `site mcp`: the same server over standard input and output. */
import type { Command, SiteContext } from "#kernel";
import { MemoryConnection } from "#lib/http";
import type {} from "./contract.js";

/** The address of the caller, for limits and the audit log. */
const LOCAL = "127.0.0.1";
const TOKEN = "SITE_MCP_TOKEN";

/** `site mcp` */
export const serveStdio: Command = {
  name: "mcp",
  summary: `serve the tools of agents over standard input and output; ${TOKEN} has the API token`,
  options: [
    ["--url <url>", "pass the calls on to the server at this address: https://example.com/mcp"],
  ],
  run: async ({ site: boot, options }) => {
    const remote = typeof options["url"] === "string" ? options["url"] : null;
    const site = await boot({ overrides: { site: { mcp: { enabled: true } } } });
    const token = site.runtime.env.get(TOKEN);
    const headers = new Headers(token === undefined ? {} : { authorization: `Bearer ${token}` });
    const { StreamableHTTPClientTransport } =
      await import("@modelcontextprotocol/sdk/client/streamableHttp.js");
    const { StdioServerTransport } = await import("@modelcontextprotocol/sdk/server/stdio.js");
    const address = new URL(remote ?? `http://localhost${site.settings.site.mcp.path}`);
    const server = new StreamableHTTPClientTransport(address, {
      requestInit: { headers },
      ...(remote === null && { fetch: inProcess(site) }),
    });
    await bridge(new StdioServerTransport(), server);
  },
};

type Transport = import("@modelcontextprotocol/sdk/shared/transport.js").Transport;

/** Passes messages on in both directions until the client closes its end. */
async function bridge(client: Transport, server: Transport): Promise<void> {
  const waiting = new Set<Promise<void>>();
  const closed = new Promise<void>((resolve) => {
    client.onclose = resolve;
    process.stdin.once("end", resolve);
    process.stdin.once("close", resolve);
  });
  client.onmessage = (message) => {
    const sent = server.send(message).catch((error: unknown) => fail(client, message, error));
    waiting.add(sent);
    void sent.finally(() => waiting.delete(sent));
  };
  server.onmessage = (message) => void client.send(message);
  await server.start();
  await client.start();
  await closed;
  await Promise.allSettled(waiting);
  await Promise.all([client.close(), server.close()]);
}

/** A request that the server refused gets an error: its client waits for an answer. */
async function fail(client: Transport, message: object, error: unknown): Promise<void> {
  if (!("id" in message) || !("method" in message)) return;
  const text = error instanceof Error ? error.message : String(error);
  const id = typeof message.id === "number" ? message.id : String(message.id);
  await client.send({ jsonrpc: "2.0", id, error: { code: -32_000, message: text } });
}

/** `fetch` to the site of this process, without a port. */
function inProcess(site: SiteContext): typeof fetch {
  return async (input, init) => {
    const { pathname, search } = new URL(input instanceof Request ? input.url : String(input));
    const raw = await new MemoryConnection(LOCAL).send(site.http, {
      method: init?.method ?? "GET",
      target: pathname + search,
      headers: Object.fromEntries(new Headers(init?.headers)),
      ...(typeof init?.body === "string" && { body: Buffer.from(init.body) }),
    });
    const { status, headers, body } = raw;
    const isEmpty = status === 202 || status === 204 || body.length === 0;
    return new Response(isEmpty ? null : new Uint8Array(body), { status, headers });
  };
}
