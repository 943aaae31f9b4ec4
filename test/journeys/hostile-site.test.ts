import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readdir, readFile, readlink } from "node:fs/promises";
import { Agent } from "node:http";
import { connect } from "node:net";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { ZodType } from "zod";
import {
  exchange,
  faultsOf,
  leaks,
  type Exchange,
  type Sent,
} from "../support/hostile/global-oracle.js";
import { bootHostileSite, type HostileSite } from "../support/hostile/hostile-site.js";
import { until } from "../support/until.js";

const LONG = "x".repeat(8_000);

/** A parameter as an attacker sends it. */
const parameterForms = (name: string): string[] => [
  `${name}=a&${name}=b`,
  `${name}[]=a`,
  `${name}[]=a&${name}[]=b`,
  `${name}[a]=b`,
  `${name}[__proto__]=x`,
  `${name}[constructor][prototype][x]=1`,
  `${name}=__proto__`,
  `${name}=constructor`,
  `${name}=`,
  name,
  `${name}=${LONG}`,
  `${name}=-1`,
  `${name}=1e999`,
  `${name}=NaN`,
  `${name}=%00`,
  `${name}=%ED%A0%80`,
  `${name}=%E0%A4%A`,
  `${name}=..%2f..%2f..%2fetc%2fpasswd`,
  `${name}=%27%22%3E%3Cscript%3Ealert(1)%3C%2Fscript%3E`,
  `${name}=%0d%0aSet-Cookie:%20x=1`,
  `${name}=(a%2B)%2B$`,
  `${name}=%F0%9F%98%80%EF%B7%BA%0A%E2%80%A8`,
];

const queries = [
  "__proto__[x]=1",
  "constructor[prototype][x]=1",
  "a[b]".repeat(200),
  Array<string>(5_000).fill("t=x").join("&").slice(0, 8_100),
  LONG.repeat(2),
  "%",
  "&&&===&",
  "taxonomy.tag=one&taxonomy.tag=two",
  "taxonomy.__proto__=x",
  "taxonomy[__proto__][]=x",
  "taxonomy[tag][]=x",
  "facet[__proto__][x]=1",
  "facet[constructor]=x",
  "published=false",
  "detailed=true&token=",
];

const segments = [
  "__proto__",
  "constructor",
  "toString",
  "%00",
  "a%00.jpg",
  "%E0%A4%A",
  "%ZZ",
  "%c0%ae%c0%ae%2f",
  "..%2f..%2f..%2f..%2fetc%2fpasswd",
  "%2e%2e/%2e%2e/site.yaml",
  "%252e%252e%252fsite.yaml",
  "..%5c..%5csite.yaml",
  "../../../../etc/passwd",
  "C:%5cwindows%5cwin.ini",
  "%2fetc/passwd",
  "evil-link/canary.txt",
  "evil-link",
  "03.gated/secret.txt",
  "03.gated/default.md",
  "17.media/link.txt",
  "17.media/page.html",
  "17.media/logo.svg",
  "17.media/cover.jpg?width=10",
  ".env",
  ".git/config",
  "%2eenv",
  "blog/draft",
  "gated",
  "gated/children",
  "gated/media",
  "04.private-key",
  "private-key",
  "bomb",
  "broken",
  "large",
  "empty",
  "twin",
  "mit%20leerzeichen",
  "gr%C3%B6%C3%9Fe",
  "100%25",
  "c%23",
  "bytes",
  "payload",
  "nested",
  "%3Cimg%20src=x%20onerror=1%3E",
  "%0a%7B%22level%22:%22error%22%7D",
  "x".repeat(300),
  "x".repeat(5_000),
  "a/".repeat(1_000),
  "~root",
  ";a=b",
  "page:2",
  "page:0",
  "page:99999999999999999999",
  "page:-1",
  "%EF%BB%BF",
  "%F0%9F%98%80",
];

const bodies: Sent[] = [
  { headers: { "content-type": "application/json" }, body: "{}" },
  { headers: { "content-type": "application/json" }, body: "[]" },
  { headers: { "content-type": "application/json" }, body: "null" },
  { headers: { "content-type": "application/json" }, body: '{"__proto__":{"polluted":1}}' },
  { headers: { "content-type": "application/json" }, body: "[".repeat(50_000) },
  {
    headers: { "content-type": "application/json" },
    body: '{"path":["a"],"content":{},"email":1}',
  },
  { headers: { "content-type": "text/plain" }, body: "x" },
  { headers: { "content-type": "multipart/form-data; boundary=" }, body: "--" },
  {
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: "a[__proto__]=1&username=a&username=b&password=",
  },
  {},
];

/** Requests cut off when their client disconnects. */
const cutShort = [
  "G",
  "GET /blog HTTP/1.1\r\nHost: localhost\r\n",
  "GET /blog HTTP/1.1\r\nHost: localhost\r\n\r\n",
  'POST /auth/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 900\r\n\r\n{"username":',
];
const maxLeftBehind = 64 * 1_024 * 1_024;

