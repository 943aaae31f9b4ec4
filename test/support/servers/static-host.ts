/** A static file host: folders get a slash, `_headers` is applied, nothing is computed. */
import { readFile, stat } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import mime from "mime-types";

/** A running host. */
export interface StaticHost {
  /** `http://127.0.0.1:<port>`, without the prefix. */
  url: string;
  close(): Promise<void>;
}

/** Serves a folder below a path (`/docs`), on a free port of the loopback interface. */
export async function hostFolder(folder: string, prefix = ""): Promise<StaticHost> {
  const rules = await readFile(join(folder, "_headers"), "utf8").catch(() => "");
  const everywhere = everywhereOf(rules);
  const server = createServer((req, res) => {
    void answer({ folder, prefix }, req.url ?? "/").then(({ status, headers, body }) => {
      res.writeHead(status, { ...everywhere, ...headers }).end(body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

interface HostAnswer {
  status: number;
  headers: Record<string, string>;
  body: Buffer | string;
}

async function answer(
  { folder, prefix }: { folder: string; prefix: string },
  target: string,
): Promise<HostAnswer> {
  const [path = "/", query] = target.split("?", 2);
  const isBelow = path === prefix || path.startsWith(`${prefix}/`);
  const file = isBelow ? join(folder, decodeURIComponent(path.slice(prefix.length))) : null;
  const found = file === null ? null : await stat(file).catch(() => null);
  if (file === null || found === null) return missing(folder);
  if (found.isFile()) return send(file, 200);
  if (path.endsWith("/")) {
    const index = join(file, "index.html");
    return (await stat(index).catch(() => null)) === null ? missing(folder) : send(index, 200);
  }
  const location = `${path}/${query === undefined ? "" : `?${query}`}`;
  return { status: 301, headers: { Location: location }, body: "" };
}

async function send(file: string, status: number): Promise<HostAnswer> {
  const type =
    mime.contentType(file.slice(file.lastIndexOf("/") + 1)) || "application/octet-stream";
  return { status, headers: { "Content-Type": type }, body: await readFile(file) };
}

async function missing(folder: string): Promise<HostAnswer> {
  const file = join(folder, "404.html");
  const isThere = (await stat(file).catch(() => null)) !== null;
  return isThere ? send(file, 404) : { status: 404, headers: {}, body: "" };
}

/** Headers of the rule for all paths. */
function everywhereOf(rules: string): Record<string, string> {
  const headers: Record<string, string> = {};
  let isEverywhere = false;
  for (const line of rules.split("\n")) {
    if (!line.startsWith(" "))
      isEverywhere = /^\S*\/\*$/.test(line) && !/\/\w.*\/\*$/.test(line.replace(/^\/docs/, ""));
    else if (isEverywhere)
      headers[line.slice(0, line.indexOf(":")).trim()] = line.slice(line.indexOf(":") + 1).trim();
  }
  return headers;
}
