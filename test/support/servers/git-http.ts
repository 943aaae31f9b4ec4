// `git http-backend` behind Basic authentication, as git hosts offer it.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";

const MAX_HEAD = 65_536;

/** A server for the repositories in a folder. */
export interface GitHttp {
  readonly port: number;
  /** Command lines of this machine, as seen while requests of git were open. */
  readonly seen: Set<string>;
  close(): Promise<void>;
}

/** `login`: `user:password`. */
export async function startGitHttp(folder: string, login: string): Promise<GitHttp> {
  const backend = join(execFileSync("git", ["--exec-path"]).toString().trim(), "git-http-backend");
  const wanted = `Basic ${Buffer.from(login).toString("base64")}`;
  const seen = new Set<string>();
  const server = createServer((req, res) => {
    for (const line of commandLines()) seen.add(line);
    if (req.headers.authorization === wanted) return run(backend, folder, { req, res });
    res.writeHead(401, { "www-authenticate": 'Basic realm="git"' });
    return res.end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    seen,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

function commandLines(): string[] {
  return readdirSync("/proc").flatMap((pid) => {
    if (!/^\d+$/.test(pid)) return [];
    try {
      return [readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ")];
    } catch {
      // It has ended meanwhile.
      return [];
    }
  });
}

/** Common Gateway Interface: headers, an empty line, the body. */
function run(
  backend: string,
  folder: string,
  { req, res }: { req: IncomingMessage; res: ServerResponse },
): void {
  const [path = "", query = ""] = (req.url ?? "").split("?");
  const child = spawn(backend, {
    env: {
      PATH: process.env["PATH"],
      GIT_PROJECT_ROOT: folder,
      GIT_HTTP_EXPORT_ALL: "1",
      PATH_INFO: path,
      QUERY_STRING: query,
      REQUEST_METHOD: req.method,
      REMOTE_USER: "test",
      REMOTE_ADDR: "127.0.0.1",
      CONTENT_TYPE: req.headers["content-type"] ?? "",
      HTTP_CONTENT_ENCODING: req.headers["content-encoding"] ?? "",
      GIT_PROTOCOL: String(req.headers["git-protocol"] ?? ""),
    },
    stdio: ["pipe", "pipe", "ignore"],
  });
  req.pipe(child.stdin);
  child.stdin.on("error", () => undefined);
  let head: Buffer | null = Buffer.alloc(0);
  child.stdout.on("data", (chunk: Buffer) => {
    if (head === null) return void res.write(chunk);
    head = Buffer.concat([head, chunk]);
    const end = head.indexOf("\r\n\r\n");
    if (end === -1 && head.length < MAX_HEAD) return;
    writeHead(res, head.toString("latin1", 0, end));
    res.write(head.subarray(end + 4));
    head = null;
  });
  child.stdout.on("end", () => res.end());
}

function writeHead(res: ServerResponse, text: string): void {
  const headers = text.split("\r\n").map((line): [string, string] => {
    const at = line.indexOf(":");
    return [line.slice(0, at).toLowerCase(), line.slice(at + 1).trim()];
  });
  const status = Number(headers.find(([name]) => name === "status")?.[1]?.slice(0, 3) ?? 200);
  res.writeHead(status, Object.fromEntries(headers.filter(([name]) => name !== "status")));
}