describe("a hostile site under hostile requests", function () {
  this.timeout(600_000);
  let site: HostileSite;
  let opened: string[];
  let heldBytes: number;
  let publicConfig: string;
  let tree: string;
  const agent = new Agent({ keepAlive: true, maxSockets: 4 });

  before(async () => {
    site = await bootHostileSite();
    opened = await openFiles();
    heldBytes = bytesInUse();
    publicConfig = (await send("/api/config/site")).body;
    tree = await digestOf(site.root);
  });
  after(async () => {
    agent.destroy();
    await site.close();
  });

  function send(path: string, sent: Sent = {}): Promise<Exchange> {
    return exchange(site.url, path, { agent, ...sent });
  }

  /** Sends all of them and checks every response, and the log, with the oracle. */
  async function judge(requests: readonly (readonly [path: string, sent?: Sent])[]): Promise<void> {
    const faults: string[] = [];
    const logged = site.lines().length;
    for (const [path, sent] of requests) {
      const answer = await send(path, sent);
      for (const fault of faultsOf(answer, site.root)) {
        faults.push(`${answer.method} ${path.slice(0, 120)}: ${fault} (${answer.status})`);
      }
    }
    for (const line of site.lines().slice(logged)) {
      const [fault] = logFaults(line, site.root);
      if (fault !== undefined) faults.push(`log: ${fault}: ${line.slice(0, 300)}`);
    }
    // Reading the log may take longer than the server keeps idle connections.
    agent.destroy();
    const after = (await send("/api/config/site")).body;
    if (after !== publicConfig) faults.push("the public configuration has changed");
    if ((await send("/health/live")).status !== 200) faults.push("not alive");
    assert.deepEqual(faults.slice(0, 20), []);
  }

  const routes = () => site.site.context("pages").http.routes;
  const pathsOf = (path: string, value: string): string => path.replace(/[:*]\w+/g, () => value);

  it("is ready with every valid page, and reports the others", async () => {
    const { problems } = site.site.use("content").generation();
    const reported = new Set(problems.map(({ sourcePath }) => sourcePath.split("/")[0]));
    for (const bad of ["05.bomb", "06.broken", "07.large", "10.twin", "18.nested"]) {
      assert.ok(reported.has(bad), `${bad} is reported`);
    }
    for (const route of [
      "/",
      "/blog/post",
      "/empty",
      "/twin",
      "/mit%20leerzeichen",
      "/gr%C3%B6%C3%9Fe",
      "/100%25",
      "/c%23",
    ]) {
      assert.equal((await send(route)).status, 200, route);
    }
  });

  it("survives every declared parameter in every shape", async () => {
    const requests = routes().flatMap(({ path, method, query }) => {
      const names = [...parametersOf(query), "taxonomy.tag", "width", "token"];
      const target = pathsOf(path, "blog");
      return names.flatMap((name) =>
        parameterForms(name).map(
          (form) => [`${target}?${form}`, { method: method.toUpperCase() }] as const,
        ),
      );
    });
    assert.ok(requests.length > 3_000);
    await judge(requests);
  });

  it("survives malformed queries on every route", async () => {
    await judge(
      routes().flatMap(({ path, method }) =>
        queries.map(
          (query) =>
            [`${pathsOf(path, "tag")}?${query}`, { method: method.toUpperCase() }] as const,
        ),
      ),
    );
  });

  it("survives every path parameter that leaves its folder", async () => {
    const open = routes().filter(({ path }) => /[:*]/.test(path));
    await judge(
      open.flatMap(({ path, method }) =>
        segments.map((value) => [pathsOf(path, value), { method: method.toUpperCase() }] as const),
      ),
    );
  });

  it("survives such paths as pages, with and without suffixes", async () => {
    await judge(
      segments.flatMap((value) =>
        ["", "/", ".css", "/x.css", ";a.js", "/page:2", "/feed.xml"].map(
          (suffix) => [`/${value}${suffix}`] as const,
        ),
      ),
    );
  });

  it("survives invalid request targets", async () => {
    await judge(
      [
        "//",
        "//[",
        "//evil.example/auth/me",
        "http://evil.example/api/nav",
        "http://[::1",
        "*",
        "/?",
        "/#",
        "?x",
        "/%",
      ].map((path) => [path] as const),
    );
  });

  it("survives unusual methods on every route", async () => {
    const methods = [
      "HEAD",
      "OPTIONS",
      "POST",
      "PUT",
      "PATCH",
      "DELETE",
      "TRACE",
      "PROPFIND",
      "M-SEARCH",
    ];
    await judge(
      routes().flatMap(({ path }) =>
        methods.map(
          (method) =>
            [
              pathsOf(path, "blog"),
              { method, headers: { "x-http-method-override": "DELETE" } },
            ] as const,
        ),
      ),
    );
  });

  it("survives malformed bodies on every route that reads one", async () => {
    await judge(
      routes()
        .filter(({ method }) => method !== "get")
        .flatMap(({ path, method }) =>
          bodies.map(
            (sent) => [pathsOf(path, "blog"), { ...sent, method: method.toUpperCase() }] as const,
          ),
        ),
    );
  });

  it("survives forged headers", async () => {
    const lies = {
      "x-forwarded-host": "evil.example",
      "x-forwarded-proto": "gopher",
      "x-original-url": "/admin",
      "x-rewrite-url": "/admin",
      "x-site-user": '{"id":"1","roles":["admin"]}',
      "if-none-match": '*,,,W/"',
      "accept-encoding": `*;q=2, ${"x".repeat(4_000)}`,
      "accept-language": "x".repeat(4_000),
      accept: "*/*;q=zzz, ,",
      range: "bytes=9-1,x",
      cookie: "site_auth=%E0%A4%A; site_admin=; __proto__=1; =;;",
      authorization: "Bearer ..",
      "user-agent": "\u009b2J",
    };
    const targets = [
      "/",
      "/blog",
      "/api/pages",
      "/api/nav",
      "/nothing",
      "/gated",
      "/sitemap.xml",
      "/feed.xml",
      "/search?q=post",
      "/health",
    ];
    await judge(
      targets.flatMap((path) => [
        ...Object.entries(lies).map(
          ([name, value]) => [path, { headers: { [name]: value } }] as const,
        ),
        [path, { headers: lies }] as const,
      ]),
    );
    for (const path of targets) {
      const { body, headers } = await send(path, { headers: { ...lies, host: "evil.example" } });
      assert.doesNotMatch(body + JSON.stringify(headers), /evil\.example/, path);
      assert.doesNotMatch((await send(path)).body, /evil\.example/, path);
    }
  });

  it("frees every file, connection and byte when clients disconnect midway", async () => {
    for (let at = 0; at < 2_000; at += 50) {
      const fifty = Array.from({ length: 50 }, (_, one) => cutShort[(at + one) % 4] ?? "");
      await Promise.all(fifty.map((start) => sendAndLeave(site.url, start)));
    }
    assert.equal((await send("/health/live")).status, 200);
    agent.destroy();
    assert.deepEqual(await stillOpen(opened), []);
    // The log recorded by the test itself is not a leak of the site.
    site.lines().splice(0);
    const grown = bytesInUse() - heldBytes;
    assert.ok(grown < maxLeftBehind, `${grown} bytes more than before`);
  });

  it("leaves every file of the site unchanged", async () => {
    assert.equal(await digestOf(site.root), tree);
  });
});

