// A tiny npm registry on the loopback interface: package documents and tarballs.
import { createHash } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";

/** A version to publish. */
export interface Release {
  name: string;
  version: string;
  /** When it was published, in days before now. */
  ageDays?: number;
  dependencies?: Record<string, string>;
  scripts?: Record<string, string>;
  /** `index.js`, default: a plugin with the package's name. */
  code?: string;
  /** Files beside package.json and index.js. */
  files?: Record<string, string>;
}

const DAY_MS = 86_400_000;

/** The registry; `url` ends with a slash. */
export class NpmRegistry {
  readonly #server: Server;
  readonly #packages = new Map<string, Map<string, { release: Release; tarball: Buffer }>>();
  /** Requested paths. */
  readonly asked: string[] = [];

  constructor() {
    this.#server = createServer((req, res) => {
      const path = decodeURIComponent(req.url ?? "/").slice(1);
      this.asked.push(path);
      const body = path.endsWith(".tgz") ? this.#tarball(path) : this.#document(path);
      res.writeHead(body === null ? 404 : 200, { "content-type": "application/json" });
      res.end(body ?? "{}");
    });
  }

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`;
  }

  publish(release: Release): void {
    const versions = this.#packages.get(release.name) ?? new Map();
    versions.set(release.version, { release, tarball: pack(release) });
    this.#packages.set(release.name, versions);
  }

  #tarball(path: string): Buffer | null {
    const [, name = "", version = ""] = /^(.+)\/-\/(.+)\.tgz$/.exec(path) ?? [];
    return this.#packages.get(name)?.get(version)?.tarball ?? null;
  }

  #document(name: string): string | null {
    const versions = this.#packages.get(name);
    if (versions === undefined) return null;
    const all = [...versions.values()];
    const entries = all.map(({ release: { version, ...release }, tarball }) => [
      version,
      {
        name,
        version,
        dependencies: release.dependencies ?? {},
        dist: {
          tarball: `${this.url}${name}/-/${version}.tgz`,
          integrity: `sha512-${createHash("sha512").update(tarball).digest("base64")}`,
        },
      },
    ]);
    const times = all.map(({ release: { version, ageDays = 365 } }) => [
      version,
      new Date(Date.now() - ageDays * DAY_MS).toISOString(),
    ]);
    const created = new Date(Date.now() - 1000 * DAY_MS).toISOString();
    return JSON.stringify({
      name,
      "dist-tags": { latest: all.at(-1)?.release.version },
      versions: Object.fromEntries(entries),
      time: { created, modified: created, ...Object.fromEntries(times) },
    });
  }
}

function pack(release: Release): Buffer {
  const { name, version, dependencies = {}, scripts = {}, files = {} } = release;
  const plain = name.replace(/^@.*\//, "");
  const plugin = `module.exports = { name: ${JSON.stringify(plain)}, version: ${JSON.stringify(version)} };\n`;
  const all = {
    "package.json": JSON.stringify({ name, version, main: "index.js", dependencies, scripts }),
    "index.js": release.code ?? plugin,
    ...files,
  };
  const entries = Object.entries(all).map(([path, text]) => tarEntry(`package/${path}`, text));
  return gzipSync(Buffer.concat([...entries, Buffer.alloc(1024)]));
}

/** One file of a tar archive (POSIX ustar). */
function tarEntry(path: string, text: string): Buffer {
  const body = Buffer.from(text);
  const header = Buffer.alloc(512);
  header.write(path, 0);
  header.write("0000644\0", 100);
  header.write(`${body.length.toString(8).padStart(11, "0")}\0`, 124);
  header.write("00000000000\0", 136);
  header.write("        ", 148);
  header.write("0", 156);
  header.write("ustar\x0000", 257);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  return Buffer.concat([header, body, Buffer.alloc((512 - (body.length % 512)) % 512)]);
}