/** Sends the start of a request and disconnects. */
async function sendAndLeave(url: string, start: string): Promise<void> {
  const { hostname, port } = new URL(url);
  await new Promise<void>((resolve) => {
    const socket = connect(Number(port), hostname, () => {
      socket.write(start, () => socket.destroy());
    });
    socket.on("error", () => socket.destroy());
    socket.on("close", () => resolve());
  });
}

/** Open files and connections of this process; none on systems that do not list them. */
async function openFiles(): Promise<string[]> {
  const numbers = await readdir("/proc/self/fd").catch(() => []);
  const links = numbers.map((number) => readlink(`/proc/self/fd/${number}`).catch(() => "gone"));
  const files = (await Promise.all(links)).filter((file) => /^(?:socket:|\/)/.test(file));
  return files.map((file) => file.replace(/:\[\d+\]$/, ""));
}

/** Handles opened since; empty as soon as there are none. */
async function stillOpen(before: readonly string[]): Promise<string[]> {
  let others: string[] = [];
  await until(async () => {
    const known = [...before];
    others = (await openFiles()).filter((file) => {
      const at = known.indexOf(file);
      if (at !== -1) known.splice(at, 1);
      return at === -1;
    });
    return others.length === 0;
  }).catch(() => undefined);
  return others;
}

/** Bytes of objects and buffers in use after a collection. */
function bytesInUse(): number {
  setFlagsFromString("--expose-gc");
  runInNewContext("gc")();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** Names of the parameters that a route's schema declares. */
function parametersOf(query: ZodType | undefined): string[] {
  const shape: unknown = query && "shape" in query ? query.shape : {};
  return typeof shape === "object" && shape !== null ? Object.keys(shape) : [];
}

function logFaults(line: string, root: string): string[] {
  if (line.trimEnd().includes("\n")) return ["more than one line"];
  try {
    JSON.parse(line);
  } catch {
    return ["no JSON"];
  }
  return leaks(line, root);
}

/** Digest of every file of a site except those it may write. */
async function digestOf(root: string): Promise<string> {
  const hash = createHash("sha256");
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !file.startsWith(join(root, ".dune")) && !file.startsWith(join(root, "data")))
    .toSorted();
  for (const file of files) {
    const link = await readlink(file).catch(() => null);
    hash.update(file).update(link ?? (await readFile(file)));
  }
  return hash.digest("hex");
}
